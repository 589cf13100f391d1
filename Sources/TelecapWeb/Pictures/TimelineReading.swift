import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire

/// Makes timelines of a capture: once of the whole, and of a part whenever a page zooms in.
struct TimelineReading: Sendable {
  private let reader: CaptureReader
  /// The number of columns for the whole capture, from which a part down to 1/64 of it is drawn.
  static let columns = 65_536
  /// The number of drawn columns.
  static let drawn = 1_024

  /// The maximum number of sessions whose streams are drawn.
  private static let mostSessions = CaptureTimeline.mostTracks / 2
  /// The maximum number of messages that are reread for sessions missing in the columns of the whole.
  private static let mostAgain = 20_000

  init(_ reader: CaptureReader) { self.reader = reader }

  /// The whole capture. Its messages are counted in the same pass.
  ///
  /// - Parameter progress: receives the number of read messages from time to time.
  func whole(
    _ count: inout SummaryCount, columns: Int = Self.columns, progress: (Int) -> Void = { _ in }
  ) throws -> CaptureTimeline {
    let summary = count.summary
    let span = summary.span ?? summary.info.started...summary.info.started
    // If there are many sessions, select the drawn ones before reading.
    let busiest = summary.sessions.count > Self.mostSessions ? try reader.busiestSessions(most: Self.mostSessions) : nil
    var timeline = CaptureTimeline(TimeGrid(span, columns: columns), reader.schema.protocols, of: busiest)
    guard summary.isDissected else { return timeline }
    var wanted = count.wanted
    let drawn = Drawn(timeline, &wanted)
    var conversations = Conversations(reader)
    try reader.forEachMessageReadAhead(wanted) { stored, numbers in
      try count.add(stored, numbers)
      add(stored, numbers, in: try conversations.number(of: stored), drawn, to: &timeline)
      if stored.id % 10_000 == 0 { progress(stored.id) }
    }
    try addFindings(inPackets: nil, to: &timeline)
    finish(&timeline, summary, end: span.upperBound)
    return timeline
  }

  /// A part of it: from the columns of the whole if they are fine enough, otherwise read again.
  func part(_ grid: TimeGrid, of whole: CaptureTimeline, _ summary: CaptureSummary) throws -> CaptureTimeline {
    guard let messages = whole.messages(within: grid),
      grid.length < whole.grid.length / 64 || hasMore(grid, messages.ids.count, than: whole, summary)
    else { return whole.reduced(to: grid) }
    let sessions = TimelineReading.sessions(in: grid, summary)
    let busiest = Set(SessionSummary.busiest(sessions, most: Self.mostSessions).map(\.session.id))
    var timeline = CaptureTimeline(
      grid, reader.schema.protocols, of: sessions.count > busiest.count ? busiest : nil,
      resuming: (whole, at: messages.from))
    var wanted = WantedNumbers()
    let drawn = Drawn(timeline, &wanted)
    var conversations = Conversations(reader)
    var packets: ClosedRange<Int>?
    try reader.forEachMessage(in: messages.ids, reading: wanted) { stored, numbers in
      add(stored, numbers, in: try conversations.number(of: stored), drawn, to: &timeline)
      packets =
        min(
          packets?.lowerBound ?? stored.packet, stored.packet)...max(
          packets?.upperBound ?? stored.packet, stored.packet)
    }
    try addFindings(inPackets: packets ?? 1...1, to: &timeline)
    finish(&timeline, summary, end: min(grid.end, summary.span?.upperBound ?? grid.end))
    return timeline
  }

  /// Whether a part with a few sessions can be reread, because the whole lacks some of their streams.
  private func hasMore(
    _ grid: TimeGrid, _ messages: Int, than whole: CaptureTimeline, _ summary: CaptureSummary
  ) -> Bool {
    guard whole.isIncomplete, messages <= Self.mostAgain else { return false }
    return TimelineReading.sessions(in: grid, summary).count <= Self.mostSessions
  }

  /// The sessions that overlap a part.
  private static func sessions(in grid: TimeGrid, _ summary: CaptureSummary) -> [SessionSummary] {
    summary.sessions.filter { $0.session.opened <= grid.end && $0.session.lastSeen >= grid.start }
  }

  /// The drawn streams of each kind of message, and the indices of their numbers among those that are read.
  private struct Drawn {
    struct Stream {
      let stream: DrawnStream
      let places: [Int]
      let isNumberedFirst: Bool
    }

    /// The indices of a message's number and key among the wanted numbers.
    struct Numbered {
      let number: Int
      let key: [Int]
    }

    var streams = SmallTable<MessageKind, [Stream]>()
    var numbered = SmallTable<MessageKind, Numbered>()
    /// The index of the value of an answer.
    var answers = SmallTable<MessageKind, Int>()

    init(_ timeline: CaptureTimeline, _ wanted: inout WantedNumbers) {
      for stream in timeline.streams {
        let places = wanted.add(stream.fields, of: stream.kind)
        streams[stream.kind] =
          (streams[stream.kind] ?? [])
          + [Stream(stream: stream, places: places, isNumberedFirst: stream.isNumberedFirst)]
        guard stream.isNumberedFirst, let numbering = stream.kind.numbering else { continue }
        let all = wanted.add([numbering.order] + numbering.key, of: stream.kind)
        numbered[stream.kind] = Numbered(number: all[0], key: Array(all.dropFirst()))
      }
      for (kind, field) in timeline.answers { answers[kind] = wanted.add([field], of: kind)[0] }
    }
  }

  private func add(
    _ stored: StoredMessage, _ numbers: Span<StoredNumber>, in conversation: Int, _ drawn: Drawn,
    to timeline: inout CaptureTimeline
  ) {
    let message = TimelineMessage(
      packet: stored.packet, time: stored.time, kind: stored.kind, direction: stored.direction,
      isValid: stored.severity != .error, session: stored.session, conversation: conversation)
    timeline.add(message, id: stored.id)
    var arrival: SequenceTracker.Arrival?
    if let place = drawn.numbered[stored.kind], let number = numbers[place.number].bits {
      let key = place.key.map { numbers[$0].bits ?? 0 }
      arrival = timeline.receive(number, key: key, of: message, flow: stored.flow)
    }
    for one in drawn.streams[stored.kind] ?? [] {
      timeline.add(message, to: one.stream, arrival: one.isNumberedFirst ? arrival : nil) {
        numbers[one.places[$0]].value(as: $1)
      }
    }
    if let place = drawn.answers[stored.kind], case .whole(let number) = numbers[place] {
      timeline.add(message, answering: UInt64(bitPattern: number))
    }
  }

  private func addFindings(inPackets packets: ClosedRange<Int>?, to timeline: inout CaptureTimeline) throws {
    try reader.forEachFinding(inPackets: packets) {
      timeline.add(finding: $0.rule, $0.severity, packet: $0.packet, at: $0.time)
    }
  }

  private func finish(_ timeline: inout CaptureTimeline, _ summary: CaptureSummary, end: Timestamp) {
    let ends = Dictionary(summary.sessions.map { ($0.session.id, $0.session.lastSeen) }) { first, _ in first }
    timeline.finish(sessions: ends, end: end)
  }
}

import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire

/// Makes timelines out of a capture: of all of it once, and of a part as often as somebody looks closer.
struct TimelineReading: Sendable {
  private let reader: CaptureReader
  /// For each flow the number of its conversation: both ways have the same.
  private let conversations: [Int: Int]

  /// How many columns the whole capture is kept in: a part down to 1/64 of it is drawn from them.
  static let columns = 65_536
  /// How many columns are drawn.
  static let drawn = 1_024

  init(_ reader: CaptureReader) throws {
    self.reader = reader
    var numbers: [Set<String>: Int] = [:]
    conversations = try reader.flows().mapValues { flow in
      let ends: Set = [flow.source, flow.destination]
      let number = numbers[ends] ?? numbers.count
      numbers[ends] = number
      return number
    }
  }

  /// The whole capture.
  ///
  /// - Parameter progress: is told from time to time how much has been read, 0…1.
  func whole(
    _ summary: CaptureSummary, columns: Int = Self.columns, progress: (Double) -> Void = { _ in }
  ) throws -> CaptureTimeline {
    let span = summary.span ?? summary.info.started...summary.info.started
    var timeline = CaptureTimeline(TimeGrid(span, columns: columns), reader.schema.protocols)
    guard summary.isDissected else { return timeline }
    try readAll(summary, into: &timeline, progress)
    let ends = Dictionary(summary.sessions.map { ($0.session.id, $0.session.lastSeen) }) { first, _ in first }
    timeline.finish(sessions: ends, end: span.upperBound)
    return timeline
  }

  /// A part of it: from the columns of the whole where these are fine enough, else read again.
  func part(_ grid: TimeGrid, of whole: CaptureTimeline, _ summary: CaptureSummary) throws -> CaptureTimeline {
    guard grid.length < whole.grid.length / 64, let messages = whole.messages(within: grid) else {
      return whole.reduced(to: grid)
    }
    var timeline = CaptureTimeline(grid, reader.schema.protocols, resuming: (whole, at: messages.from))
    let first = try reader.message(messages.ids.lowerBound)?.packet ?? 1
    let last = try reader.message(messages.ids.upperBound)?.packet ?? first
    try read(messages.ids, min(first, last)...max(first, last), into: &timeline)
    let ends = Dictionary(summary.sessions.map { ($0.session.id, $0.session.lastSeen) }) { first, _ in first }
    timeline.finish(sessions: ends, end: min(grid.end, summary.span?.upperBound ?? grid.end))
    return timeline
  }

  /// All messages, what answers said, and all findings.
  private func readAll(_ summary: CaptureSummary, into timeline: inout CaptureTimeline, _ progress: (Double) -> Void)
    throws
  {
    let messages = summary.types.reduce(0) { $0 + $1.arrivals.count }
    var done = 0
    try read(nil, nil, into: &timeline) {
      done += 1
      // Most messages carry a stream, and are read twice.
      if done % 10_000 == 0 { progress(min(1, Double(done) / Double(2 * max(1, messages)))) }
    }
    for (kind, field) in CaptureTimeline.answers(of: reader.schema.protocols) {
      try reader.forEachMessage(inTableOf: kind, numbers: [field]) { stored, numbers in
        guard stored.kind == kind, let number = numbers.first else { return }
        timeline.add(message(stored), answering: number)
      }
    }
  }

  private func read(
    _ ids: ClosedRange<Int>?, _ packets: ClosedRange<Int>?, into timeline: inout CaptureTimeline,
    _ count: () -> Void = {}
  ) throws {
    try reader.forEachMessage(in: ids) {
      timeline.add(message($0), id: $0.id)
      count()
    }
    for stream in timeline.streams {
      try reader.forEachMessage(inTableOf: stream.kind, numbers: stream.fields, in: ids) {
        timeline.add(message($0), to: stream, $1)
        count()
      }
    }
    try reader.forEachFinding(inPackets: packets) {
      timeline.add(finding: $0.rule, $0.severity, packet: $0.packet, at: $0.time)
    }
  }

  private func message(_ stored: StoredMessage) -> TimelineMessage {
    TimelineMessage(
      packet: stored.packet, time: stored.time, kind: stored.kind, direction: stored.direction,
      isValid: stored.severity != .error, session: stored.session, conversation: conversations[stored.flow] ?? -1)
  }
}

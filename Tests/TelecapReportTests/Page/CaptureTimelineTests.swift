import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapReport

/// Streams as they were declared, fed by hand.
@Suite struct CaptureTimelineTests {
  private static let grid = TimeGrid(start: .zero, length: 10_000_000_000, columns: 1_000)

  private static func message(_ kind: MessageKind, _ milliseconds: Int64, packet: Int = 1) -> TimelineMessage {
    TimelineMessage(
      packet: packet, time: Timestamp(nanoseconds: milliseconds * 1_000_000), kind: kind,
      direction: kind.layoutDirection, isValid: true, session: 1, conversation: 0)
  }

  private static func poses(_ sequence: [(ms: Int64, seq: Double)]) throws -> TimelineTrack {
    var timeline = CaptureTimeline(grid, [Tele.wire])
    let stream = try #require(timeline.streams.first { $0.kind == .pose })
    let place = try #require(stream.fields.firstIndex { $0.name == "seq" })
    for (number, one) in sequence.enumerated() {
      var values = [Double](repeating: 0, count: stream.fields.count)
      values[place] = one.seq
      timeline.add(message(.pose, one.ms, packet: number + 1), to: stream) { place, _ in values[place] }
    }
    timeline.finish(sessions: [1: Timestamp(nanoseconds: 9_000_000_000)], end: grid.end)
    return try #require(timeline.tracks.first)
  }

  @Test("Lost, reordered and duplicate poses are counted by their numbers, around a wrap too")
  func losses() throws {
    let track = try Self.poses([(0, 65_534), (20, 65_535), (40, 2), (60, 1), (80, 2), (100, 3)])
    #expect((track.lost.count, track.reordered.count, track.repeated.count) == (2, 1, 1))
    #expect(track.lostCount == 1, "1 came late, and only 0 never came")
    #expect(track.lost.sorted.first?.mark.packet == 3)
    // What came late or again was not the newest: it makes nothing younger.
    #expect(track.gaps.first?.isLast == true)
    #expect(track.age.reduced.range == 0...8_900)
  }

  @Test("A stream that stops while its session goes on has its longest gap at the end")
  func stops() throws {
    let track = try Self.poses((0..<50).map { (Int64($0) * 20, Double($0)) })
    let last = try #require(track.gaps.first)
    #expect(last.isLast && last.start == Timestamp(nanoseconds: 980_000_000) && last.length == 8_020_000_000)
  }

  /// What stands out of haptics of these strengths, 20 a second.
  private static func told(_ strengths: [Double]) throws -> [String] {
    var timeline = CaptureTimeline(grid, [Tele.wire])
    let stream = try #require(timeline.streams.first { $0.kind == .haptic })
    for (number, strength) in strengths.enumerated() {
      timeline.add(message(.haptic, Int64(number) * 50, packet: number + 1), to: stream) { _, _ in strength }
    }
    timeline.finish(sessions: [:], end: grid.end)
    var summary = CaptureSummary(info: CaptureInfo(version: "", started: .zero))
    summary.protocols = [Tele.wire]
    return Incident.all(CapturePicture(name: "made", summary, timeline)).map { $0.words(since: .zero) }
  }

  @Test("Haptics that go to 0 for good, or to no number, stand out; a hand that touches nothing for a while does not")
  func rests() throws {
    func times(_ count: Int, _ value: Double) -> [Double] { Array(repeating: value, count: count) }
    let zero = try Self.told(times(50, 0.5) + times(150, 0))
    #expect(zero == ["the host sent haptic 0 in 150 messages, from 2.500 s to 9.950 s, and nothing else after it"])
    let none = try Self.told(times(50, 0.5) + times(20, .nan) + times(129, 0.5))
    #expect(none == ["the host sent haptic that is no number in 20 messages, from 2.500 s to 3.450 s"])
    let high = try Self.told(times(50, 0.5) + times(20, 3.5) + times(5, 1) + times(3, 3.5) + times(20, -1))
    #expect(
      high == [
        "the host sent haptic outside its range in 20 messages, from 2.500 s to 3.450 s",
        "the host sent haptic outside its range in 23 messages, from 3.750 s to 4.850 s, and none within it after it",
      ])
    let single = (0..<70).flatMap { _ in [Double.nan, 0.5] }
    #expect(try Self.told(single + times(20, .nan) + times(9, 0.5)).count == 1, "single ones before take no room")
    #expect(try Self.told(times(50, 0.5) + times(140, 0) + times(9, 0.1)).isEmpty)
    #expect(try Self.told(times(199, 0)).isEmpty && Self.told(times(198, 0.5) + [.nan]).isEmpty)
  }

  @Test("A lane draws no pattern of its own over a steady stream, and each of a few messages")
  func densities() throws {
    func lanes(_ count: Int) -> Set<Int> {
      var timeline = CaptureTimeline(Self.grid, [Tele.wire])
      for id in 0..<count { timeline.add(Self.message(.pose, Int64(id) * 10_000 / Int64(count)), id: id + 1) }
      let path = TimelineView(
        timeline,
        of: CapturePicture(
          name: "made", CaptureSummary(info: CaptureInfo(version: "", started: .zero)), timeline), LivePage.links
      )
      .densities[0].path
      return Set(path.matches(of: /v-(\d+)/).compactMap { Int($0.1) })
    }
    for count in [600, 1_000, 3_000] { #expect((lanes(count).min() ?? 0) >= 55, "\(count): \(lanes(count))") }
    #expect(lanes(20) == [70])
  }

  @Test("Movements add up, and go on adding up in a part of the time")
  func sums() throws {
    var whole = CaptureTimeline(Self.grid, [Mouse.wire])
    let stream = try #require(whole.streams.first { $0.rules.name == "pointer" && $0.kind == .mouseMovement })
    for ms in stride(from: 0 as Int64, to: 10_000, by: 10) {
      let message = Self.message(.mouseMovement, ms)
      whole.add(message, id: Int(ms / 10) + 1)
      whole.add(message, to: stream) { place, _ in [2, -1][place] }
    }
    whole.finish(sessions: [:], end: Self.grid.end)
    #expect(whole.tracks.first?.values.first?.reduced.range == 2...2_000)
    let part = TimeGrid(start: Timestamp(nanoseconds: 5_000_000_000), length: 1_000_000_000, columns: 50)
    let messages = try #require(whole.messages(within: part))
    #expect(messages.ids.lowerBound <= 501 && messages.ids.lowerBound > 490 && messages.ids.upperBound == 601)
    var again = CaptureTimeline(part, [Mouse.wire], resuming: (whole, at: messages.from))
    for id in messages.ids {
      again.add(Self.message(.mouseMovement, Int64(id - 1) * 10), to: stream) { place, _ in [2, -1][place] }
    }
    // The movement at the very end of the part lies in a column of the whole that lies behind it.
    #expect(again.tracks.first?.values.first?.reduced.range == 1_002...1_202)
    #expect(whole.reduced(to: part).tracks[0].values[0].reduced.range == 1_002...1_200)
  }

  /// Haptics of so many sessions, the later the more.
  private static func sessions(_ count: Int, of preferred: Set<Int>? = nil) throws -> CaptureTimeline {
    var timeline = CaptureTimeline(grid, [Tele.wire], of: preferred)
    let stream = try #require(timeline.streams.first { $0.kind == .haptic })
    for session in 1...count {
      for number in 0..<session {
        var message = Self.message(.haptic, Int64(100 * session + number))
        message.session = session
        timeline.add(message, to: stream) { _, _ in 0.5 }
      }
    }
    timeline.finish(sessions: [:], end: grid.end)
    return timeline
  }

  @Test("Of many sessions the streams of those are drawn that are wanted, and the others are told")
  func preferred() throws {
    let timeline = try Self.sessions(60, of: Set(49...60))
    #expect(timeline.tracks.map(\.id.session) == Array(49...60) && timeline.leftOut.count == 48)
    #expect(try Self.sessions(60).tracks.count == CaptureTimeline.mostTracks)
  }

  @Test("Of many streams the busiest are open and the others folded; a few are all open")
  func folded() throws {
    func view(_ count: Int) throws -> TimelineView {
      let timeline = try Self.sessions(count)
      let summary = CaptureSummary(info: CaptureInfo(version: "", started: .zero))
      return TimelineView(timeline, of: CapturePicture(name: "made", summary, timeline), LivePage.links)
    }
    let many = try view(24)
    #expect(many.foldedWords == "18 further streams, with fewer messages")
    #expect(many.panels.map(\.plot.title).contains("tele haptic, session 24"))
    #expect(many.folded.map(\.plot.title).contains("tele haptic, session 18"))
    #expect(Set(many.panels.map(\.id) + many.folded.map(\.id)).count == many.panels.count + many.folded.count)
    let few = try view(10)
    #expect(few.foldedWords == nil && few.folded.isEmpty && !few.panels.isEmpty)
  }

  @Test("Of many sessions the busiest have bars of their own, the others are folded, and what is left out is told")
  func sessionBars() {
    func view(_ count: Int) -> SessionsView {
      var summary = CaptureSummary(info: CaptureInfo(version: "", started: .zero))
      summary.span = .zero...Self.grid.end
      summary.sessions = (1...count).map { number in
        let time = Timestamp(nanoseconds: Int64(number) * 1_000_000)
        let end = Endpoint(.loopback, port: 1)
        var session = Session(
          id: number, protocolName: "tele", carrier: .udp, client: end, server: end, sessionID: nil, opened: time)
        session.lastSeen = time.advanced(byNanoseconds: 500_000)
        var entry = SessionSummary(session: session)
        for _ in 0..<number { entry.fromClient.add(time) }
        return entry
      }
      return SessionsView(summary, LivePage.links)
    }
    let many = view(60)
    #expect(many.bars.map(\.id) == Array(49...60) && many.folded.map(\.id) == Array(1...48) && many.more == nil)
    #expect(many.foldedWords == "48 further sessions, with fewer messages")
    // They do not overlap: all stand in one row.
    #expect(Set(many.folded.map(\.y)) == [0] && many.foldedHeight == 12)
    #expect(view(20).bars.count == 20 && view(20).foldedWords == nil)
    let most = view(1_000)
    #expect(most.folded.count == 300 && most.more == "688 further sessions are not drawn.")
  }

  @Test("An answer's time is counted from the last question")
  func roundTrips() {
    var timeline = CaptureTimeline(Self.grid, [Tele.wire])
    for (id, (kind, ms)) in [(MessageKind.hello, 0 as Int64), (.hello, 500), (.ack, 512), (.ack, 600)].enumerated() {
      timeline.add(Self.message(kind, ms), id: id + 1)
    }
    #expect(timeline.roundTrips.first?.curve.reduced.range == 12...12)
    #expect(timeline.roundTrips.first?.curve.reduced.count == 1)
  }
}

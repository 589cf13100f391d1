import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapTransport

/// A host whose lines come late because it does not flush them is no wrong host; one that acts late is.
@Suite("Buffered output") struct HeldOutputTests {
  private static let file = try? SystemFile(
    "role: host\ncommand: [a]\naddresses: {udp: free}\nshows: {events: [{is: pose, when: {event: pose}}]}",
    file: "s.yaml", suites: .all)

  private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  /// How a host comes out that takes poses `every` so many ms for 3 s, and whose line on each is read at a time, in ms; it may take
  /// 75 ms.
  private static func result(
    every interval: Int = 20, known: MappingStatistics? = nil, readAt: (_ delivered: Int64) -> Int64
  ) throws -> CaseResult {
    let file = try #require(file)
    let text = """
      # A test.
      requirement: tele.pose.latest-value-wins
      role: host
      steps:
        - {at: 10ms, send: HELLO, answer: OK}
        - {at: 100ms, send: POSE, with: {seq: [0, 1]}, every: 20ms}
      """
    let scenario = try Scenario(text, path: "tele/pose/latest-value-wins.yaml", file: "test.yaml", suites: .all)
    var log = RunLog(shows: file.aspects, settle: 75_000_000)
    log.peers.put("a", at: Endpoint(.loopback, port: 40_000))
    var lines: [ProgramOutput.Line] = []
    func deliver(_ bytes: [UInt8], _ packet: Int, at milliseconds: Int64) {
      let time = Self.time(milliseconds)
      log.note(.sent(bytes, packet: packet, by: "a", over: .udp), at: time)
      log.note(.delivered(bytes, packet: packet, from: "a", over: .udp, sentAt: time), at: time)
    }
    deliver(try Typed<Hello>(sessionID: 1, code: "ABC123").message.bytes, 1, at: 10)
    log.note(.replied(Message.ack(.ok).bytes, to: "a", over: .udp), at: Self.time(11))
    for (index, at) in stride(from: Int64(100), to: 3_100, by: interval).enumerated() {
      let pose = try Message(.pose, fields: ["seq": .unsigned(UInt64(index)), "qw": .float(1)]).bytes
      deliver(pose, index + 2, at: at)
      let text = #"{"event": "pose", "seq": \#(index), "x": 0, "y": 0, "z": 0}"#
      lines.append(
        ProgramOutput.Line(time: readAt(at) * 1_000_000, text: Array(text.utf8), isShown: true, source: .stdout))
    }
    log.end = Self.time(6_000)
    let script = scenario.script(for: scenario.cases()[0])
    let read = RunLogBuilder.add(lines, since: 0, to: log, of: file, known: known)
    return Judge.judge(read, script, of: scenario.cases()[0], in: scenario)
  }

  @Test("Output that is flushed once a second is inconclusive, and the reason names that")
  func flushedOnceASecond() throws {
    let result = try Self.result { ($0 / 1_000 + 1) * 1_000 }
    #expect(result.verdict == .inconclusive)
    #expect(result.reason.contains("came up to 1.0 s late, many lines at one time"), "\(result.reason)")
    #expect(result.reason.contains("Have it flush its output after each line"))
  }

  @Test("A host that prints at once passes, and one that queues fails")
  func judged() throws {
    let prompt = try Self.result { $0 + 3 }
    #expect(prompt.verdict == .pass, "\(prompt.reason) \(prompt.breaches)")
    for interval in [5, 20, 200] {
      #expect(try Self.result(every: interval) { $0 + 300 }.verdict == .fail, "every \(interval) ms")
    }
  }

  @Test("A program whose output was found buffered by the check does not fail for a late line")
  func known() throws {
    let late: (Int64) -> Int64 = { $0 + 300 }
    let held = try #require(try Self.result { ($0 / 1_000 + 1) * 1_000 }.log?.mapping)
    #expect(held.notices.contains { $0.contains("Have it flush its output") })
    #expect(try Self.result(every: 1_500, readAt: late).verdict == .fail)
    #expect(try Self.result(every: 1_500, known: held, readAt: late).verdict == .inconclusive)
    // Nor where the lines of a run, of messages close together, say nothing of it.
    #expect(try Self.result(every: 5, readAt: late).verdict == .fail)
    #expect(try Self.result(every: 5, known: held, readAt: late).verdict == .inconclusive)
    let prompt = try #require(try Self.result { $0 + 3 }.log?.mapping)
    #expect(!prompt.notices.contains { $0.contains("flush") })
    #expect(try Self.result(every: 1_500, known: prompt, readAt: late).verdict == .fail)
  }

  /// How many lines count as held back that are read at these times, after deliveries at those; in ms. The program may take 75 ms.
  private static func held(_ delivered: [Int64], read: [Int64]) -> Int {
    var tracker = OutputTiming.Tracker(settle: 75_000_000)
    for time in delivered { tracker.delivered(at: Self.time(time)) }
    for time in read { tracker.printed(at: Self.time(time)) }
    tracker.finish()
    #expect(tracker.timing.lines == read.count)
    return tracker.timing.held
  }

  @Test("Lines that are read together are buffered if their messages were further apart than the settle time")
  func spread() {
    #expect(Self.held([0, 76], read: [100, 100]) == 2)
    #expect(Self.held([0, 75], read: [100, 100]) == 0)
    #expect(Self.held([0, 76], read: [100]) == 0)
    // Two lines belong to two messages at most, and it says nothing that others came before them.
    #expect(Self.held([0, 90, 95], read: [100, 100]) == 0)
    // Lines that come one by one are not together.
    #expect(Self.held([0, 76], read: [100, 101]) == 2)
    #expect(Self.held([0, 76], read: [100, 102]) == 0)
    // A queue that goes on for long shows its lines as far apart as their messages.
    #expect(Self.held((0..<300).map { $0 }, read: (300..<600).map { $0 }) == 0)
  }

  @Test("Output is buffered if more than half of the lines are, and at least four")
  func share() {
    func timing(held: Int, prompt: Int) -> OutputTiming {
      var tracker = OutputTiming.Tracker(settle: 75_000_000)
      for index in 0..<held { tracker.delivered(at: Self.time(Int64(index) * 100)) }
      for _ in 0..<held { tracker.printed(at: Self.time(10_000)) }
      for index in 0..<prompt {
        tracker.delivered(at: Self.time(20_000 + Int64(index) * 100))
        tracker.printed(at: Self.time(20_001 + Int64(index) * 100))
      }
      tracker.finish()
      return tracker.timing
    }
    #expect(timing(held: 4, prompt: 3).isHeldBack && !timing(held: 4, prompt: 4).isHeldBack)
    #expect(!timing(held: 3, prompt: 0).isHeldBack && timing(held: 4, prompt: 0).isHeldBack)
    #expect(!OutputTiming().isHeldBack)
  }

  @Test("All lines of one read have the same time")
  func oneRead() {
    let clock = ManualClock()
    clock.tick = 1
    let output = ProgramOutput(limit: 1_000, format: .lines, by: clock)
    var cutter = LineCutter()
    output.add(Array("a\nb\nc".utf8), cutBy: &cutter, isShown: true, from: .stdout)
    clock.sleep(for: 5)
    output.add(Array("\n".utf8), cutBy: &cutter, isShown: true, from: .stdout)
    let times = output.take().map(\.time)
    #expect(times[0] == times[1] && times[1] < times[2] && times.count == 3)
  }
}

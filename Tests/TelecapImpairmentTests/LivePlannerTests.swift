import TelecapImpairment
import TelecapRecording
import Testing

@Suite struct LivePlannerTests {
  /// The packets that leave, and when, of those that arrive at these times; the planner is called whenever it asks to
  /// be.
  private static func run(
    _ words: String, at times: [Int64], flow: (Int) -> UInt32 = { _ in 0 }, until end: Int64 = 60_000_000_000
  ) throws -> (left: [(packet: Int, at: Int64, isDropped: Bool)], lines: [PlanLine], waiting: Int) {
    var planner = LivePlanner(try Impairments(parsing: words), seed: 5)
    var left: [(packet: Int, at: Int64, isDropped: Bool)] = []
    var lines: [PlanLine] = []
    var open = 0
    func pass(to time: Int64) {
      while let wake = planner.nextWake, wake <= time {
        planner.leave(by: wake) {
          lines.append($0)
        } _: {
          left.append(($0.packet, wake, $0.isDropped))
          open -= 1
        }
      }
    }
    for (index, time) in times.enumerated() {
      pass(to: time)
      let packet = PlannedPacket(number: index + 1, time: time, flow: flow(index), length: 100)
      open +=
        planner.take(packet) { _ in
          FieldChanges()
        } settled: {
          lines.append($0)
        }.copies
      planner.leave(by: time) {
        lines.append($0)
      } _: {
        left.append(($0.packet, time, $0.isDropped))
        open -= 1
      }
    }
    pass(to: end)
    return (left, lines, open)
  }

  private static let steady = (0..<2_000).map { Int64($0) * 5_000_000 }

  @Test(
    "Live packets leave as their plan has it, and every copy leaves once",
    arguments: [
      "", "--loss 10%", "--duplicate 20% --delay 20ms --jitter 15ms", "--delay 50ms --jitter 20ms --keep-order",
      "--reorder 10%,3", "--rate 100kbit,5", "--stall 200ms@1s",
      "--loss 5% --delay 10ms --reorder 5% --rate 300kbit --stall 50ms@500ms",
    ])
  func asPlanned(_ words: String) throws {
    let (left, lines, waiting) = try Self.run(words, at: Self.steady)
    var planner = Planner(try Impairments(parsing: words), seed: 5)
    var planned: [PlanLine] = []
    for (index, time) in Self.steady.enumerated() {
      planner.plan(PlannedPacket(number: index + 1, time: time, length: 100)) { line, _ in planned.append(line) }
    }
    planner.finish { line, _ in planned.append(line) }
    // A packet that is still held at the end leaves after the last packet in a plan, and after 10 s here.
    let sure = words.contains("reorder") ? planned.count - 20 : planned.count
    #expect(Array(lines.prefix(sure)) == Array(planned.prefix(sure)))
    #expect(waiting == 0 && lines.count == planned.count)
    let sent = left.filter { !$0.isDropped }
    #expect(sent.count == lines.reduce(0) { $0 + $1.due.count })
    #expect(zip(left, left.dropFirst()).allSatisfy { $0.at <= $1.at })
    for line in lines.prefix(sure) {
      let times = sent.filter { $0.packet == line.packet }.map(\.at)
      // A due time may be 1 ns after another's, to give their order.
      #expect(zip(times.sorted(), line.due.sorted()).allSatisfy { abs($0 - $1) < 100 }, "\(line) \(times)")
    }
  }

  @Test("A held packet delays no other one, and leaves after 10 s if nothing follows")
  func held() throws {
    let (left, _, waiting) = try Self.run("--reorder 100%,5", at: [0, 1_000_000], flow: { UInt32($0) })
    #expect(left.map(\.at) == [10_000_000_000, 10_001_000_000] && waiting == 0)
  }

  @Test("Without impairments every packet leaves on arrival")
  func nothing() throws {
    let (left, _, _) = try Self.run("", at: Self.steady)
    #expect(left.map(\.at) == Self.steady && left.map(\.packet) == Array(1...2_000))
  }

  @Test("A full queue drops a packet and reports it at once")
  func fullQueue() throws {
    let (left, lines, waiting) = try Self.run("--rate 8kbit,2", at: (0..<10).map { Int64($0) })
    let dropped = left.filter(\.isDropped)
    #expect(!dropped.isEmpty && dropped.allSatisfy { $0.at < 10 } && waiting == 0)
    #expect(lines.filter { $0.verdict == .drop }.map(\.packet) == dropped.map(\.packet))
  }
}

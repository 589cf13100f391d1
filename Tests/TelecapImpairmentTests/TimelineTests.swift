import TelecapImpairment
import TelecapRecording
import Testing

@Suite("The time of a run")
struct TimelineTests {
  private func map(_ timeline: Timeline, _ times: [Int64]) -> [Int64] {
    var timeline = timeline
    return times.map { timeline.runTime(of: Timestamp(nanoseconds: $0)) }
  }

  @Test("Times start at the first packet; a speed divides them, and max makes all 0")
  func speeds() throws {
    let times: [Int64] = [1000, 2000, 5000, 5001]
    #expect(map(Timeline(), times) == [0, 1000, 4000, 4001])
    #expect(map(Timeline(speed: try Speed(parsing: "2x")), times) == [0, 500, 2000, 2000])
    #expect(map(Timeline(speed: try Speed(parsing: "0.5x")), times) == [0, 2000, 8000, 8002])
    #expect(map(Timeline(speed: .max), times) == [0, 0, 0, 0])
  }

  @Test("Rounding does not add up")
  func drift() throws {
    let times = (0...3_000_000).map { Int64($0) * 1001 }
    #expect(map(Timeline(speed: try Speed(parsing: "3x")), times).last == 3_000_000 * 1001 / 3)
  }

  @Test("A long silence is cut to the gap, and time never goes back")
  func gaps() {
    #expect(map(Timeline(maxGap: Interval(nanoseconds: 100)), [0, 50, 1050, 1060]) == [0, 50, 150, 160])
    #expect(map(Timeline(), [100, 300, 200, 400]) == [0, 200, 200, 300])
    #expect(map(Timeline(start: Timestamp(nanoseconds: 40)), [100, 140]) == [60, 100])
    #expect(map(Timeline(start: Timestamp(nanoseconds: 200)), [100, 140, 250]) == [0, 0, 50])
  }

  @Test("The ends of the range do not trap")
  func extremes() throws {
    let slow = map(Timeline(speed: try Speed(parsing: "0.000001x")), [.min, 0, .max])
    #expect(slow == slow.sorted())
    var planner = Planner(
      try Impairments("--delay 86400s --jitter 86400s --rate 1bit --stall 1s@2s --reorder 50%"), seed: 1)
    for number in 1...100 {
      planner.plan(PlannedPacket(number: number, time: .max, length: .max)) { _, _ in }
    }
    var count = 0
    planner.finish { _, _ in count += 1 }
    #expect(planner.rates.packets == 100 && count > 0)
  }
}

@Suite("Digests and accounts")
struct AccountTests {
  @Test("FNV-1a matches its published vectors, and a digest depends on times, lengths and bytes")
  func digest() {
    func fnv(_ text: String) -> String {
      var digest = CaptureDigest()
      let bytes = Array(text.utf8)
      digest.add(bytes.span.bytes)
      return digest.description
    }
    #expect(fnv("") == "cbf29ce484222325")
    #expect(fnv("a") == "af63dc4c8601ec8c")
    #expect(fnv("foobar") == "85944171f73967e8")
    func capture(_ packets: [(Int64, [UInt8])]) -> CaptureDigest {
      var digest = CaptureDigest()
      for (time, bytes) in packets { digest.add(time: Timestamp(nanoseconds: time), payload: bytes.span.bytes) }
      return digest
    }
    let all = [
      capture([]), capture([(0, [])]), capture([(1, [])]), capture([(0, [1, 2])]), capture([(0, [2, 1])]),
      capture([(0, [1]), (0, [2])]),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test("The mean delay without deliveries is 0, and of one is its own", arguments: [(0, 0), (1, 20_000_000)])
  func meanDelay(packets: Int, expected: Int64) throws {
    var planner = Planner(try Impairments("--delay 20ms"), seed: 3)
    for number in 0..<packets {
      planner.plan(PlannedPacket(number: number + 1, time: 5, length: 64, isSelected: true)) { _, _ in }
    }
    planner.finish { _, _ in }
    #expect(planner.rates.deliveries == packets && planner.rates.meanDelayNanoseconds == expected)
  }

  @Test("The account of a run counts its lines")
  func account() throws {
    let impairments = try Impairments(
      "--loss 10% --corrupt 5% --duplicate 5% --delay 20ms --jitter 10ms --reorder 5% --rate 300kbit,5 --stall 50ms@1s")
    var planner = Planner(impairments, seed: 3)
    var lines: [PlanLine] = []
    for number in 1...20_000 {
      let packet = PlannedPacket(
        number: number, time: Int64(number) * 1_000_000, length: 64, isSelected: number % 2 == 0)
      planner.plan(packet) { line, _ in lines.append(line) }
    }
    planner.finish { line, _ in lines.append(line) }
    let selected = lines.filter { $0.packet % 2 == 0 }
    let rates = planner.rates
    #expect(rates.packets == 20_000 && rates.selected == 10_000)
    #expect(rates.lost == selected.count { $0.by == .loss } && rates.lost > 0)
    #expect(rates.tailDropped == selected.count { $0.by == .rate } && rates.tailDropped > 0)
    #expect(rates.deliveries == selected.reduce(0) { $0 + $1.due.count })
    #expect(rates.reordered == selected.count { $0.by == .reorder } && rates.reordered > 0)
    let delays = selected.flatMap { line in line.due.map { $0 - Int64(line.packet) * 1_000_000 } }
    #expect(rates.meanDelayNanoseconds == delays.reduce(0, +) / Int64(delays.count))
    #expect(rates.longestDelayNanoseconds == delays.max())
    let account = rates.account(of: impairments)
    #expect(account.map(\.impairment) == ["loss", "corrupt", "duplicate", "delay", "reorder", "rate", "stall"])
    #expect(account[0].asked == "10%" && account[0].expected == 0.1)
    #expect(account[0].cameOut == Double(rates.lost) / 10_000)
    #expect(account[6].cameOut == Double(rates.longestDelayNanoseconds) / 1e9)
  }

  @Test("A row of the account reads as a sentence")
  func sentences() throws {
    func row(_ options: String, count: Int = 2000) throws -> String {
      let impairments = try Impairments(options)
      var planner = Planner(impairments, seed: 3)
      for number in 1...count {
        planner.plan(PlannedPacket(number: number, time: Int64(number) * 1_000_000, length: 97)) { _, _ in }
      }
      planner.finish { _, _ in }
      return planner.rates.account(of: impairments).map(\.description).joined(separator: "\n")
    }
    #expect(try row("--loss 100%") == "loss 100%: 100% (2000 of 2000)")
    #expect(try row("--loss 0% --delay 20ms") == "loss 0%: 0% (0 of 2000)\ndelay 20ms: mean 20ms")
    #expect(try row("--rate 500kbit,1") == "rate 500kbit,1: 50% (1000 of 2000)")
    #expect(try row("--stall 500ms@1s") == "stall 500ms@1s: longest 500ms")
    #expect(try row("--corrupt 100% --loss 100%").hasSuffix("corrupt 100%: 0% (0 of 0)"))
    #expect(AppliedRates().account(of: .none).isEmpty)
  }
}

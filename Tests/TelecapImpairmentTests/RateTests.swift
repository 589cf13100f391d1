import TelecapImpairment
import Testing

@Suite("Each impairment has the probability that was asked for")
struct ProbabilityOfEachImpairmentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let option: String
    let count: @Sendable (PlanLine) -> Bool
    var testDescription: String { option }
  }

  static let cases = [
    Case(option: "--loss", count: { $0.verdict == .drop && $0.by == .loss }),
    Case(option: "--corrupt", count: { $0.flips.count == 1 }),
    Case(option: "--duplicate", count: { $0.due.count == 2 }),
    Case(option: "--reorder", count: { $0.by == .reorder }),
  ]

  @Test("0 % never and 100 % always happens, for each of the 2⁶⁴ numbers")
  func edges() {
    #expect(!Probability.never.happens(0))
    #expect(Probability.always.happens(.max))
    #expect(Probability(billionths: 1).happens(0))
    let half = Probability(percent: 50)
    #expect(half.happens((1 << 63) - 1) && !half.happens(1 << 63))
    #expect(Probability(percent: 101) == .always)
  }

  @Test("0 % is never", arguments: cases)
  func never(_ of: Case) throws {
    #expect(!plan(try Impairments("\(of.option) 0%")).contains(where: of.count))
  }

  @Test("100 % is always", arguments: cases)
  func always(_ of: Case) throws {
    #expect(plan(try Impairments("\(of.option) 100%")).allSatisfy(of.count))
  }

  @Test("5 % over 100,000 packets is within four standard errors", arguments: cases, [7, 8, 9] as [UInt64])
  func five(_ of: Case, seed: UInt64) throws {
    let lines = plan(try Impairments("\(of.option) 5%"), seed: seed)
    #expect(lines.count == 100_000)
    #expect(isWithinFourErrors(lines.count(where: of.count), of: 100_000, 0.05))
  }

  @Test(
    "Every loss model is exact at 0 % and 100 %",
    arguments: [
      "--loss 0%,25%", "--loss-model gemodel:0%", "--loss-model gemodel:10%,10%,0%,0%", "--loss-model state:0%",
    ])
  func modelNever(_ option: String) throws {
    #expect(plan(try Impairments(option)).allSatisfy { $0.verdict == .deliver })
    let always = option.replacing("10%,10%,0%,0%", with: "10%,10%,100%,100%").replacing(":0%", with: ":100%")
      .replacing(" 0%,", with: " 100%,")
    #expect(plan(try Impairments(always)).allSatisfy { $0.verdict == .drop })
  }

  @Test("Flipped bits are within the payload, and reach all of it; an empty payload has none")
  func flips() throws {
    let bits = Set(plan(try Impairments("--corrupt 100%"), count: 10_000, length: 3).flatMap { $0.flips })
    #expect(bits == Set(0..<24))
    #expect(plan(try Impairments("--corrupt 100%"), count: 100, length: 0).allSatisfy { $0.flips.isEmpty })
  }

  @Test("Packets that are not selected stay unimpaired")
  func selection() throws {
    let options = "--loss 50% --corrupt 50% --duplicate 50% --delay 20ms --jitter 10ms --rate 64kbit --stall 1s@3s"
    let lines = plan(try Impairments(options), count: 5000, selected: { $0 % 2 == 0 })
    for line in lines where line.packet % 2 == 1 {
      #expect(line == .deliver(line.packet, due: InlineList(Int64(line.packet - 1) * 1_000_000)))
    }
    #expect(lines.contains { $0.packet % 2 == 0 && $0.verdict == .drop })
  }
}

@Suite("Impairments do not disturb each other")
struct IndependenceTests {
  static let others = [
    "--corrupt 50%", "--duplicate 50%", "--delay 20ms --jitter 10ms --distribution pareto", "--reorder 30%,2",
    "--rate 10mbit", "--stall 100ms@1s",
  ]

  @Test(
    "Losses are the same with any other impairment", arguments: others,
    ["5%", "gemodel:5%,20%", "state:5%,20%", "9%,25%"])
  func losses(_ other: String, loss: String) throws {
    let alone = Set(plan(try Impairments("--loss \(loss)"), count: 5000).filter { $0.by == .loss }.map(\.packet))
    let both = Set(
      plan(try Impairments("--loss \(loss) \(other)"), count: 5000).filter { $0.by == .loss }.map(\.packet))
    #expect(!alone.isEmpty)
    #expect(alone == both)
  }

  @Test("Flips, copies, delays and holds stay the same next to another impairment")
  func choices() throws {
    func compare(_ option: String, with other: String, _ choice: (PlanLine) -> [Int64]) throws {
      let alone = plan(try Impairments(option), count: 5000)
      let both = plan(try Impairments("\(option) \(other)"), count: 5000)
      #expect(alone.count == both.count)
      for (one, two) in zip(alone, both) where two.verdict == .deliver { #expect(choice(one) == choice(two)) }
    }
    try compare("--corrupt 30%", with: "--loss 50% --duplicate 20% --delay 5ms --jitter 5ms") {
      $0.flips.map(Int64.init)
    }
    try compare("--duplicate 30%", with: "--loss 50% --corrupt 20% --delay 5ms --jitter 5ms") { [Int64($0.due.count)] }
    try compare("--delay 50ms --jitter 40ms", with: "--loss 50% --corrupt 20%") { Array($0.due) }
    try compare("--reorder 30%,2", with: "--loss 50% --corrupt 20% --duplicate 10%") { [$0.by == .reorder ? 1 : 0] }
  }

  @Test("The choice of a packet does not depend on the selection of others")
  func selection() throws {
    let all = plan(try Impairments("--loss 20%"), count: 5000)
    let even = plan(try Impairments("--loss 20%"), count: 5000, selected: { $0 % 2 == 0 })
    for (one, two) in zip(all, even) where one.packet % 2 == 0 { #expect(one == two) }
  }
}

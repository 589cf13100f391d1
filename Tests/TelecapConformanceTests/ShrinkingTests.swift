import TelecapImpairment
import TelecapRecording
import TelecapSuites
import Testing

@testable import TelecapConformance

@Suite struct ShrinkingTests {
  /// Fails when all of `causes` are among the faults.
  func shrink(_ count: Int, _ causes: Set<Int>, limit: Int = 2_000) async -> Shrunk<Int>? {
    await Shrinker(limit: limit).shrink(Array(0..<count)) { causes.isSubset(of: $0) }
  }

  @Test(
    "Shrinking leaves exactly the causes",
    arguments: [[], [0], [99], [42], [0, 99], [3, 4], [10, 50, 90], [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]])
  func theCausesAloneAreLeft(_ causes: [Int]) async throws {
    let shrunk = try #require(await shrink(100, Set(causes)))
    #expect(shrunk.faults == causes && shrunk.isMinimal)
    #expect(shrunk.runs < 600)
  }

  @Test("A single cause among thousands is found in few runs")
  func aSingleCauseAmongThousandsIsFoundInFewRuns() async throws {
    let shrunk = try #require(await shrink(4_096, [1_000]))
    #expect(shrunk.faults == [1_000] && shrunk.runs < 40)
  }

  @Test("A failure that does not occur again is not shrunk")
  func whatDoesNotFailAgainIsNotShrunk() async throws {
    #expect(await shrink(10, [99]) == nil)
    #expect(await Shrinker().shrink([Int]()) { _ in false } == nil)
  }

  @Test("A failure without any fault shrinks to the empty list")
  func withoutAnyFaultTheEmptyListIsTheAnswer() async throws {
    #expect(await shrink(0, []) == Shrunk(faults: [], runs: 1, isMinimal: true))
    #expect(await shrink(50, []) == Shrunk(faults: [], runs: 2, isMinimal: true))
  }

  @Test("One of two sufficient causes remains")
  func anyOneOfTwoCausesIsEnough() async throws {
    let shrunk = await Shrinker().shrink(Array(0..<64)) { $0.contains(7) || $0.contains(60) }
    #expect(shrunk?.faults.count == 1)
  }

  @Test("Shrinking stops at the limit of runs and reports whether the result is minimal", arguments: 1...60)
  func theLimitHoldsAndSaysSo(_ limit: Int) async throws {
    let shrunk = try #require(await shrink(100, [10, 50, 90], limit: limit))
    #expect(shrunk.runs <= limit)
    #expect(shrunk.isMinimal == (shrunk.faults == [10, 50, 90] && shrunk.runs < limit) || !shrunk.isMinimal)
    #expect(Set([10, 50, 90]).isSubset(of: shrunk.faults))
  }

  let sentAt: [Int: Int64] = [1: 0, 2: 10_000_000, 3: 20_000_000, 4: 30_000_000]
  var packets: [(number: Int, sentAt: Int64)] { sentAt.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  @Test("A plan converts to its list of faults and back")
  func aPlanIsItsFaultsAndTheFaultsAreThePlan() {
    let plan: [PlanLine] = [
      .deliver(1, due: InlineList(0)), .drop(2, by: nil),
      .deliver(3, due: InlineList(60_000_000, 65_000_000), flips: InlineList(13)),
      .deliver(4, due: InlineList(30_000_000, 30_000_000)),
    ]
    let faults = NetworkFault.faults(of: plan, sentAt: sentAt)
    #expect(
      faults == [
        .dropped(packet: 2), .late(packet: 3, by: 40_000_000), .repeated(packet: 3, by: 45_000_000),
        .flipped(packet: 3, bit: 13), .repeated(packet: 4, by: 0),
      ])
    #expect(NetworkFault.plan(faults, packets: packets) == plan)
    #expect(
      NetworkFault.list(faults)
        == "packet 2 dropped, 3 late by 40ms, 3 again after 45ms, 3 with bit 13 flipped, 4 twice")
    #expect(NetworkFault.list([]) == "no fault at all")
    #expect(NetworkFault.list((1...20).map { .dropped(packet: $0) }).hasSuffix("11 dropped, 12 dropped and 8 more"))
  }

  @Test("A copy that is due before its delayed original keeps the times ascending")
  func aCopyThatIsLeftAloneKeepsTheTimesAscending() {
    let plan = NetworkFault.plan([.repeated(packet: 2, by: 5), .late(packet: 2, by: 9)], packets: packets)
    #expect(plan[1] == .deliver(2, due: InlineList(10_000_005, 10_000_009)))
  }

  static let overtaken = """
    # Poses come late.
    requirement: tele.pose.latest-value-wins
    role: host
    steps:
      - {at: 0s, send: HELLO, answer: OK}
      - {at: 100ms, send: POSE, count: 120, rate: 60}
    """

  @Test("A failure of a model is reduced to the one packet that was overtaken")
  func aFailureOfAModelIsReducedToTheOnePacketThatWasOvertaken() async throws {
    let path = "tele/pose/latest-value-wins.yaml"
    let scenario = try Scenario(ShrinkingTests.overtaken, path: path, file: path, suites: .all)
    let impairments = try Impairments(parsing: "--loss 10% --delay 20ms --jitter 30ms --duplicate 5%")
    let one = Case(impairments: impairments, seed: 3)
    let wrong = try ModelSystem(parsing: "model:host+order-of-arrival", in: .all)
    let shrunk = try #require(try await wrong.shrink(one, of: scenario, runs: 2_000))
    #expect(shrunk.faults.count == 1 && shrunk.isMinimal, "\(NetworkFault.list(shrunk.faults))")
    // The reduced plan alone fails, and the right model passes with the whole one.
    #expect(try await ModelSystem(.host).shrink(one, of: scenario, runs: 2_000) == nil)
  }
}

@Suite struct PassRateTests {
  /// Against values computed apart from this code, from Wilson's formula with z = 1.959963984540054 (as
  /// statsmodels' proportion_confint does with method "wilson").
  @Test(
    "The interval of a pass rate is Wilson's",
    arguments: [
      (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (5, 10, 0.236593, 0.763407), (18, 20, 0.698966, 0.972134),
      (1, 1, 0.206549, 1.0), (999, 1_000, 0.994357, 0.999823),
    ])
  func theIntervalIsWilsons(_ passed: Int, _ total: Int, _ low: Double, _ high: Double) {
    let interval = PassRate(passed: passed, of: total).interval()
    #expect(abs(interval.lowerBound - low) < 2e-6, "\(interval)")
    #expect(abs(interval.upperBound - high) < 2e-6, "\(interval)")
  }

  @Test("A pass rate without runs has no share, and the interval from 0 to 1")
  func nothingIsKnownWhenNothingRan() {
    #expect(PassRate(passed: 3, of: 0).interval() == 0...1)
    #expect(PassRate(passed: 3, of: 0).share == nil)
    #expect(PassRate(passed: -1, of: -5) == PassRate(passed: 0, of: 0))
  }

  func result(_ verdicts: [(UInt64, Verdict)]) throws -> ScenarioResult {
    let path = "tele/pose/latest-value-wins.yaml"
    let scenario = try Scenario(ShrinkingTests.overtaken, path: path, file: path, suites: .all)
    func one(_ entry: (UInt64, Verdict)) -> CaseResult { CaseResult(of: Case(seed: entry.0), entry.1) }
    var result = ScenarioResult(scenario, one(verdicts[0]))
    for entry in verdicts.dropFirst() { result.add(one(entry)) }
    return result
  }

  @Test("A seed passes when no case of it failed")
  func aSeedPassesWhenNoCaseOfItFailed() throws {
    let mixed = try result([(1, .pass), (1, .fail), (2, .pass), (2, .pass), (3, .pass)])
    #expect(mixed.passRate == PassRate(passed: 2, of: 3))
    #expect(mixed.isFlaky)
    #expect(try result([(1, .fail), (2, .fail)]).passRate == PassRate(passed: 0, of: 2))
    #expect(try !result([(1, .fail), (2, .fail)]).isFlaky)
  }

  @Test("A case without a verdict gives no pass rate")
  func whatWasNotJudgedHasNoRate() throws {
    #expect(try result([(1, .pass), (2, .inconclusive)]).passRate == nil)
    #expect(try result([(1, .notRun)]).passRate == nil)
  }
}

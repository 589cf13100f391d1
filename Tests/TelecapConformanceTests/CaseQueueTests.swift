import TelecapRecording
import TelecapSuites
import Testing

@testable import TelecapConformance

/// Which cases run side by side, which alone, and whose verdict counts.
@Suite struct CaseQueueTests {
  private let scenarios: [Scenario]

  init() throws {
    scenarios = try ["tele/bye/closes.yaml", "tele/robust/mutations.yaml", "tele/session/timeout.yaml"].map {
      try ScenarioFiles.read($0)
    }
  }

  private func next(_ queue: inout CaseQueue) throws -> CaseQueue.Portion {
    let portion = queue.next()
    return try #require(portion)
  }

  /// Whether nothing may begin now.
  private func waits(_ queue: inout CaseQueue) -> Bool {
    let portion = queue.next()
    return portion == nil
  }

  private func take(_ result: ScenarioResult, of number: Int, _ queue: inout CaseQueue) -> [ScenarioResult] {
    queue.take(result, of: number)
  }

  private func result(_ portion: CaseQueue.Portion, _ verdict: Verdict, isTooLate: Bool = false) -> ScenarioResult {
    var result = CaseResult(of: portion.cases.first ?? Case(), verdict)
    result.isTooLate = isTooLate
    return ScenarioResult(scenarios[portion.scenario], result)
  }

  @Test("The longest case starts first, and a case that keeps the machine busy runs alone")
  func theLongestBeginsFirstAndWhatKeepsTheMachineBusyRunsAlone() throws {
    var queue = CaseQueue(scenarios, seeds: 1, jobs: 4, isOnWallClock: true)
    let first = try next(&queue)
    let second = try next(&queue)
    #expect([first.scenario, second.scenario] == [2, 0])
    let waits1 = waits(&queue)
    #expect(waits1)
    let told2 = take(result(second, .pass), of: second.number, &queue)
    #expect(told2.map(\.scenario.id) == ["tele.bye.closes"])
    let waits3 = waits(&queue)
    #expect(waits3)
    let told4 = take(result(first, .pass), of: first.number, &queue)
    #expect(told4.isEmpty)
    let busy = try next(&queue)
    #expect(busy.scenario == 1)
    let waits5 = waits(&queue)
    #expect(waits5)
    let told6 = take(result(busy, .fail), of: busy.number, &queue)
    #expect(told6.map(\.verdict) == [.fail, .pass])
    let waits7 = waits(&queue)
    #expect(waits7)
    #expect(queue.results.map(\.verdict) == [.pass, .fail, .pass])
  }

  @Test(
    "A case that does not pass next to others runs again alone, and only that result counts",
    arguments: [Verdict.fail, .inconclusive])
  func again(_ verdict: Verdict) throws {
    var queue = CaseQueue([scenarios[0], scenarios[2]], seeds: nil, jobs: 2, isOnWallClock: true)
    let (first, second) = (try next(&queue), try next(&queue))
    func result(_ portion: CaseQueue.Portion, _ verdict: Verdict) -> ScenarioResult {
      ScenarioResult([scenarios[0], scenarios[2]][portion.scenario], CaseResult(of: Case(), verdict))
    }
    let told8 = take(result(first, verdict), of: first.number, &queue)
    #expect(told8.isEmpty)
    let waits9 = waits(&queue)
    #expect(waits9)
    let told10 = take(result(second, .pass), of: second.number, &queue)
    #expect(told10.count == 1)
    let alone = try next(&queue)
    #expect(alone.number == first.number)
    let told11 = take(result(alone, verdict), of: alone.number, &queue)
    #expect(told11.map(\.verdict) == [verdict])
  }

  @Test("A case on a machine that is too busy runs three times more at most")
  func busy() throws {
    var queue = CaseQueue([scenarios[0]], seeds: nil, jobs: 2, isOnWallClock: true)
    for _ in 0..<3 {
      let portion = try next(&queue)
      let late = result(portion, .inconclusive, isTooLate: true)
      let told12 = take(late, of: portion.number, &queue)
      #expect(told12.isEmpty)
    }
    let last = try next(&queue)
    #expect(
      take(result(last, .inconclusive, isTooLate: true), of: last.number, &queue).map(\.verdict) == [.inconclusive])
    let waits13 = waits(&queue)
    #expect(waits13)
  }

  @Test("After the time limit no case starts or runs again, and both are reported")
  func budget() throws {
    let long = scenarios[2].wallTime
    var queue = CaseQueue(scenarios, seeds: 1, jobs: 2, isOnWallClock: true, budget: long)
    let (first, second) = (try next(&queue), try next(&queue))
    _ = queue.take(result(first, .fail), of: first.number)
    _ = queue.take(result(second, .pass), of: second.number)
    // A case that keeps the machine busy is in time; the long one would not be done.
    let portion = queue.next(at: 1)
    let busy = try #require(portion)
    #expect(busy.scenario == 1)
    _ = queue.take(result(busy, .pass), of: busy.number)
    let none = queue.next(at: 2)
    #expect(none == nil)
    let left = queue.finish()
    #expect(left.map(\.verdict) == [.inconclusive] && left[0].shown.reason.contains("no time to run it again alone"))
    #expect(queue.results.count == 3)

    var late = CaseQueue([scenarios[0]], seeds: 1, jobs: 1, isOnWallClock: true, budget: 5)
    let over = late.next(at: 5)
    #expect(over == nil)
    #expect(late.finish().map(\.verdict) == [.notRun])
  }

  @Test("In virtual time results are reported in order and are final")
  func inVirtualTimeResultsAreToldOfInOrderAndAreFinal() throws {
    var queue = CaseQueue(scenarios, seeds: 1, jobs: 3, isOnWallClock: false)
    let all = (0..<3).compactMap { _ in queue.next() }
    #expect(all.map(\.scenario) == [0, 1, 2])
    let told14 = take(result(all[2], .fail), of: all[2].number, &queue)
    #expect(told14.isEmpty)
    let told15 = take(result(all[0], .fail), of: all[0].number, &queue)
    #expect(told15.count == 1)
    let rest = take(result(all[1], .pass), of: all[1].number, &queue)
    #expect(rest.map(\.scenario.id) == [scenarios[1].id, scenarios[2].id])
  }
}

/// `--fail-fast`: a failure ends the suite.
@Suite struct FailFastTests {
  private let scenarios: [Scenario]

  init() throws {
    scenarios = try ["tele/bye/closes.yaml", "tele/haptic/clamp-high.yaml", "tele/session/timeout.yaml"].map {
      try ScenarioFiles.read($0)
    }
  }

  private func queue(jobs: Int, isOnWallClock: Bool = true, budget: Int64? = nil) -> CaseQueue {
    CaseQueue(scenarios, seeds: 1, jobs: jobs, isOnWallClock: isOnWallClock, budget: budget) { $0.fails(strict: false) }
  }

  private func result(_ portion: CaseQueue.Portion, _ verdict: Verdict) -> ScenarioResult {
    ScenarioResult(scenarios[portion.scenario], CaseResult(of: portion.cases.first ?? Case(), verdict))
  }

  @Test("Nothing starts after a failure; what runs is finished, and the rest is not run")
  func ends() throws {
    var queue = queue(jobs: 2, isOnWallClock: false)
    let (one, other) = (queue.next(), queue.next())
    let (first, second) = (try #require(one), try #require(other))
    _ = queue.take(result(first, .fail), of: first.number)
    let next = queue.next()
    #expect(next == nil && queue.isEnded)
    _ = queue.take(result(second, .pass), of: second.number)
    let left = queue.finish()
    #expect(left.map(\.verdict) == [.notRun] && queue.results.map(\.verdict) == [.fail, .pass, .notRun])
    #expect(left[0].shown.reason == "it had not run when the suite ended after a failure (--fail-fast)")
  }

  @Test("A failure in a parallel run is repeated before other cases, and only that ends the suite")
  func repetition() throws {
    var queue = queue(jobs: 2)
    let (one, other) = (queue.next(), queue.next())
    let (first, second) = (try #require(one), try #require(other))
    _ = queue.take(result(first, .fail), of: first.number)
    let waits = queue.next()
    #expect(waits == nil && !queue.isEnded)
    _ = queue.take(result(second, .pass), of: second.number)
    let again = queue.next()
    let alone = try #require(again)
    #expect(alone.number == first.number)
    _ = queue.take(result(alone, .fail), of: alone.number)
    let none = queue.next()
    #expect(none == nil && queue.isEnded)
    _ = queue.finish()
    #expect(queue.results.count { $0.verdict == .notRun } == 1)
  }

  @Test("A failure that was not repeated before the end is inconclusive")
  func unrepeated() throws {
    var queue = queue(jobs: 3)
    let all = [queue.next(), queue.next(), queue.next()].compactMap(\.self)
    #expect(all.count == 3)
    for portion in all { _ = queue.take(result(portion, .fail), of: portion.number) }
    let again = queue.next()
    let alone = try #require(again)
    _ = queue.take(result(alone, .fail), of: alone.number)
    _ = queue.finish()
    let results = queue.results
    #expect(results.count { $0.verdict == .fail } == 1 && results.count { $0.verdict == .inconclusive } == 2)
    #expect(
      results.contains {
        $0.shown.reason
          == "it failed in parallel with others, and the suite ended after a failure (--fail-fast) before it ran again alone"
      })
  }

  @Test("A repetition without time left does not keep other cases from running")
  func budget() throws {
    var queue = queue(jobs: 2, budget: 1)
    let (one, other) = (queue.next(), queue.next())
    let (first, second) = (try #require(one), try #require(other))
    _ = queue.take(result(first, .fail), of: first.number)
    _ = queue.take(result(second, .pass), of: second.number)
    let third = queue.next()
    #expect(third?.tried == 0)
  }

  @Test("A failed should ends the suite only where it counts")
  func levels() throws {
    let should = try #require(try ScenarioFiles.all().first { $0.requirement.level == .should })
    let failed = ScenarioResult(should, CaseResult(of: Case(), .fail))
    #expect(!failed.fails(strict: false) && failed.fails(strict: true))
    let must = ScenarioResult(scenarios[0], CaseResult(of: Case(), .fail))
    #expect(must.fails(strict: false))
    #expect(!ScenarioResult(scenarios[0], CaseResult(of: Case(), .inconclusive)).fails(strict: true))
  }

  @Test("A suite that a failure ended does not pass, and neither do rules on every run")
  func suite() async throws {
    let all = try ScenarioFiles.all(of: .phone)
    var runner = SuiteRunner(try ModelSystem(parsing: "model:phone+no-clamp", in: .all))
    runner.endsAfter = { $0.fails(strict: false) }
    let result = try await runner.run(all)
    #expect(result.isEndedByFailure && !result.passes() && result.scenarios.count == all.count)
    #expect(result.scenarios.count { $0.verdict == .fail } == 1)
    let after = result.scenarios.drop { $0.verdict != .fail }.dropFirst()
    #expect(!after.isEmpty && after.allSatisfy { $0.verdict == .notRun })
  }
}

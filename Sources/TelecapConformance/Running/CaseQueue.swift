import TelecapRecording

/// Decides which cases of a suite run next, and which results are complete. It starts nothing itself.
///
/// Parallel runs on the wall clock cannot cause failures: a case that does not pass runs again alone, and that result
/// counts. No case starts after the time limit, and no repetition that would exceed it.
struct CaseQueue {
  /// Some cases of one scenario, which run in sequence.
  struct Portion {
    let number: Int
    let scenario: Int
    let cases: ArraySlice<Case>
    /// The number of earlier attempts, in parallel or on a busy machine.
    var tried = 0
  }

  /// The maximum number of cases in a portion; 1 on the wall clock.
  private static let most = 32
  /// The maximum number of repetitions, alone, on a busy machine.
  private static let again = 3

  private let scenarios: [Scenario]
  /// The time limit in ns; nil for none.
  private let budget: Nanoseconds?
  private var portions: [Portion] = []
  private let jobs: Int
  /// Whether cases on the wall clock run in parallel.
  private var isSideBySide: Bool { isOnWallClock && jobs > 1 }
  private let isOnWallClock: Bool
  /// The numbers of the waiting portions, the next one last.
  private var waiting: [Int]
  /// Those that run only alone.
  private var alone: [Int] = []
  private var running = 0
  private var isAlone = false
  /// The results of portions that wait for their repetition, or had no time for it, by number.
  private var before: [Int: ScenarioResult] = [:]
  /// The results so far, by the number of the portion.
  private var done: [ScenarioResult?]
  /// The portion numbers of each scenario, and how many of them have no result yet.
  private var parts: [Range<Int>] = []
  private var open: [Int] = []
  /// Whether a result ends the suite; nil if none does.
  private let ends: (@Sendable (ScenarioResult) -> Bool)?
  /// Whether a result has ended the suite, so that no case starts any more.
  private(set) var isEnded = false
  /// The first unreported scenario. Scenarios are reported in order, whichever finishes first.
  private var told = 0

  /// - Parameter ends: whether the result of some cases ends the suite; nil to run all.
  init(
    _ scenarios: [Scenario], seeds: Int?, jobs: Int, isOnWallClock: Bool, budget: Nanoseconds? = nil,
    endingAfter ends: (@Sendable (ScenarioResult) -> Bool)? = nil
  ) {
    (self.scenarios, self.budget, self.ends) = (scenarios, budget, ends)
    (self.jobs, self.isOnWallClock) = (jobs, isOnWallClock)
    let most = isOnWallClock ? 1 : CaseQueue.most
    for (index, scenario) in scenarios.enumerated() {
      let cases = scenario.cases(seeds: seeds, isOnWallClock: isOnWallClock)
      let first = portions.count
      for start in stride(from: 0, to: cases.count, by: most) {
        portions.append(
          Portion(
            number: portions.count, scenario: index, cases: cases[start..<min(cases.count, start + most)]))
      }
      parts.append(first..<portions.count)
      open.append(portions.count - first)
    }
    done = portions.map { _ in nil }
    waiting = portions.indices.reversed()
    guard isSideBySide else { return }
    let busy = scenarios.map(\.keepsMachineBusy)
    alone = waiting.filter { busy[portions[$0].scenario] }
    // Start long ones first, so that none runs alone at the end.
    waiting = waiting.filter { !busy[portions[$0].scenario] }.sorted {
      scenarios[portions[$0].scenario].wallTime < scenarios[portions[$1].scenario].wallTime
    }
  }

  /// The next portion to start; nil while none may start, none is left, or the time limit has passed.
  ///
  /// - Parameter now: the time since the first start, in ns.
  mutating func next(at now: Nanoseconds = 0) -> Portion? {
    guard running < jobs, !isAlone, !isEnded, budget.map({ now < $0 }) ?? true else { return nil }
    // Its repetition decides whether the suite ends, so it does not wait for other cases.
    if let place = alone.lastIndex(where: { number in before[number].map { mayEnd($0) } ?? false }) {
      guard running == 0 else { return nil }
      return startAlone(alone.remove(at: place), at: now) ?? next(at: now)
    }
    if let number = waiting.popLast() {
      running += 1
      return portions[number]
    }
    guard running == 0 else { return nil }
    while let number = alone.popLast() {
      if let portion = startAlone(number, at: now) { return portion }
    }
    return nil
  }

  /// Starts a portion alone; nil for a repetition that would exceed the time limit.
  private mutating func startAlone(_ number: Int, at now: Nanoseconds) -> Portion? {
    let length = scenarios[portions[number].scenario].wallTime
    if portions[number].tried > 0, let budget, now + length > budget { return nil }
    (running, isAlone) = (1, true)
    return portions[number]
  }

  /// Handles the result of a portion, and returns the results to report now. A portion for which the machine was too
  /// busy runs again.
  mutating func take(_ result: ScenarioResult, of number: Int) -> [ScenarioResult] {
    let wasAlone = isAlone || jobs == 1
    running -= 1
    isAlone = false
    let isWorse = result.verdict == .fail || result.verdict == .inconclusive
    if isOnWallClock, wasAlone ? result.shown.isTooLate : isWorse, portions[number].tried < CaseQueue.again {
      portions[number].tried += 1
      before[number] = result
      alone.insert(number, at: 0)
      return []
    }
    done[number] = result
    isEnded = isEnded || mayEnd(result)
    let scenario = portions[number].scenario
    open[scenario] -= 1
    return open[scenario] == 0 ? ready() : []
  }

  private func mayEnd(_ result: ScenarioResult) -> Bool { ends.map { $0(result) } ?? false }

  /// The reasons for cases that did not run, and for those that were not repeated.
  private func reasons(isBrokenOff: Bool) -> (notRun: String, notRepeated: String) {
    if isBrokenOff {
      return ("it had not run when the suite was broken off", "the suite was broken off before it ran again alone")
    }
    if isEnded {
      return (CaseQueue.endedReason, "the suite ended after a failure (--fail-fast) before it ran again alone")
    }
    return (
      "the time was over before it began: give more with --time-limit",
      "there was no time to run it again alone: give more with --time-limit"
    )
  }

  /// The reason for cases that did not run because a failure ended the suite.
  static let endedReason = "it had not run when the suite ended after a failure (--fail-fast)"

  /// Ends the queue, and returns the unreported results, with reasons for cases that did not run or were not repeated.
  /// After a cancellation, or a failure that ended the suite, some may still have run.
  mutating func finish(isBrokenOff: Bool = false) -> [ScenarioResult] {
    let (reason, again) = reasons(isBrokenOff: isBrokenOff)
    for portion in portions where done[portion.number] == nil {
      let earlier = before[portion.number].map { CaseQueue.unproved($0, again) }
      done[portion.number] = earlier ?? notRun(portion, reason)
      open[portion.scenario] -= 1
    }
    return ready()
  }

  /// The result of cases that did not run.
  private func notRun(_ portion: Portion, _ reason: String) -> ScenarioResult {
    let scenario = scenarios[portion.scenario]
    var result = ScenarioResult(scenario, CaseResult(of: portion.cases.first ?? Case(), .notRun, reason: reason))
    for one in portion.cases.dropFirst() { result.add(CaseResult(of: one, .notRun, reason: reason)) }
    return result
  }

  /// Makes a failure in a parallel run inconclusive, if it was not repeated.
  private static func unproved(_ result: ScenarioResult, _ reason: String) -> ScenarioResult {
    guard result.verdict == .fail else { return result }
    var shown = result.shown
    (shown.verdict, shown.breaches) = (.inconclusive, [])
    shown.reason = "it failed in parallel with others, and \(reason)"
    return ScenarioResult(result.scenario, shown)
  }

  /// The complete and unreported results, up to the first incomplete one.
  private mutating func ready() -> [ScenarioResult] {
    var ready: [ScenarioResult] = []
    while told < open.count, open[told] == 0 {
      if let result = self.result(of: told) { ready.append(result) }
      told += 1
    }
    return ready
  }

  /// All complete results, in the order of the scenarios.
  var results: [ScenarioResult] { open.indices.filter { open[$0] == 0 }.compactMap { result(of: $0) } }

  /// The result of a scenario, merged from those of its portions; nil where it has none.
  private func result(of scenario: Int) -> ScenarioResult? {
    let all = parts[scenario].compactMap { done[$0] }
    return all.dropFirst().reduce(into: all.first) { $0?.merge($1) }
  }
}

extension Scenario {
  /// Whether it sends 50 messages within 100 ms: a program that answers all of them keeps a machine busy.
  public var keepsMachineBusy: Bool {
    guard let first = cases(seeds: 1).first else { return false }
    let times = script(for: first).meant.filter(\.isSend).map(\.time)
    return times.indices.contains { index in
      index + 50 < times.count && times[index + 50].nanoseconds(since: times[index]) < 100_000_000
    }
  }
}

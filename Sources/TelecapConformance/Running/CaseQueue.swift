import TelecapRecording

/// Which cases of a suite run next, and which results are whole. It starts nothing itself.
///
/// On the wall clock a verdict is never worse for what ran beside: what does not pass there runs again alone, and that counts. Nothing
/// begins when the time is over, and nothing runs again that would not be done by then.
struct CaseQueue {
  /// Some cases of one scenario, which run one after the other.
  struct Portion {
    let number: Int
    let scenario: Int
    let cases: ArraySlice<Case>
    /// How often it was tried before, beside others or on a machine that was too busy.
    var tried = 0
  }

  /// The most cases of a scenario that are one portion: on the wall clock each is one.
  private static let most = 32
  /// How often a portion is tried again, alone, where the machine was too busy.
  private static let again = 3

  private let scenarios: [Scenario]
  /// How long all may take, in ns; nil where they take the time that they take.
  private let budget: Nanoseconds?
  private var portions: [Portion] = []
  private let jobs: Int
  /// Cases that take their real time run beside each other.
  private var isSideBySide: Bool { isOnWallClock && jobs > 1 }
  private let isOnWallClock: Bool
  /// The numbers of those that wait, the next one last.
  private var waiting: [Int]
  /// Those that run only while nothing else does.
  private var alone: [Int] = []
  private var running = 0
  private var isAlone = false
  /// What portions came to that wait to run again, or had no time to, by their numbers.
  private var before: [Int: ScenarioResult] = [:]
  /// The results so far, by the portions' numbers.
  private var done: [ScenarioResult?]
  /// By the scenario: the numbers of its portions, and how many of them have no result yet.
  private var parts: [Range<Int>] = []
  private var open: [Int] = []
  /// The first scenario that was not told of: they are told of in order, whatever finished first.
  private var told = 0

  init(_ scenarios: [Scenario], seeds: Int?, jobs: Int, isOnWallClock: Bool, budget: Nanoseconds? = nil) {
    (self.scenarios, self.budget) = (scenarios, budget)
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
    // A long one that begins late would be waited for at the end.
    waiting = waiting.filter { !busy[portions[$0].scenario] }.sorted {
      scenarios[portions[$0].scenario].wallTime < scenarios[portions[$1].scenario].wallTime
    }
  }

  /// The next portion to begin now; nil while none may, or none is left, or the time is over.
  ///
  /// - Parameter now: ns since the first began.
  mutating func next(at now: Nanoseconds = 0) -> Portion? {
    guard running < jobs, !isAlone, budget.map({ now < $0 }) ?? true else { return nil }
    if let number = waiting.popLast() {
      running += 1
      return portions[number]
    }
    guard running == 0 else { return nil }
    while let number = alone.popLast() {
      let isAgain = portions[number].tried > 0
      let length = scenarios[portions[number].scenario].wallTime
      if isAgain, let budget, now + length > budget { continue }
      (running, isAlone) = (1, true)
      return portions[number]
    }
    return nil
  }

  /// Takes the result of a portion: the results that are to be told of now. What the machine was too busy for waits to run again.
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
    let scenario = portions[number].scenario
    open[scenario] -= 1
    return open[scenario] == 0 ? ready() : []
  }

  /// Nothing more begins: the results that were not told of, with what has not run, or not again. Some may still have run when all was
  /// broken off.
  mutating func finish(isBrokenOff: Bool = false) -> [ScenarioResult] {
    let (reason, again) =
      isBrokenOff
      ? ("it had not run when the suite was broken off", "the suite was broken off before it ran again alone")
      : (
        "the time was over before it began: give more with --budget",
        "there was no time to run it again alone: give more with --budget"
      )
    for portion in portions where done[portion.number] == nil {
      let late = CaseResult(of: portion.cases.first ?? Case(), .notRun, reason: reason)
      let earlier = before[portion.number].map { CaseQueue.unproved($0, again) }
      done[portion.number] = earlier ?? ScenarioResult(scenarios[portion.scenario], late)
      open[portion.scenario] -= 1
    }
    return ready()
  }

  /// What is left of a result that came about beside others and did not run again.
  private static func unproved(_ result: ScenarioResult, _ reason: String) -> ScenarioResult {
    guard result.verdict == .fail else { return result }
    var shown = result.shown
    (shown.verdict, shown.breaches) = (.inconclusive, [])
    shown.reason = "it failed beside others, and \(reason)"
    return ScenarioResult(result.scenario, shown)
  }

  /// The results that are whole and were not told of, up to the first that is not.
  private mutating func ready() -> [ScenarioResult] {
    var ready: [ScenarioResult] = []
    while told < open.count, open[told] == 0 {
      if let result = self.result(of: told) { ready.append(result) }
      told += 1
    }
    return ready
  }

  /// All results that are whole, in the order of the scenarios.
  var results: [ScenarioResult] { open.indices.filter { open[$0] == 0 }.compactMap { result(of: $0) } }

  /// The result of a scenario out of those of its portions; nil where it has none.
  private func result(of scenario: Int) -> ScenarioResult? {
    let all = parts[scenario].compactMap { done[$0] }
    return all.dropFirst().reduce(into: all.first) { $0?.merge($1) }
  }
}

extension Scenario {
  /// It sends so much at once, 50 messages within 100 ms, that a program which answers all of it keeps a machine busy.
  public var keepsMachineBusy: Bool {
    guard let first = cases(seeds: 1).first else { return false }
    let times = script(for: first).meant.filter(\.isSend).map(\.time)
    return times.indices.contains { index in
      index + 50 < times.count && times[index + 50].nanoseconds(since: times[index]) < 100_000_000
    }
  }
}

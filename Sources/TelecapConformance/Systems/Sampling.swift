import TelecapRecording

extension Scenario {
  /// How long one run of it takes on the wall clock, in ns, a program's start and end included where those are quick. A
  /// device states its times itself and waits for none.
  public var wallTime: Nanoseconds {
    (setup.part.program == nil ? end.nanoseconds : 0) + Scenario.quickStart + 100_000_000
  }

  /// How long a start takes that is quick, in ns.
  fileprivate static var quickStart: Nanoseconds { 100_000_000 }

  /// How many cases it has with one seed.
  fileprivate var breadth: Int { combinations.count * max(1, pieces.count) }

  /// The scenario with so many of its cases, evenly spread over the grid, the last and hardest among them, each with one
  /// seed.
  fileprivate func sampled(_ count: Int) -> Scenario {
    var sample = self
    sample.seeds = 1
    let pieces = min(self.pieces.count, count)
    sample.pieces = Scenario.spread(self.pieces, pieces)
    sample.combinations = Scenario.spread(combinations, count / max(1, pieces))
    return sample
  }

  private static func spread<T>(_ list: [T], _ count: Int) -> [T] {
    guard count < list.count else { return list }
    return (0..<max(1, count)).map { list[($0 + 1) * list.count / max(1, count) - 1] }
  }
}

/// As much of a suite as fits into a time on the wall clock.
public struct Sample: Sendable {
  /// The scenarios that run, each with some of its cases.
  public var scenarios: [Scenario] = []
  /// Those for which no time was left; they count as not run.
  public var leftOut: [Scenario] = []

  /// All of these.
  public init(all: [Scenario]) { scenarios = all }

  /// A sample of `chosen` that takes no longer than `budget` ns: first a scenario of each requirement, then the
  /// others, the shortest first; what time is then left goes to more cases of the grids.
  ///
  /// - Parameters:
  ///   - jobs: how many cases run at the same time; one that keeps the machine busy takes the time of all of them.
  ///   - startup: how long the system takes to be ready for each, in ns.
  public init(of chosen: [Scenario], within time: Nanoseconds, jobs: Int = 1, startup: Nanoseconds = 0) {
    func cost(_ scenario: Scenario) -> Nanoseconds {
      let share = jobs > 1 && scenario.keepsMachineBusy ? Int64(jobs) : 1
      return (scenario.wallTime + max(0, startup - Scenario.quickStart)) * share
    }
    // Side by side some time is lost at the end, where the last ones are waited for, and what runs again is alone.
    let budget = jobs > 1 ? min(time, .max / Int64(jobs)) * Int64(jobs) / 4 * 3 : time
    // What is judged in every run takes no time of its own.
    let all = chosen.filter { !$0.isJudgedInEveryRun }
    defer { scenarios += chosen.filter(\.isJudgedInEveryRun) }
    var left = budget
    var counts = all.map { _ in 0 }
    let costs = all.map(cost)
    for index in Sample.order(all, within: budget) where costs[index] <= left && all[index].wallTime <= time {
      counts[index] = 1
      left -= costs[index]
    }
    var grows = true
    while grows {
      grows = false
      for index in all.indices where counts[index] > 0 && counts[index] < all[index].breadth {
        guard costs[index] <= left else { continue }
        counts[index] += 1
        left -= costs[index]
        grows = true
      }
    }
    for (scenario, count) in zip(all, counts) {
      if count > 0 { scenarios.append(scenario.sampled(count)) } else { leftOut.append(scenario) }
    }
  }

  /// The order in which scenarios get their time: the shortest of each requirement, those that must hold before the others,
  /// and then the rest. What takes more than a tenth of the time would leave too little for it: it is one of the rest.
  private static func order(_ scenarios: [Scenario], within budget: Nanoseconds) -> [Int] {
    var covered: Set<String> = []
    let ranks = scenarios.indices.sorted { scenarios[$0].wallTime < scenarios[$1].wallTime }.map { index in
      let requirement = scenarios[index].requirement
      let isFirst = covered.insert(requirement.id).inserted && scenarios[index].wallTime <= budget / 10
      return (index, isFirst ? requirement.level == .must ? 0 : 1 : 2)
    }
    return (0...2).flatMap { rank in ranks.compactMap { $0.1 == rank ? $0.0 : nil } }
  }

  /// The results of those that were left out.
  public var notRun: [ScenarioResult] {
    leftOut.map { scenario in
      let seconds = Double(scenario.wallTime / 100_000_000) / 10
      return ScenarioResult(
        scenario, CaseResult(of: Case(), .notRun, reason: "it takes \(seconds) s on the wall clock: give more time"))
    }
  }
}

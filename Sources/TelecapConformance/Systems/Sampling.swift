import TelecapRecording

extension Scenario {
  /// The duration of one run on the wall clock in ns, with a quick start and end of a program. A device prints its
  /// times and does not wait.
  public var wallTime: Nanoseconds {
    (setup.part.program == nil ? end.nanoseconds : 0) + Scenario.quickStart + 100_000_000
  }

  /// The duration of a quick start, in ns.
  fileprivate static var quickStart: Nanoseconds { 100_000_000 }

  /// The number of its cases with one seed.
  fileprivate var breadth: Int { combinations.count * max(1, pieces.count) }

  /// The scenario with this number of cases, evenly spread over the grid and including the last and hardest, each with
  /// one seed.
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

/// The part of a suite that fits into a time limit on the wall clock.
public struct Sample: Sendable {
  /// The scenarios that run, each with some of its cases.
  public var scenarios: [Scenario] = []
  /// Those without time left; they count as not run.
  public var leftOut: [Scenario] = []

  /// A sample of all these.
  public init(all: [Scenario]) { scenarios = all }

  /// A sample of `chosen` that takes at most `time` ns: first a scenario of each requirement, then the others, `must`
  /// before `should` and short before long; the rest of the time goes to more cases of the grids. No omitted scenario
  /// would have fitted.
  ///
  /// - Parameters:
  ///   - jobs: the number of parallel cases; one that keeps the machine busy runs alone.
  ///   - startup: the time until the system is ready for each run, in ns.
  ///   - seeds: the number of runs of each case.
  ///   - isInstant: whether a scenario takes no time, since the system does not support it.
  public init(
    of chosen: [Scenario], within time: Nanoseconds, jobs: Int = 1, startup: Nanoseconds = 0, seeds: Int = 1,
    where isInstant: (Scenario) -> Bool = { _ in false }
  ) {
    // A scenario that is checked in every run takes no time, and an unsupported one exercises nothing.
    let instant = chosen.filter { !$0.isJudgedInEveryRun && isInstant($0) }.map { $0.sampled(1) }
    let out = Set(instant.map(\.id))
    let all = chosen.filter { !$0.isJudgedInEveryRun && !out.contains($0.id) }
    defer {
      let place = Dictionary(chosen.enumerated().map { ($1.id, $0) }) { first, _ in first }
      scenarios = (scenarios + instant).sorted { place[$0.id, default: 0] < place[$1.id, default: 0] }
      scenarios += chosen.filter(\.isJudgedInEveryRun)
    }
    let lengths = all.map { $0.wallTime + max(0, startup - Scenario.quickStart) }
    let alone = all.map { jobs > 1 && $0.keepsMachineBusy }
    var schedule = CaseSchedule(places: jobs)
    var counts = all.map { _ in 0 }
    func takes(_ index: Int, within limit: Nanoseconds) -> Bool {
      guard schedule.add(seeds, of: lengths[index], isAlone: alone[index], within: limit) else { return false }
      counts[index] += 1
      return true
    }
    // The share of each in the time of all parallel slots.
    let shares = all.indices.map {
      lengths[$0].saturatingMultiplied(by: Int64(seeds)) / (alone[$0] ? 1 : Int64(max(1, jobs)))
    }
    let taken = Sample.order(all, shares, within: time / 10).filter { takes($0, within: time) }
    // A scenario that does not fit now never will. A case that does not pass in parallel is repeated alone: reserve
    // time for that before adding cases.
    let forMore = jobs > 1 ? time - time / 4 : time
    var growing = taken.sorted()
    while !growing.isEmpty {
      growing = growing.filter { counts[$0] < all[$0].breadth && takes($0, within: forMore) }
    }
    for (scenario, count) in zip(all, counts) {
      if count > 0 { scenarios.append(scenario.sampled(count)) } else { leftOut.append(scenario) }
    }
  }

  /// The order of scenarios: the shortest of each requirement, then the others, `must` before `should`. One that takes
  /// more than `most` ns of the total time is not a requirement's first, since it would leave too little to others.
  private static func order(_ scenarios: [Scenario], _ shares: [Nanoseconds], within most: Nanoseconds) -> [Int] {
    var covered: Set<String> = []
    let ranks = scenarios.indices.sorted { scenarios[$0].wallTime < scenarios[$1].wallTime }.map { index in
      let requirement = scenarios[index].requirement
      let isFirst = covered.insert(requirement.id).inserted && shares[index] <= most
      return (index, (isFirst ? 0 : 2) + (requirement.level == .must ? 0 : 1))
    }
    return (0...3).flatMap { rank in ranks.compactMap { $0.1 == rank ? $0.0 : nil } }
  }

  /// The results of the omitted scenarios.
  public var notRun: [ScenarioResult] {
    leftOut.map { scenario in
      let seconds = Double(scenario.wallTime / 100_000_000) / 10
      return ScenarioResult(
        scenario, CaseResult(of: Case(), .notRun, reason: "it takes \(seconds) s on the wall clock: give more time"))
    }
  }
}

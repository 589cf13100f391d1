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

  /// A sample of `chosen` that takes no longer than `time` ns: first a scenario of each requirement, then the others, those of
  /// what must hold before those of what should, the shortest first; what time is then left goes to more cases of the grids. What is
  /// left out would not have fitted.
  ///
  /// - Parameters:
  ///   - jobs: how many cases run at the same time; one that keeps the machine busy runs alone.
  ///   - startup: how long the system takes to be ready for each, in ns.
  ///   - seeds: how often each case runs.
  ///   - isInstant: whether a scenario takes no time, since the system cannot do what it needs.
  public init(
    of chosen: [Scenario], within time: Nanoseconds, jobs: Int = 1, startup: Nanoseconds = 0, seeds: Int = 1,
    where isInstant: (Scenario) -> Bool = { _ in false }
  ) {
    // What is judged in every run takes no time of its own, and is tried by no scenario alone; what is told at once tries nothing.
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
    // What each takes of the time of all places.
    let shares = all.indices.map {
      lengths[$0].saturatingMultiplied(by: Int64(seeds)) / (alone[$0] ? 1 : Int64(max(1, jobs)))
    }
    let taken = Sample.order(all, shares, within: time / 10).filter { takes($0, within: time) }
    // What does not fit never will: nothing is taken back. What does not pass side by side runs again, alone: before more cases are
    // tried there is time for that.
    let forMore = jobs > 1 ? time - time / 4 : time
    var growing = taken.sorted()
    while !growing.isEmpty {
      growing = growing.filter { counts[$0] < all[$0].breadth && takes($0, within: forMore) }
    }
    for (scenario, count) in zip(all, counts) {
      if count > 0 { scenarios.append(scenario.sampled(count)) } else { leftOut.append(scenario) }
    }
  }

  /// The order in which scenarios get their time: the shortest of each requirement, then the others, those that must hold before
  /// those that should. What takes more than `most` ns of the time of all leaves too little to others: it is no
  /// requirement's first.
  private static func order(_ scenarios: [Scenario], _ shares: [Nanoseconds], within most: Nanoseconds) -> [Int] {
    var covered: Set<String> = []
    let ranks = scenarios.indices.sorted { scenarios[$0].wallTime < scenarios[$1].wallTime }.map { index in
      let requirement = scenarios[index].requirement
      let isFirst = covered.insert(requirement.id).inserted && shares[index] <= most
      return (index, (isFirst ? 0 : 2) + (requirement.level == .must ? 0 : 1))
    }
    return (0...3).flatMap { rank in ranks.compactMap { $0.1 == rank ? $0.0 : nil } }
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

import TelecapRecording

/// How a scenario came out, over all its cases.
public struct ScenarioResult: Sendable {
  /// The scenario.
  public var scenario: Scenario
  /// What it tests.
  public var requirement: Requirement { scenario.requirement }
  /// How many cases came out how.
  public var counts: [Verdict: Int] = [:]
  /// The case that a report shows: the first that failed, else the first that is not a pass, else the first.
  public var shown: CaseResult
  /// How many cases failed with each seed, of how many; filled where seeds are repeated, to tell flaky from wrong.
  public var seeds: [UInt64: (failed: Int, of: Int)] = [:]
  /// How long all cases took, in ns.
  public var duration: Nanoseconds = 0
  /// The scenario in whose run the shown case showed: another one where `scenario` is judged in every run.
  public var ran: Scenario
  /// What its runs came to by the rules on what a system sends, by the requirements' ids.
  private(set) var sending: [String: SenderTally] = [:]
  /// What the rules of the system file made of what the program printed; nil where there is none.
  public private(set) var mapping: MappingStatistics?
  /// The parts of rules that it rests on and that none of its doubted cases confirmed.
  public private(set) var doubts: Set<MappingStatistics.RulePart> = []
  /// The result without what is doubted: nothing, or one.
  private var doubted: [ScenarioResult] = []

  /// The result of a scenario that has one case so far.
  public init(_ scenario: Scenario, _ first: CaseResult) {
    self.init(counting: first, of: scenario)
    guard let doubt = first.doubt else { return }
    doubts = doubt.rules
    doubted = [ScenarioResult(counting: first.withoutDoubted, of: scenario)]
  }

  private init(counting first: CaseResult, of scenario: Scenario) {
    self.scenario = scenario
    ran = scenario
    shown = first
    counts = [first.verdict: 1]
    seeds = [first.case.seed: (first.verdict == .fail ? 1 : 0, 1)]
    duration = first.duration
    mapping = first.log?.mapping
    for check in first.sending { count(SenderTally(check, first, in: scenario), check.requirement) }
  }

  /// The result when all runs of the suite are known: where no line of any confirmed what it rests on, the one without.
  public func settled(by mapping: MappingStatistics) -> ScenarioResult {
    var result = self
    let idle = mapping.idle
    if let doubted = doubted.first, !doubts.isDisjoint(with: idle) {
      result = doubted
      if result.shown.verdict == .inconclusive, let doubt = result.shown.doubt {
        let why = doubt.rules.intersection(idle).map(mapping.words).sorted()
        // What lacked before lacks still; what is missing now is missing for this alone.
        let before = shown.verdict == .inconclusive ? [shown.reason] : []
        result.shown.reason = (before + why).joined(separator: "; ")
      }
    }
    result.mapping = self.mapping
    result.doubts = []
    return result
  }

  /// The result of a scenario that is judged in every run of its part, out of the results of the others.
  init(_ scenario: Scenario, judgedIn results: [ScenarioResult]) {
    let tallies = results.filter { $0.scenario.setup.part == scenario.setup.part }.compactMap {
      $0.sending[scenario.requirement.id]
    }
    self.init(scenario, CaseResult(of: Case(), .notRun, reason: "no run that was chosen shows it"))
    guard var tally = tallies.first else { return }
    for other in tallies.dropFirst() { tally.merge(other) }
    (ran, shown, counts, seeds) = (tally.ran, tally.shown, tally.counts, [:])
  }

  /// The scenario that shows the shown case again, judged by this one alone.
  public var repeating: Scenario {
    var scenario = ran
    scenario.expectations = self.scenario.expectations
    return scenario
  }

  /// How many cases there are.
  public var cases: Int { counts.values.reduce(0, +) }

  /// How many of them were run.
  public var casesRun: Int { cases - counts[.notRun, default: 0] - counts[.unsupported, default: 0] }

  /// The worst of its cases: fail, then inconclusive, unsupported, not run, pass.
  public var verdict: Verdict {
    Verdict.worstFirst.first { counts[$0, default: 0] > 0 } ?? .notRun
  }

  /// Some seeds failed and some did not, with the same impairments.
  public var isFlaky: Bool {
    let failed = counts[.fail, default: 0]
    return failed > 0 && failed < cases && seeds.values.contains { $0.failed == 0 && $0.of > 0 }
  }

  /// Adds a case.
  public mutating func add(_ result: CaseResult) { merge(ScenarioResult(scenario, result)) }

  /// Adds the cases of another result of the same scenario, which come after these.
  public mutating func merge(_ other: ScenarioResult) {
    if !doubts.isEmpty || !other.doubts.isEmpty {
      var without = doubted.first ?? self
      (without.doubts, without.doubted) = ([], [])
      without.merge(other.doubted.first ?? other)
      doubted = [without]
      doubts.formUnion(other.doubts)
    }
    counts.merge(other.counts) { $0 + $1 }
    seeds.merge(other.seeds) { ($0.failed + $1.failed, $0.of + $1.of) }
    duration += other.duration
    for (requirement, tally) in other.sending { count(tally, requirement) }
    if let new = other.mapping {
      if mapping == nil { mapping = new } else { mapping?.merge(new) }
    }
    if other.shown.verdict.badness > shown.verdict.badness { shown = other.shown }
  }

  private mutating func count(_ tally: SenderTally, _ requirement: String) {
    guard sending[requirement]?.merge(tally) == nil else { return }
    sending[requirement] = tally
  }
}

extension Verdict {
  /// How bad it is among the cases of a scenario: 0 for a pass, the highest for a failure.
  public var badness: Int { Verdict.worstFirst.count - 1 - (Verdict.worstFirst.firstIndex(of: self) ?? 0) }

  static let worstFirst: [Verdict] = [.fail, .inconclusive, .unsupported, .notRun, .pass]
}

/// What runs came to by one rule on what a system sends.
struct SenderTally: Sendable {
  /// How many runs came out how.
  private(set) var counts: [Verdict: Int]
  /// The first run that broke it, or the first.
  private(set) var shown: CaseResult
  /// The scenario of that run.
  private(set) var ran: Scenario

  init(_ check: SenderCheck, _ result: CaseResult, in scenario: Scenario) {
    shown = result
    shown.verdict = check.breaches.isEmpty ? .pass : .fail
    shown.breaches = check.breaches
    shown.reason = ""
    shown.sending = []
    counts = [shown.verdict: 1]
    ran = scenario
  }

  mutating func merge(_ other: SenderTally) {
    counts.merge(other.counts) { $0 + $1 }
    if other.shown.verdict.badness > shown.verdict.badness { (shown, ran) = (other.shown, other.ran) }
  }
}

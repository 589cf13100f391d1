import TelecapRecording

/// The result of a scenario over all its cases.
public struct ScenarioResult: Sendable {
  /// The scenario.
  public var scenario: Scenario
  /// The tested requirement.
  public var requirement: Requirement { scenario.requirement }
  /// The number of cases by verdict.
  public var counts: [Verdict: Int] = [:]
  /// The case for reports: the first failure, else the first other than a pass, else the first.
  public var shown: CaseResult
  /// The number of failures and of cases by seed; filled for repeated seeds, to distinguish flaky from wrong.
  public var seeds: [UInt64: (failed: Int, of: Int)] = [:]
  /// The duration of all cases, in ns.
  public var duration: Nanoseconds = 0
  /// The cases that failed or are inconclusive, at most `mostKept` of them.
  public private(set) var unpassed: [Case] = []
  /// The maximum number of cases in `unpassed`.
  public static let mostKept = 1_000
  /// The scenario that ran the shown case: another one if `scenario` is checked in every run.
  public var ran: Scenario
  /// The results of the rules on what a system sends, by the ids of requirements.
  private(set) var sending: [String: SenderTally] = [:]
  /// The matches of the system file's rules; nil where there are none.
  public private(set) var mapping: MappingStatistics?
  /// The unverified parts of rules on which it rests.
  public private(set) var doubts: Set<MappingStatistics.RulePart> = []
  /// The result without the unverified rules: empty, or one.
  private var doubted: [ScenarioResult] = []

  /// The result of a scenario with one case so far.
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
    unpassed = first.verdict == .fail || first.verdict == .inconclusive ? [first.case] : []
    seeds = [first.case.seed: (first.verdict == .fail ? 1 : 0, 1)]
    duration = first.duration
    mapping = first.log?.mapping
    for check in first.sending { count(SenderTally(check, first, in: scenario), check.requirement) }
  }

  /// The result once all runs are known: without those rules that no line of any run confirmed.
  public func settled(by mapping: MappingStatistics) -> ScenarioResult {
    var result = self
    let idle = mapping.idle
    if let doubted = doubted.first, !doubts.isDisjoint(with: idle) {
      result = doubted
      if result.shown.verdict == .inconclusive, let doubt = result.shown.doubt {
        let why = doubt.rules.intersection(idle).map(mapping.words).sorted()
        // Append the reason to an earlier one: both are missing.
        let before = shown.verdict == .inconclusive ? [shown.reason] : []
        result.shown.reason = (before + why).joined(separator: "; ")
      }
    }
    result.mapping = self.mapping
    result.doubts = []
    return result
  }

  /// The result of a scenario that is checked in every run of its part, from the results of the others.
  init(_ scenario: Scenario, judgedIn results: [ScenarioResult]) {
    let tallies = results.filter { $0.scenario.setup.part == scenario.setup.part }.compactMap {
      $0.sending[scenario.requirement.id]
    }
    self.init(scenario, CaseResult(of: Case(), .notRun, reason: "no run that was chosen shows it"))
    guard var tally = tallies.first else { return }
    for other in tallies.dropFirst() { tally.merge(other) }
    (ran, shown, counts, seeds) = (tally.ran, tally.shown, tally.counts, [:])
  }

  /// The scenario that repeats the shown case for this requirement only.
  public var repeating: Scenario {
    var scenario = ran
    scenario.expectations = self.scenario.expectations
    return scenario
  }

  /// The number of cases.
  public var cases: Int { counts.values.reduce(0, +) }

  /// The number of cases that ran.
  public var casesRun: Int { cases - counts[.notRun, default: 0] - counts[.unsupported, default: 0] }

  /// The worst verdict of its cases: fail, then inconclusive, unsupported, not run, pass.
  public var verdict: Verdict {
    Verdict.worstFirst.first { counts[$0, default: 0] > 0 } ?? .notRun
  }

  /// Whether it is a failure that fails the suite, and rests on no rule that its own runs left unconfirmed.
  ///
  /// - Parameter strict: whether a `should` counts like a `must`.
  public func fails(strict: Bool) -> Bool {
    verdict == .fail && (strict || requirement.level == .must) && doubts.isDisjoint(with: mapping?.idle ?? [])
  }

  /// Whether some seeds failed and others passed with the same impairments.
  public var isFlaky: Bool {
    let failed = counts[.fail, default: 0]
    return failed > 0 && failed < cases && seeds.values.contains { $0.failed == 0 && $0.of > 0 }
  }

  /// Adds a case.
  public mutating func add(_ result: CaseResult) { merge(ScenarioResult(scenario, result)) }

  /// Adds the cases of another result of the same scenario after these.
  public mutating func merge(_ other: ScenarioResult) {
    if !doubts.isEmpty || !other.doubts.isEmpty {
      var without = doubted.first ?? self
      (without.doubts, without.doubted) = ([], [])
      without.merge(other.doubted.first ?? other)
      doubted = [without]
      doubts.formUnion(other.doubts)
    }
    counts.merge(other.counts) { $0 + $1 }
    unpassed += other.unpassed.prefix(ScenarioResult.mostKept - unpassed.count)
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
  /// Its rank among the cases of a scenario: 0 for a pass, the highest for a failure.
  public var badness: Int { Verdict.worstFirst.count - 1 - (Verdict.worstFirst.firstIndex(of: self) ?? 0) }

  static let worstFirst: [Verdict] = [.fail, .inconclusive, .unsupported, .notRun, .pass]
}

/// The results of runs for one rule on what a system sends.
struct SenderTally: Sendable {
  /// The number of runs by verdict.
  private(set) var counts: [Verdict: Int]
  /// The first run that failed it, or the first.
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

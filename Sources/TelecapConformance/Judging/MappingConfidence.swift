import TelecapModels
import TelecapWire

/// The verdict that a case would have without rules of a system file that nothing confirms. It counts unless another
/// run of the suite confirms them.
public struct UnverifiedVerdict: Sendable {
  /// The rules and fields that no line of the run confirmed.
  public var rules: Set<MappingStatistics.RulePart>
  /// The verdict of the case without them.
  var verdict: Verdict
  var breaches: [Failure]
  var reason: String
}

extension Judge {
  /// The result of a log, from the trusted rules of its mapping. A value that a rule of a system file could not read
  /// counts as not observable; the verdict without rules that never matched is kept too. `judge` computes the result of
  /// the log, or of a part of it.
  static func trusting(_ log: DecodedLog, _ whole: CaseResult, _ judge: (DecodedLog) -> CaseResult) -> CaseResult {
    holding(log, rounding(log, trustingRules(log, whole, judge), judge), judge)
  }

  /// Checks only the traffic of a failed program whose output was buffered, since the times of its lines are unknown.
  private static func holding(_ log: DecodedLog, _ strict: CaseResult, _ judge: (DecodedLog) -> CaseResult)
    -> CaseResult
  {
    guard strict.verdict == .fail, !strict.isBroken, let mapping = log.log.mapping, mapping.timing.isHeldBack
    else { return strict }
    var result = judge(log.without(mapping.allShown))
    if result.verdict != .fail {
      (result.verdict, result.breaches, result.doubt) = (.inconclusive, [], nil)
      result.reason = mapping.timing.words
    }
    result.log = strict.log
    return result
  }

  /// Repeats a failed check with rounded values: a program may round its output or the applied value, and nothing
  /// distinguishes these. Only a failure that remains counts.
  private static func rounding(_ log: DecodedLog, _ strict: CaseResult, _ judge: (DecodedLog) -> CaseResult)
    -> CaseResult
  {
    guard strict.verdict == .fail, !strict.isBroken, let first = log.log.coarse.first else { return strict }
    let coarse = DecodedLog(first, log.owner)
    var result = trustingRules(coarse, judge(coarse), judge)
    if result.verdict != .fail {
      (result.verdict, result.breaches, result.doubt) = (.inconclusive, [], nil)
      result.reason = log.log.mapping?.wordsOfRounding ?? result.reason
    }
    result.log = strict.log
    return result
  }

  private static func trustingRules(
    _ log: DecodedLog, _ whole: CaseResult, _ judge: (DecodedLog) -> CaseResult
  ) -> CaseResult {
    guard let mapping = log.log.mapping, !whole.isBroken, !whole.isTooLate else { return whole }
    let unread = mapping.unreadAspects
    var result = whole
    if !unread.isEmpty {
      result = judge(log.without(Set(unread.keys)))
      if result.differs(from: whole), result.verdict == .inconclusive {
        result.reason = Set(unread.values).sorted().joined(separator: "; ")
      }
    }
    let blind = mapping.idleAspects(isFailed: result.verdict == .fail).filter { unread[$0.key] == nil }
    let aspects = blind.keys.filter { judge(log.without(Set(unread.keys).union([$0]))).differs(from: result) }
    let hidden = Set(aspects.isEmpty ? Array(blind.keys) : aspects)
    // Without hidden observables a second check would give the same result.
    if !hidden.isEmpty {
      let other = judge(log.without(hidden.union(unread.keys)))
      // An inconclusive verdict may have the same cause.
      if other.differs(from: result) || result.verdict == .inconclusive {
        let parts = hidden.reduce(into: Set()) { $0.formUnion(blind[$1] ?? []) }
        result.doubt = UnverifiedVerdict(
          rules: parts, verdict: other.verdict, breaches: other.breaches, reason: other.reason)
      }
    }
    result.log = whole.log
    return result
  }
}

extension CaseResult {
  fileprivate func differs(from other: CaseResult) -> Bool { verdict != other.verdict || breaches != other.breaches }

  /// The result without the unverified rules. It keeps `doubt`.
  var withoutDoubted: CaseResult {
    guard let doubt else { return self }
    var result = self
    (result.verdict, result.breaches, result.reason) = (doubt.verdict, doubt.breaches, doubt.reason)
    return result
  }
}

extension MappingStatistics {
  /// The observables of all rules.
  fileprivate var allShown: Set<Observable> { Set(rules.flatMap(\.rule.aspects)) }

  /// The observables of rules that could not read a line that they matched, with the reason.
  fileprivate var unreadAspects: [Observable: String] {
    var aspects: [Observable: String] = [:]
    for use in rules where use.unread.count > 0 {
      for shown in use.rule.aspects { aspects[shown] = words(unread: use) }
    }
    return aspects
  }

  /// The observables of rules or fields that no line confirmed. A pass needs one confirmed rule for each kind of event,
  /// and a failure all of them.
  fileprivate func idleAspects(isFailed: Bool) -> [Observable: Set<RulePart>] {
    var aspects: [Observable: Set<RulePart>] = [:]
    for part in unconfirmed {
      let rule = rules[part.rule].rule
      let isAlone = !rules.contains {
        $0.rule.kind == rule.kind && $0.rule.device == rule.device && $0.matched.count > 0
      }
      guard isFailed || isAlone || part.field != nil else { continue }
      for shown in rule.aspects { aspects[shown, default: []].insert(part) }
    }
    return aspects
  }
}

extension PeerEvent {
  /// The observable that it shows; nil for an event that no requirement covers.
  var aspect: Observable? {
    switch self {
    case .applied(let value): .stream(value.stream)
    case .note(let note) where note.kind.rule != nil: .note(note.kind)
    case .sessionOpened, .sessionClosed: .sessions
    default: nil
    }
  }
}

import TelecapModels
import TelecapWire

/// How a case would have come out without what rests on rules of a system file that nothing says are right: it holds unless
/// another run of the suite shows that they are.
public struct UnverifiedVerdict: Sendable {
  /// The rules and fields that no line of the run confirmed.
  public var rules: Set<MappingStatistics.RulePart>
  /// How the case comes out without them.
  var verdict: Verdict
  var breaches: [Failure]
  var reason: String
}

extension Judge {
  /// What can be trusted of the result of a log: what a rule of a system file could not read is judged as if the system did
  /// not show it; what a rule never matched is doubted.
  /// - Parameter judge: judges the log, or a part of it.
  static func trusting(_ log: DecodedLog, _ whole: CaseResult, _ judge: (DecodedLog) -> CaseResult) -> CaseResult {
    holding(log, rounding(log, trustingRules(log, whole, judge), judge), judge)
  }

  /// What is left of a failure of a program whose output was held back: what it sent is judged, and by its lines nothing can be.
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

  /// What is left of a failure where the program may have rounded what it printed: nothing says whether it rounds what it prints,
  /// or what it does.
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
    // With nothing to leave out the log would be judged once more for nothing.
    if !hidden.isEmpty {
      let other = judge(log.without(hidden.union(unread.keys)))
      // What is inconclusive all the same may be so for this.
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

  /// The result without what is doubted; what that was stays with it.
  var withoutDoubted: CaseResult {
    guard let doubt else { return self }
    var result = self
    (result.verdict, result.breaches, result.reason) = (doubt.verdict, doubt.breaches, doubt.reason)
    return result
  }
}

extension MappingStatistics {
  /// What the system shows by any rule.
  fileprivate var allShown: Set<Observable> { Set(rules.flatMap(\.rule.aspects)) }

  /// What the system shows by rules that could not read a line that they matched, with what was wrong.
  fileprivate var unreadAspects: [Observable: String] {
    var aspects: [Observable: String] = [:]
    for use in rules where use.unread.count > 0 {
      for shown in use.rule.aspects { aspects[shown] = words(unread: use) }
    }
    return aspects
  }

  /// What the system shows by parts of rules that no line confirmed. A pass is doubted only where nothing else would have
  /// shown the same: of several rules for one kind of event one is enough.
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
  /// What it shows of a system under test; nil where it is none of what systems are judged by.
  var aspect: Observable? {
    switch self {
    case .applied(let value): .stream(value.stream)
    case .note(let note) where note.kind.rule != nil: .note(note.kind)
    case .sessionOpened, .sessionClosed: .sessions
    default: nil
    }
  }
}

import TelecapRecording

/// The verdict of a requirement (semantics, Verdicts).
public enum Verdict: String, Sendable {
  /// It was exercised and held each time.
  case pass
  /// It failed at least once.
  case fail
  /// It was not exercised, or not observable.
  case inconclusive
  /// The system under test does not support it.
  case unsupported
  /// It was not executed.
  case notRun = "not-run"
}

/// The result of one requirement.
public struct Check: Hashable, Sendable {
  /// The requirement.
  public let requirement: Requirement
  /// The number of times that it was exercised.
  public internal(set) var tried = 0
  /// The number of times that it failed.
  public internal(set) var breaches = 0
  /// Its first failure.
  public internal(set) var first: Failure?

  /// A check without observations.
  public init(_ requirement: Requirement) { self.requirement = requirement }

  /// The verdict.
  public var verdict: Verdict { breaches > 0 ? .fail : tried > 0 ? .pass : .inconclusive }
}

/// The checks of a run. A flat array, so that counting allocates nothing.
public struct CheckList: Hashable, Sendable {
  /// The checks in the order of reports.
  public private(set) var all: [Check] = []
  /// The number of failures, forgotten ones included.
  private(set) var broken = 0

  init() {}

  /// The same checks without observations.
  var emptied: CheckList {
    var list = CheckList()
    list.all = all.map { Check($0.requirement) }
    return list
  }

  /// The check of a requirement; nil where the receiver has no such requirement.
  public subscript(id: String) -> Check? { all.first { $0.requirement.id == id } }

  /// The index of a requirement's check, which is added if it is missing.
  mutating func place(of requirement: Requirement) -> Int {
    if let place = all.firstIndex(where: { $0.requirement.id == requirement.id }) { return place }
    all.append(Check(requirement))
    return all.count - 1
  }

  /// Counts an observation that meets a requirement.
  @inline(__always)
  mutating func held(_ place: Int) { all[place].tried += 1 }

  /// Counts an observation that fails a requirement.
  mutating func broken(_ place: Int, _ breach: () -> Failure) {
    all[place].tried += 1
    all[place].breaches += 1
    broken += 1
    if all[place].first == nil { all[place].first = breach() }
  }

  /// Resets a check to inconclusive, since the receiver showed nothing to check.
  mutating func forget(_ place: Int) { all[place] = Check(all[place].requirement) }
}

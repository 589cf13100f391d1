import TelecapRecording

/// How a requirement came out (semantics, Verdicts).
public enum Verdict: String, Sendable {
  /// It was tried, and held every time.
  case pass
  /// It was broken at least once.
  case fail
  /// The run did not try it, or the receiver did not show what it takes to judge.
  case inconclusive
  /// The system under test says that it does not do this.
  case unsupported
  /// It was not executed.
  case notRun = "not-run"
}

/// What became of one requirement.
public struct Check: Hashable, Sendable {
  /// What was required.
  public let requirement: Requirement
  /// How often the run showed whether it holds.
  public internal(set) var tried = 0
  /// How often it did not.
  public internal(set) var breaches = 0
  /// The first time that it did not.
  public internal(set) var first: Failure?

  /// A check that has seen nothing.
  public init(_ requirement: Requirement) { self.requirement = requirement }

  /// How it came out.
  public var verdict: Verdict { breaches > 0 ? .fail : tried > 0 ? .pass : .inconclusive }
}

/// The checks of a run; a flat list, so that counting allocates nothing.
public struct CheckList: Hashable, Sendable {
  /// In the order in which they are told.
  public private(set) var all: [Check] = []
  /// How often anything was broken, what was forgotten since with it.
  private(set) var broken = 0

  init() {}

  /// The same checks, which have seen nothing.
  var emptied: CheckList {
    var list = CheckList()
    list.all = all.map { Check($0.requirement) }
    return list
  }

  /// The check of a requirement; nil where the receiver is not held to it.
  public subscript(id: String) -> Check? { all.first { $0.requirement.id == id } }

  /// The place of a requirement's check, which is made where there is none.
  mutating func place(of requirement: Requirement) -> Int {
    if let place = all.firstIndex(where: { $0.requirement.id == requirement.id }) { return place }
    all.append(Check(requirement))
    return all.count - 1
  }

  /// Counts an occasion on which a requirement showed that it holds.
  @inline(__always)
  mutating func held(_ place: Int) { all[place].tried += 1 }

  /// Counts an occasion on which it showed that it does not.
  mutating func broken(_ place: Int, _ breach: () -> Failure) {
    all[place].tried += 1
    all[place].breaches += 1
    broken += 1
    if all[place].first == nil { all[place].first = breach() }
  }

  /// The receiver showed nothing by which this could be judged: it is inconclusive.
  mutating func forget(_ place: Int) { all[place] = Check(all[place].requirement) }
}

import TelecapModels
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

/// A value that a receiver showed, or should have shown.
public enum Shown: Hashable, Sendable {
  /// Nothing at all.
  case nothing
  /// A strength of the motor.
  case strength(Float)
  /// A pose, by its seq.
  case pose(UInt16)
  /// Where the pointer is.
  case pointer(PointerPosition)
  /// Which buttons are down.
  case buttons(UInt8)
}

extension Shown: CustomStringConvertible {
  /// The value in words.
  public var description: String {
    switch self {
    case .nothing: "nothing"
    case .strength(let value): "strength \(value)"
    case .pose(let seq): "pose \(seq)"
    case .pointer(let at): "pointer (\(at.x), \(at.y))"
    case .buttons(let bitmap): "buttons \(bitmap)"
    }
  }
}

/// How a requirement was broken.
public struct Violation: Hashable, Sendable {
  /// When it showed.
  public var time: Timestamp
  /// The number of the packet that was delivered last before it.
  public var packet: Int
  /// What the rules allow.
  public var expected: Shown
  /// What the receiver showed.
  public var observed: Shown

  /// A violation of these values.
  public init(time: Timestamp, packet: Int, expected: Shown, observed: Shown) {
    self.time = time
    self.packet = packet
    self.expected = expected
    self.observed = observed
  }
}

extension Violation: CustomStringConvertible {
  /// `expected strength 0.5, observed strength 0.25, after packet 7, at 1.250 s`; the time is that of the run's clock.
  public var description: String {
    "expected \(expected), observed \(observed), after packet \(packet), at \(time.nanoseconds) ns"
  }
}

/// What became of one requirement.
public struct Check: Hashable, Sendable {
  /// What was required.
  public let requirement: StreamRequirement
  /// How often the run showed whether it holds.
  public internal(set) var tried = 0
  /// How often it did not.
  public internal(set) var violations = 0
  /// The first time that it did not.
  public internal(set) var first: Violation?

  /// A check that has seen nothing.
  public init(_ requirement: StreamRequirement) { self.requirement = requirement }

  /// How it came out.
  public var verdict: Verdict { violations > 0 ? .fail : tried > 0 ? .pass : .inconclusive }
}

/// The checks of a run, by their requirement; a flat list, so that counting allocates nothing.
public struct CheckList: Hashable, Sendable {
  private var checks = StreamRequirement.allCases.map(Check.init)

  /// No check has seen anything.
  public init() {}

  /// The check of a requirement.
  public subscript(requirement: StreamRequirement) -> Check { checks[CheckList.index(requirement)] }

  /// The checks of these requirements, in the order of semantics.md.
  public func all(_ belongs: (StreamRequirement) -> Bool) -> [Check] { checks.filter { belongs($0.requirement) } }

  /// Counts an occasion on which a requirement showed whether it holds.
  mutating func note(_ requirement: StreamRequirement, _ violation: @autoclosure () -> Violation?) {
    let index = CheckList.index(requirement)
    checks[index].tried += 1
    guard let violation = violation() else { return }
    checks[index].violations += 1
    if checks[index].first == nil { checks[index].first = violation }
  }

  /// The receiver showed nothing by which these could be judged: they are inconclusive.
  mutating func forget(_ belongs: (StreamRequirement) -> Bool) {
    for index in checks.indices where belongs(checks[index].requirement) {
      checks[index] = Check(checks[index].requirement)
    }
  }

  @inline(__always)
  private static func index(_ requirement: StreamRequirement) -> Int { requirement.position }
}

extension StreamRequirement {
  /// Its place in `allCases`.
  var position: Int {
    switch self {
    case .hapticLatest: 0
    case .hapticNoQueue: 1
    case .hapticClampHigh: 2
    case .hapticClampLow: 3
    case .hapticNotANumber: 4
    case .hapticZeroStops: 5
    case .hapticNeedsSession: 6
    case .safeOnLoss: 7
    case .poseLatest: 8
    case .poseDuplicate: 9
    case .poseNotFinite: 10
    case .poseWhole: 11
    case .pointerSum: 12
    case .pointerScreen: 13
    case .buttonsLatest: 14
    case .buttonsReserved: 15
    case .buttonsControl: 16
    case .mouseInvalid: 17
    }
  }
}

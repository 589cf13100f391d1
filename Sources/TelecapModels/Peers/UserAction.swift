/// An action of a system's user in a scenario: a call of its API.
public protocol UserAction: Sendable {
  /// The action in a few words: `move 300.0, 0.0`.
  var words: String { get }
  /// Whether the action depends on the seed.
  var isRandom: Bool { get }
  /// The name in system files, which may define how to perform it; empty if they may not.
  var name: String { get }
  /// The values that system files may insert into its definition, by name.
  var values: [String: String] { get }
  /// The change of the first value of a stream that is a sum; nil without one.
  var distance: Double? { get }
}

extension UserAction {
  public var isRandom: Bool { false }
  public var name: String { "" }
  public var values: [String: String] { [:] }
  public var distance: Double? { nil }
}

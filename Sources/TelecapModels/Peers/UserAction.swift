/// An action of the user of a system, which a scenario asks for: a call of its API.
public protocol UserAction: Sendable {
  /// The action in a few words: `move 300.0, 0.0`.
  var words: String { get }
  /// Another seed may lead to something else.
  var isRandom: Bool { get }
  /// What a system file calls it, where it may say how it is brought about; empty where it may not.
  var name: String { get }
  /// What a system file may put into how it is brought about, by its names.
  var values: [String: String] { get }
  /// How far it moves the first value of a stream that is added up; nil where it moves none.
  var distance: Double? { get }
}

extension UserAction {
  public var isRandom: Bool { false }
  public var name: String { "" }
  public var values: [String: String] { [:] }
  public var distance: Double? { nil }
}

/// A JSON value (RFC 8259) and where it stands. Two are equal when they say the same, wherever they stand.
public struct JSONNode: Hashable, Sendable {
  /// What it is. Numbers keep their text, so that none loses a digit; members keep their order.
  public indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }

  /// What it is.
  public var value: Value
  /// Where it begins, in bytes from the start of the text; 0 when it was never text.
  public var offset: Int

  /// A value that stands there.
  public init(_ value: Value, at offset: Int = 0) {
    self.value = value
    self.offset = offset
  }

  /// Whether both say the same.
  public static func == (left: JSONNode, right: JSONNode) -> Bool { left.value == right.value }

  /// Feeds what it says, without its place.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A key, and its value.
public struct JSONMember: Hashable, Sendable {
  /// The key, its escapes resolved.
  public var key: String
  /// The value.
  public var node: JSONNode
  /// Where the key begins (its quote), in bytes from the start of the text.
  public var offset: Int

  /// A member of an object.
  public init(_ key: String, _ node: JSONNode, at offset: Int = 0) {
    self.key = key
    self.node = node
    self.offset = offset
  }

  /// Whether both say the same.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.node == right.node
  }

  /// Feeds what it says, without its place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(node)
  }
}

extension JSONNode {
  /// A number; what JSON has no number for is `null`.
  public static func number(_ value: Double) -> JSONNode {
    JSONNode(value.isFinite ? .number("\(value)") : .null)
  }

  /// Text.
  public static func string(_ value: String) -> JSONNode { JSONNode(.string(value)) }

  /// Its value as a number; nil when it is none. What is too large is infinite.
  public var number: Double? {
    guard case .number(let text) = value else { return nil }
    return Double(text)
  }

  /// Its text; nil when it is no string.
  public var string: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  /// Its elements; nil when it is no array.
  public var elements: [JSONNode]? {
    guard case .array(let elements) = value else { return nil }
    return elements
  }

  /// Its members; nil when it is no object.
  public var members: [JSONMember]? {
    guard case .object(let members) = value else { return nil }
    return members
  }

  /// The value of this key, the last where there are several; nil when it is no object or has none.
  public subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.node }

  /// Whether it is `true`.
  public var isTrue: Bool { value == .bool(true) }

  /// What kind of value it is, in words with their article.
  public var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

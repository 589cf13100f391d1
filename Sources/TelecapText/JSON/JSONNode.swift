/// A JSON value (RFC 8259) with its offset. Two are equal if their contents are, whatever their offsets.
public struct JSONNode: Hashable, Sendable {
  /// The content. Numbers are stored as text, so that no digit is lost; members keep their order.
  public indirect enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([JSONMember])
  }

  /// The content.
  public var value: Value
  /// The offset of its first byte in the text; 0 if it was not parsed.
  public var offset: Int

  /// A value at this offset.
  public init(_ value: Value, at offset: Int = 0) {
    self.value = value
    self.offset = offset
  }

  /// Whether the contents are equal.
  public static func == (left: JSONNode, right: JSONNode) -> Bool { left.value == right.value }

  /// Hashes the content without the offset.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A key and its value.
public struct JSONMember: Hashable, Sendable {
  /// The key, unescaped.
  public var key: String
  /// The value.
  public var node: JSONNode
  /// The offset of the key's quote in the text, in bytes.
  public var offset: Int

  /// A member of an object.
  public init(_ key: String, _ node: JSONNode, at offset: Int = 0) {
    self.key = key
    self.node = node
    self.offset = offset
  }

  /// Whether the contents are equal.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.node == right.node
  }

  /// Hashes the content without the offset.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(node)
  }
}

extension JSONNode {
  /// A number; `null` for values that JSON cannot represent.
  public static func number(_ value: Double) -> JSONNode {
    JSONNode(value.isFinite ? .number("\(value)") : .null)
  }

  /// A string.
  public static func string(_ value: String) -> JSONNode { JSONNode(.string(value)) }

  /// The number; nil for other values. A number that is too large is infinite.
  public var number: Double? {
    guard case .number(let text) = value else { return nil }
    return Double(text)
  }

  /// The string; nil for other values.
  public var string: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  /// The elements; nil for other values than arrays.
  public var elements: [JSONNode]? {
    guard case .array(let elements) = value else { return nil }
    return elements
  }

  /// The members; nil for other values than objects.
  public var members: [JSONMember]? {
    guard case .object(let members) = value else { return nil }
    return members
  }

  /// The value of this key, the last one if it is repeated; nil if there is none, or the value is not an object.
  public subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.node }

  /// Whether it is `true`.
  public var isTrue: Bool { value == .bool(true) }

  /// The kind of value in words, with an article.
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

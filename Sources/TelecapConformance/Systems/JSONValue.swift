import TelecapRecording

/// What a system under test prints: a JSON value (RFC 8259). Bare `NaN`, `Infinity` and `-Infinity` are read as numbers, as
/// Python and JavaScript programs print them: a host that applies a pose of NaN must be seen to.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A number.
  case number(Double)
  /// Text.
  case text(String)
  /// An array.
  case list([JSONValue])
  /// An object; of two members with one name the last counts.
  case object([String: JSONValue])

  /// Reads a line that is one JSON object; nil for any other line.
  public init?(line: some Collection<UInt8>) {
    let reading = JSONReading(Array(line), allowing: .programs)
    guard reading.problem == nil, let node = reading.node, case .object = node.value else { return nil }
    self.init(node)
  }

  private init(_ node: JSONNode) {
    switch node.value {
    case .null: self = .null
    case .bool(let value): self = .flag(value)
    case .number: self = .number(node.number ?? .nan)
    case .string(let text): self = .text(text)
    case .array(let elements): self = .list(elements.map(JSONValue.init))
    case .object(let members):
      self = .object(Dictionary(members.map { ($0.key, JSONValue($0.node)) }) { _, last in last })
    }
  }

  /// What stands at a path of names, and of places in arrays from 0; nil where nothing does.
  public subscript(path: [String]) -> JSONValue? {
    var value = self
    for name in path {
      switch value {
      case .object(let members):
        guard let member = members[name] else { return nil }
        value = member
      case .list(let list):
        guard let index = Int(name), list.indices.contains(index) else { return nil }
        value = list[index]
      default: return nil
      }
    }
    return value
  }

  /// A number: also of a text that holds one, such as `"NaN"`; true is 1 and false 0.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .flag(let value): value ? 1 : 0
    case .text("NaN"): .nan
    case .text("Infinity"): .infinity
    case .text("-Infinity"): -.infinity
    case .text(let text): text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(text) : nil
    default: nil
    }
  }

  /// Text, or a number or a flag as it is written.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .flag(let value): value ? "true" : "false"
    case .number(let value): Int64(exactly: value).map(String.init) ?? "\(value)"
    default: nil
    }
  }
}

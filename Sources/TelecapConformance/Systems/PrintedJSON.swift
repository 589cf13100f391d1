import TelecapText

/// What a system under test prints: JSON, taken as programs mean it. Bare `NaN`, `Infinity` and `-Infinity` are numbers, as
/// Python and JavaScript programs print them: a host that applies a pose of NaN must be seen to.
extension JSONNode {
  /// A line that is one JSON object; nil for any other line.
  public static func object(printed line: some Collection<UInt8>) -> JSONNode? {
    let reading = JSONReading(Array(line), allowing: .programs)
    guard reading.problem == nil, let node = reading.node, node.members != nil else { return nil }
    return node
  }

  /// What stands at a path of names, and of places in arrays from 0; nil where nothing does. Of two members with one name
  /// the last counts.
  public subscript(path: [String]) -> JSONNode? {
    var node = self
    for name in path {
      switch node.value {
      case .object(let members):
        guard let member = members.last(where: { $0.key == name }) else { return nil }
        node = member.node
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        node = elements[index]
      default: return nil
      }
    }
    return node
  }

  /// A number: also of a text that holds one, such as `"NaN"`; true is 1 and false 0.
  public var meantNumber: Double? {
    switch value {
    case .number: number ?? .nan
    case .bool(let value): value ? 1 : 0
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    case .string(let text): text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(text) : nil
    default: nil
    }
  }

  /// Text, or a number or a flag as it is written; a whole number without a point.
  public var meantText: String? {
    switch value {
    case .string(let text): text
    case .bool(let value): value ? "true" : "false"
    case .number: number.map { value in Int64(exactly: value).map(String.init) ?? "\(value)" }
    default: nil
    }
  }
}

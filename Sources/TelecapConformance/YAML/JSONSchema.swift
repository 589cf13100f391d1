/// The JSON Schema (2020-12) of a kind of YAML file, made from the same shape that its decoder goes by, for editors that
/// complete and check.
public enum JSONSchema {
  /// The schema of `shape` as JSON text, indented, with a line feed at its end.
  public static func text(of shape: YAMLShape, id: String, title: String) -> String {
    let head: [(String, JSON)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("$id", .text(id)), ("title", .text(title)),
    ]
    guard case .object(let members) = schema(.mapping(shape)) else { return "" }
    return JSON.object(head + members).written(indent: 0) + "\n"
  }

  /// A JSON value, its members in order.
  private indirect enum JSON {
    case text(String)
    case flag(Bool)
    case list([JSON])
    case object([(String, JSON)])

    func written(indent: Int) -> String {
      let inner = String(repeating: " ", count: indent + 2)
      let outer = String(repeating: " ", count: indent)
      switch self {
      case .text(let text): return JSON.quoted(text)
      case .flag(let flag): return flag ? "true" : "false"
      case .list(let list): return "[" + list.map { $0.written(indent: indent) }.joined(separator: ", ") + "]"
      case .object(let members):
        if members.isEmpty { return "{}" }
        let lines = members.map { "\(inner)\(JSON.quoted($0.0)): \($0.1.written(indent: indent + 2))" }
        return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
      }
    }

    private static func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
  }

  private static func schema(_ type: YAMLType) -> JSON {
    switch type {
    case .text: .object([("type", .list([.text("string"), .text("number"), .text("boolean")]))])
    case .integer:
      .object([
        ("anyOf", .list([.object([("type", .text("integer"))]), pattern("^0x[0-9a-fA-F]+$")]))
      ])
    case .number: .object([("type", .text("number"))])
    case .flag: .object([("type", .text("boolean"))])
    case .time: pattern("^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s)|0)$")
    case .hex: .object([("type", .list([.text("string"), .text("integer")]))])
    case .oneOf(let words): .object([("enum", .list(words.map(JSON.text)))])
    case .list(let element): .object([("type", .text("array")), ("items", schema(element))])
    case .either(let types): .object([("anyOf", .list(types.map(schema)))])
    case .dictionary(let element):
      .object([("type", .text("object")), ("additionalProperties", schema(element))])
    case .mapping(let shape): object(shape)
    }
  }

  private static func object(_ shape: YAMLShape) -> JSON {
    let properties = shape.keys.map { key -> (String, JSON) in
      guard case .object(let members) = schema(key.type) else { return (key.name, .object([])) }
      return (key.name, .object([("description", .text(key.meaning))] + members))
    }
    var members: [(String, JSON)] = [
      ("type", .text("object")), ("properties", .object(properties)), ("additionalProperties", .flag(false)),
    ]
    let required = shape.keys.filter(\.isRequired).map { JSON.text($0.name) }
    if !required.isEmpty { members.append(("required", .list(required))) }
    return .object(members)
  }

  private static func pattern(_ pattern: String) -> JSON {
    .object([("type", .text("string")), ("pattern", .text(pattern))])
  }
}

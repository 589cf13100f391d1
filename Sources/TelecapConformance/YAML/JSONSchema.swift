import TelecapText

/// The JSON Schema (2020-12) of a kind of YAML file, made from the shape of its decoder, for completion and checks in
/// editors.
public enum JSONSchema {
  /// The schema of `shape` as JSON text, indented, with a line feed at its end.
  public static func text(of shape: YAMLShape, id: String, title: String) -> String {
    let head = object([
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("$id", .string(id)),
      ("title", .string(title)),
    ])
    return JSONNode(.object((head.members ?? []) + (schema(.mapping(shape)).members ?? []))).laidOut
  }

  private static func schema(_ type: YAMLType) -> JSONNode {
    switch type {
    case .text: object([("type", scalar)])
    case .line: object([("type", scalar), ("pattern", .string(line))])
    case .integer:
      object([
        ("anyOf", list([object([("type", .string("integer"))]), pattern("^0x[0-9a-fA-F]+$")]))
      ])
    case .number: object([("type", .string("number"))])
    case .flag: object([("type", .string("boolean"))])
    case .time: pattern("^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|min|h)|0)$")
    case .hex: object([("type", list([.string("string"), .string("integer")]))])
    case .oneOf(let words): object([("enum", list(words.map(JSONNode.string)))])
    case .list(let element): object([("type", .string("array")), ("items", schema(element))])
    case .either(let types): object([("anyOf", list(types.map(schema)))])
    case .dictionary(let element):
      object([("type", .string("object")), ("additionalProperties", schema(element))])
    case .mapping(let shape): object(shape)
    }
  }

  /// The pattern of one line of text: without the scalars that `isPlain` rejects, except noncharacters.
  private static let line = #"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$"#
  private static let scalar = list([.string("string"), .string("number"), .string("boolean")])

  private static func object(_ shape: YAMLShape) -> JSONNode {
    let properties = shape.keys.map { key -> JSONMember in
      let description = JSONMember("description", .string(key.meaning))
      return JSONMember(key.name, JSONNode(.object([description] + (schema(key.type).members ?? []))))
    }
    var members: [(String, JSONNode)] = [
      ("type", .string("object")), ("properties", JSONNode(.object(properties))),
      ("additionalProperties", JSONNode(.bool(false))),
    ]
    let required = shape.keys.filter(\.isRequired).map { JSONNode.string($0.name) }
    if !required.isEmpty { members.append(("required", list(required))) }
    return object(members)
  }

  private static func pattern(_ pattern: String) -> JSONNode {
    object([("type", .string("string")), ("pattern", .string(pattern))])
  }

  private static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(members.map { JSONMember($0.0, $0.1) }))
  }

  private static func list(_ elements: [JSONNode]) -> JSONNode { JSONNode(.array(elements)) }
}

/// The type of a value in a YAML file, for the checks of the decoder and for JSON Schemas.
public indirect enum YAMLType: Sendable {
  /// Any text.
  case text
  /// A name, a title or another text for people: one line, without control characters and changes of text direction
  /// (`Unicode.Scalar.isPlain`).
  case line
  /// A whole number; also `0x1f`.
  case integer
  /// A number; also `.nan`, `.inf` and `-.inf`.
  case number
  /// `true` or `false`.
  case flag
  /// A time with its unit: `20ms`, `1.5s`.
  case time
  /// Bytes as hexadecimal digits.
  case hex
  /// One of these words.
  case oneOf([String])
  /// A list.
  case list(YAMLType)
  /// One of these types; the first one with a matching form.
  case either([YAMLType])
  /// A mapping with known keys.
  case mapping(YAMLShape)
  /// A mapping with any keys.
  case dictionary(YAMLType)

  /// Its name in an error.
  public var words: String {
    switch self {
    case .text, .line: "text"
    case .integer: "a whole number"
    case .number: "a number"
    case .flag: "true or false"
    case .time: "a time with its unit, such as 20ms or 1.5s"
    case .hex: "hexadecimal digits"
    case .oneOf(let words): words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    case .list(let type): "a list, each entry \(type.words)"
    case .either(let types): types.map(\.words).joined(separator: ", or ")
    case .mapping(let shape): "a mapping (\(shape.name))"
    case .dictionary(let type): "a mapping, each value \(type.words)"
    }
  }
}

/// The keys of a mapping.
public struct YAMLShape: Sendable {
  /// The name of the described mapping: `step`.
  public let name: String
  /// Its keys, in the recommended order.
  public let keys: [YAMLKey]

  /// Keys of other formats with advice: `endian`, `write "byte-order"`. They are lower-case with dashes.
  public let foreignKeys: [String: String]

  /// A shape with these keys.
  public init(_ name: String, _ keys: [YAMLKey], foreign foreignKeys: [String: String] = [:]) {
    self.name = name
    self.keys = keys
    self.foreignKeys = foreignKeys
  }
}

/// One key of a mapping.
public struct YAMLKey: Sendable {
  /// The key.
  public let name: String
  /// The type of its value.
  public let type: YAMLType
  /// Whether it is required.
  public let isRequired: Bool
  /// Its purpose, as a sentence.
  public let meaning: String

  /// An example value for errors, as it is written: `[0, 1]`.
  public let example: String?
  /// Values of other formats with advice: `server`, `write host`. They are lower-case with dashes.
  public let foreignValues: [String: String]

  /// A key with these properties.
  public init(
    _ name: String, _ type: YAMLType, required: Bool = false, _ meaning: String, example: String? = nil,
    foreign foreignValues: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    isRequired = required
    self.meaning = meaning
    self.example = example
    self.foreignValues = foreignValues
  }

  /// The normalised form of a foreign word: `msg-id` for `MSG_ID`, and `udp,tcp` for `udp, tcp`.
  static func lookedUp(_ word: String) -> String {
    word.lowercased().replacing("_", with: "-").replacing(" ", with: "")
  }
}

/// What stands in a YAML file, as data: the decoder checks a file against it, and its JSON Schema is made from it.
public indirect enum YAMLType: Sendable {
  /// Any text.
  case text
  /// A name, a title or another text for people: one line, without controls and what turns the direction of
  /// text (`Unicode.Scalar.isPlain`).
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
  /// One of these types; the first that fits.
  case either([YAMLType])
  /// A mapping with known keys.
  case mapping(YAMLShape)
  /// A mapping with keys of the reader's own.
  case dictionary(YAMLType)

  /// What it is in words, for an error.
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
  /// What it describes, in a word: `step`.
  public let name: String
  /// Its keys, in the order in which they are best written.
  public let keys: [YAMLKey]

  /// Keys of other formats, and what to write in their place: `endian`, `write "byte-order"`. They are lower-case with dashes.
  public let foreignKeys: [String: String]

  /// A shape of these keys.
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
  /// What stands behind it.
  public let type: YAMLType
  /// It may not be left out.
  public let isRequired: Bool
  /// What it is for, in a sentence.
  public let meaning: String

  /// A value of it for errors, as it is written: `[0, 1]`.
  public let example: String?
  /// Values of other formats, and what to write in their place: `server`, `write host`. They are lower-case with dashes.
  public let foreignValues: [String: String]

  /// A key of these values.
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

  /// A word of a file as foreign words are looked up by it: `MSG_ID` by `msg-id`, and `udp, tcp` by `udp,tcp`.
  static func lookedUp(_ word: String) -> String {
    word.lowercased().replacing("_", with: "-").replacing(" ", with: "")
  }
}

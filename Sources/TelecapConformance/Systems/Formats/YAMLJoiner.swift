import TelecapRecording
import TelecapText

/// Makes an object of each block of YAML between lines of `---`, as `rostopic echo` prints messages. Other lines pass
/// unchanged.
struct YAMLJoiner: Sendable {
  private var open: [PrintedText] = []
  private var bytes = 0
  private var hasBegun = false
  /// Whether `---` comes before each block, so that the last one has no end.
  private(set) var leads = false

  /// Adds the next line; returns the complete ones.
  mutating func add(_ line: PrintedText) -> [PrintedText] {
    if YAMLJoiner.isMark(line.text) {
      if !hasBegun { leads = open.isEmpty }
      hasBegun = true
      return finish()
    }
    open.append(line)
    bytes += line.text.count + 1
    guard bytes < LineJoiner.mostBytes, open.count < LineJoiner.mostLines else { return pass() }
    return []
  }

  /// Returns the open lines, as an object if they are one.
  mutating func finish() -> [PrintedText] {
    guard let last = open.last else { return [] }
    // Start-up messages may come before the first block.
    guard let first = open.firstIndex(where: { YAMLJoiner.isKey($0.text) }) else { return pass() }
    let text = open[first...].map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: "\n")
    guard let object = YAMLValue.object(printed: text) else { return pass() }
    let lead = Array(open[..<first])
    (open, bytes) = ([], 0)
    return lead + [PrintedText(Array(object.onOneLine.utf8), at: last.time)]
  }

  private mutating func pass() -> [PrintedText] {
    defer { (open, bytes) = ([], 0) }
    return open
  }

  private static func isMark(_ line: [UInt8]) -> Bool {
    let marks = line.reversed().drop { $0 == UInt8(ascii: " ") }
    return marks.count == 3
      && (marks.allSatisfy { $0 == UInt8(ascii: "-") } || marks.allSatisfy { $0 == UInt8(ascii: ".") })
  }

  /// Whether it begins with a name and a colon.
  private static func isKey(_ line: [UInt8]) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") }
    let rest = line.dropFirst(name.count)
    return !name.isEmpty && rest.first == UInt8(ascii: ":")
      && (rest.count == 1 || rest.dropFirst().first == UInt8(ascii: " "))
  }
}

extension YAMLValue {
  /// A printed block of YAML as an object; nil where it is none.
  fileprivate static func object(printed text: String) -> JSONNode? {
    guard let value = read(printed: text), case .mapping(let pairs) = value.content, !pairs.isEmpty else { return nil }
    return value.node
  }

  /// The value as JSON: anything but JSON numbers and flags is text, which rules interpret.
  private var node: JSONNode {
    switch content {
    case .list(let elements): JSONNode(.array(elements.map(\.node)))
    case .mapping(let pairs): JSONNode(.object(pairs.map { JSONMember($0.key.text ?? "", $0.value.node) }))
    case .scalar(let text, isQuoted: true): .string(text)
    case .scalar(let text, isQuoted: false):
      switch text {
      case "", "~", "null", "Null", "NULL": JSONNode(.null)
      case "true", "True", "TRUE": JSONNode(.bool(true))
      case "false", "False", "FALSE": JSONNode(.bool(false))
      case ".nan", ".NaN", ".NAN": .string("nan")
      case ".inf", ".Inf", "+.inf": .string("inf")
      case "-.inf", "-.Inf": .string("-inf")
      default: YAMLValue.isNumber(text) ? JSONNode(.number(text)) : .string(text)
      }
    }
  }

  /// Whether it is a number in JSON.
  private static func isNumber(_ text: String) -> Bool {
    guard let last = text.last, last.isASCII, last.isNumber, Double(text) != nil else { return false }
    let digits = text.drop { $0 == "-" }
    return text.count - digits.count < 2 && digits.first?.isNumber == true
      && (digits.first != "0" || digits.dropFirst().first.map { !$0.isNumber && $0 != "x" } ?? true)
      && digits.allSatisfy { $0.isNumber || ".eE+-".contains($0) }
  }
}

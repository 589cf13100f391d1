import TelecapRecording

/// Joins the lines of a JSON object that spans several, as of `json.dumps(…, indent=2)`, until its braces and brackets
/// outside of strings balance. Other lines, for example of another thread, pass unchanged.
public struct LineJoiner: Sendable {
  /// The maximum length of an object in bytes; a longer one is passed on incomplete.
  public static let mostBytes = MappingStatistics.longestLine
  /// The maximum number of its lines.
  public static let mostLines = 1_000

  /// The open object, its lines joined by blanks; empty without one.
  private var open: [UInt8] = []
  private var lines = 0
  private var time: Nanoseconds = 0
  private var depth = 0
  /// Its last byte other than a blank.
  private var last: UInt8 = 0

  /// A joiner without an open object.
  public init() {}

  /// Adds the next line; returns the complete ones.
  public mutating func add(_ line: PrintedText) -> [PrintedText] {
    let rest = line.text.drop { LineJoiner.isBlank($0) }
    var whole: [PrintedText] = []
    if lines > 0, let first = rest.first {
      // An object cannot begin here, so the open one was cut off.
      if first == UInt8(ascii: "{"), !":,[(".utf8.contains(last) { whole += finish() }
      if lines > 0, !LineJoiner.mayGoOn(rest) { return whole + [line] }
    }
    if lines == 0 {
      guard LineJoiner.begins(rest) else { return whole + [line] }
    } else {
      open.append(UInt8(ascii: " "))
    }
    open += rest
    lines += 1
    time = line.time
    scan(rest)
    if depth == 0 || open.count >= LineJoiner.mostBytes || lines >= LineJoiner.mostLines { whole += finish() }
    return whole
  }

  /// Returns the open object as it is and closes it; empty without one.
  public mutating func finish() -> [PrintedText] {
    defer { self = LineJoiner() }
    return lines == 0 ? [] : [PrintedText(Array(open.prefix(LineJoiner.mostBytes)), at: time)]
  }

  /// Counts the brackets of a line. After the end of an object only another one continues; strings end with their line.
  private mutating func scan(_ line: ArraySlice<UInt8>) {
    var quote: UInt8?
    var isEscaped = false
    for byte in line where !LineJoiner.isBlank(byte) {
      if depth == 0, !"{[,".utf8.contains(byte) { return }
      last = byte
      if let end = quote {
        if !isEscaped, byte == end { quote = nil }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth = max(0, depth - 1)
      default: break
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Whether it begins an object or a list of objects, not text in brackets or braces.
  private static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    let next = line.dropFirst().first { !isBlank($0) }
    switch line.first {
    case UInt8(ascii: "{"): return next.map { "\"'{}".utf8.contains($0) } ?? true
    case UInt8(ascii: "["): return next.map { "{[".utf8.contains($0) } ?? true
    default: return false
    }
  }

  /// The words with which a line of an object may begin.
  private static let words = ["true", "false", "null", "True", "False", "None", "nan", "NaN", "inf", "Infinity"]

  /// Whether it may be part of an object: one that begins with another word is a separate line.
  private static func mayGoOn(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first else { return true }
    if "\"'{}[](),:-+.".utf8.contains(first) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return true }
    return words.contains { line.starts(with: $0.utf8) }
  }
}

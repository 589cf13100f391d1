import TelecapRecording
import TelecapText

/// Whether bytes are JSON (RFC 8259), without reading their values: CONFIG must hold an object. Strict: no comments, no
/// trailing commas, UTF-8 only. Allocates nothing.
enum JSONSyntax {
  /// The bytes in `range` are one JSON object.
  static func isObject(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var first = FirstValue()
    do throws(JSONProblem) {
      try JSONScanner.scan(bytes.extracting(range.clamped(to: 0..<bytes.byteCount)), to: &first)
    } catch {
      return false
    }
    return first.isObject ?? false
  }

  /// Only looks at what the outermost value is.
  private struct FirstValue: JSONVisitor {
    var isObject: Bool?

    mutating func begin(_ container: JSONContainer, at offset: Int) {
      if isObject == nil { isObject = container == .object }
    }
    mutating func string(_ range: Range<Int>) { if isObject == nil { isObject = false } }
    mutating func number(_ range: Range<Int>) { if isObject == nil { isObject = false } }
    mutating func word(_ value: Bool?, at offset: Int) { if isObject == nil { isObject = false } }
    mutating func end() {}
    mutating func key(_ range: Range<Int>) {}
    mutating func trailingComma(at offset: Int) {}
  }
}

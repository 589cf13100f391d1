import TelecapConformance
import TelecapRecording
import TelecapText

/// Reads test vectors from text: blocks of a message's name, and below it `source:`, `bytes:` and the values of its fields.
public enum VectorFile {
  /// The vectors of a text, in its order.
  ///
  /// - Parameter file: the name of the file, for errors.
  /// - Throws: `YAMLFileError` with line and column, about the first line that is wrong.
  public static func read(_ text: String, file: String) throws(YAMLFileError) -> [TestVector] {
    var reader = Reader(file: file)
    for (index, line) in text.lines.enumerated() { try reader.take(line, number: index + 1) }
    try reader.finishBlock()
    return reader.vectors
  }

  private struct Reader {
    let file: String
    var vectors: [TestVector] = []
    private var block: TestVector?

    init(file: String) { self.file = file }

    mutating func take(_ line: Substring, number: Int) throws(YAMLFileError) {
      let text = line.trimmed
      guard !text.isEmpty, !text.hasPrefix("#") else { return }
      let column = line.distance(from: line.startIndex, to: text.startIndex) + 1
      if column == 1 {
        try finishBlock()
        try begin(text, number)
      } else {
        try takeDetail(text, number, column)
      }
    }

    /// `PAD`, or `PAD over udp`.
    private mutating func begin(_ text: Substring, _ number: Int) throws(YAMLFileError) {
      let words = text.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count == 1 || words.count == 3 && words[1] == "over" else {
        throw error(
          number, 1, "a block begins with the name of a message, and \"over\" with a transport, found \"\(text)\"")
      }
      block = TestVector(
        message: String(words[0]), carrier: words.count == 3 ? String(words[2]) : nil, source: "", bytes: [],
        expectations: [], line: number)
    }

    private mutating func takeDetail(_ text: Substring, _ number: Int, _ column: Int) throws(YAMLFileError) {
      guard block != nil else {
        throw error(number, column, "a message's name, at the beginning of a line, comes first")
      }
      if let source = text.value(of: "source:") {
        guard block?.source.isEmpty == true else { throw error(number, column, "a second \"source:\" of this message") }
        block?.source = String(source)
      } else if let digits = text.value(of: "bytes:") {
        guard let bytes = Hex.bytes(digits.filter { $0 != " " }) else {
          throw error(number, column, "\"bytes:\" has pairs of hexadecimal digits, found \"\(digits)\"")
        }
        block?.bytes += bytes
      } else {
        try takeValue(text, number, column)
      }
    }

    /// `field = value`; no value is that of empty bytes and of empty text.
    private mutating func takeValue(_ text: Substring, _ number: Int, _ column: Int) throws(YAMLFileError) {
      guard let equals = text.firstIndex(of: "=") else {
        throw error(number, column, "write \"source: …\", \"bytes: …\" or \"field = value\", found \"\(text)\"")
      }
      let (field, value) = (String(text[..<equals].trimmed), String(text[text.index(after: equals)...].trimmed))
      guard !field.isEmpty else { throw error(number, column, "a field is before \"=\", found \"\(text)\"") }
      guard block?.expectations.contains(where: { $0.field == field }) == false else {
        throw error(number, column, "a second value of \"\(field)\" in this message")
      }
      block?.expectations.append(TestVector.Expectation(field: field, value: value, line: number))
    }

    mutating func finishBlock() throws(YAMLFileError) {
      guard let done = block else { return }
      if done.bytes.isEmpty { throw error(done.line, 1, "\(done.message) has no \"bytes:\"") }
      if done.source.isEmpty {
        throw error(done.line, 1, "\(done.message) has no \"source:\": write who published its bytes")
      }
      vectors.append(done)
      block = nil
    }

    private func error(_ line: Int, _ column: Int, _ problem: String) -> YAMLFileError {
      YAMLFileError(file: file, line: line, column: column, problem)
    }
  }
}

extension Substring {
  /// Without the white space at both ends.
  fileprivate var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// The text after a key that it begins with; nil where it does not.
  fileprivate func value(of key: String) -> Substring? { hasPrefix(key) ? dropFirst(key.count).trimmed : nil }
}

import TelecapRecording
import TelecapText

/// A line of output, or an object in it, as its values.
struct SeenRecord {
  /// The time at which it was read, in ns since the session began.
  let time: Nanoseconds
  /// The source of the line.
  let source: SystemFile.Source
  /// The text for reports.
  let quoted: String
  /// The words of text; nil for an object.
  let words: LineWords?
  /// The values by path, in order; for text, by the index of the word.
  let values: [(path: [String], value: JSONNode)]

  /// The maximum number of values of an object.
  private static let most = 256

  /// The maximum length of a line of text, in bytes.
  private static let longest = 4_096

  /// The form of lines that one rule can read: for text all gaps between its words.
  var form: String { words.map { "text \($0.form)" } ?? "json" }

  /// The shape of records with one meaning: for objects the paths of their values.
  var shape: String { words == nil ? values.map { $0.path.joined(separator: ".") }.joined(separator: " ") : form }

  /// The value at a path.
  subscript(path: [String]) -> JSONNode? { values.first { $0.path == path }?.value }

  /// The start of a line of text, up to the word at an index.
  func cut(behind place: Int) -> SeenRecord {
    SeenRecord(
      time: time, source: source, quoted: quoted, words: words?.cut(behind: place),
      values: Array(values.prefix(place + 1)))
  }

  /// The records of a line: each object in it, or its text. A line of punctuation only, such as a separator, has none.
  static func records(of line: SeenLine) -> [SeenRecord] {
    let read = PrintedLine(line.text.utf8)
    if read.objects.isEmpty {
      guard line.text.utf8.count <= longest else { return [] }
      let words = LineWords(line.text)
      guard !words.words.isEmpty else { return [] }
      let values = words.words.enumerated().map { (path: ["\($0.offset)"], value: JSONNode.string($0.element)) }
      return [SeenRecord(time: line.time, source: line.source, quoted: line.text, words: words, values: values)]
    }
    return read.objects.enumerated().map { place, object in
      var values: [(path: [String], value: JSONNode)] = []
      flatten(object, [], into: &values)
      return SeenRecord(
        time: line.time, source: line.source, quoted: read.quoted(place, of: line.text), words: nil, values: values)
    }
  }

  /// Skips names with a dot, since paths join names with dots; of two members with one name the last counts.
  private static func flatten(
    _ node: JSONNode, _ path: [String], into values: inout [(path: [String], value: JSONNode)]
  ) {
    guard values.count < most else { return }
    if let members = node.members {
      for (place, member) in members.enumerated() where !member.key.isEmpty && !member.key.contains(".") {
        if members[(place + 1)...].contains(where: { $0.key == member.key }) { continue }
        flatten(member.node, path + [member.key], into: &values)
      }
    } else if let elements = node.elements {
      for (place, element) in elements.enumerated() { flatten(element, path + ["\(place)"], into: &values) }
    } else if node.value != .null {
      values.append((path, node))
    }
  }
}

extension JSONNode {
  /// A scalar as it was printed: a number with all its digits.
  var printed: String {
    switch value {
    case .number(let text), .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    default: ""
    }
  }

  /// Whether it can name a kind of line: short, with a letter, and no number.
  var isName: Bool {
    guard let string, meantNumber == nil else { return false }
    return string.count <= 40 && string.contains(where: \.isLetter) && !string.contains(where: \.isNewline)
  }
}

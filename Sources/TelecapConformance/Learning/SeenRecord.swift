import TelecapRecording
import TelecapText

/// A line, or an object of one, as the values that stand in it.
struct SeenRecord {
  /// When it was read, in ns since the session began.
  let time: Nanoseconds
  /// Where it came from.
  let source: SystemFile.Source
  /// As a report quotes it.
  let quoted: String
  /// The words of text; nil for an object.
  let words: LineWords?
  /// The values by their paths, in their order: of text by the places of the words.
  let values: [(path: [String], value: JSONNode)]

  /// How many values of an object are looked at.
  private static let most = 256

  /// A longer line of text is passed over, in bytes.
  private static let longest = 4_096

  /// What lines that one rule can read have in common: of text all that stands between its words.
  var form: String { words.map { "text \($0.form)" } ?? "json" }

  /// What records that mean the same have in common: of objects the paths of their values.
  var shape: String { words == nil ? values.map { $0.path.joined(separator: ".") }.joined(separator: " ") : form }

  /// The value at a path.
  subscript(path: [String]) -> JSONNode? { values.first { $0.path == path }?.value }

  /// The beginning of a line of text, up to the word at a place.
  func cut(behind place: Int) -> SeenRecord {
    SeenRecord(
      time: time, source: source, quoted: quoted, words: words?.cut(behind: place),
      values: Array(values.prefix(place + 1)))
  }

  /// The records of a line: each object of it, or its text. A line of marks alone, as stands between two blocks, tells nothing.
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

  /// What a path cannot name, since points stand between its names, is left out; of two members with one name the last counts.
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

  /// A word by which kinds of lines are told apart: short, with a letter in it, and no number.
  var isName: Bool {
    guard let string, meantNumber == nil else { return false }
    return string.count <= 40 && string.contains(where: \.isLetter) && !string.contains(where: \.isNewline)
  }
}

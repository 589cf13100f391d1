import TelecapConformance
import TelecapImpairment

/// The output of a device, as the declaration of its events has it (`DeviceProgram.events`): the event of a line, and
/// the positions of its fields.
struct ToldKind: Sendable {
  /// The event's name.
  let name: String
  private let event: DeviceEvent
  /// The word that a line of it has; nil where it is one of the words of its field.
  private let anchor: String?
  /// The values of fields that contain any text, by `event.field`.
  private let known: [String: [String]]

  /// The kinds of lines that a device prints; `texts` has, by `event.field`, the values of fields of any text.
  static func all(of program: DeviceProgram, texts: [String: [String]]) -> [ToldKind] {
    program.events.map { ToldKind($0, texts) }
  }

  private init(_ event: DeviceEvent, _ known: [String: [String]]) {
    (self.event, self.known, name) = (event, known, event.name)
    anchor = ToldKind.anchors[event.name] ?? event.name
  }

  /// The words of our models that differ from the event's name.
  private static let anchors: [String: String?] = [
    "strength": "output", "felt": "intensity", "scrolled": "scrolls", "handed-on": "to", "armed": "within",
    "sound": nil, "finding": nil,
  ]

  /// The fields that mutants change.
  var numbers: [String] { event.fields.filter { $0.words == nil && $0.name != "t" }.map(\.name) }
  var words: [(name: String, words: [String])] {
    event.fields.compactMap { field in field.words.flatMap { $0.isEmpty ? nil : (field.name, $0) } }
  }

  /// Its fields of any text, with their values.
  var texts: [(name: String, words: [String])] {
    event.fields.compactMap { field in known["\(name).\(field.name)"].map { (field.name, $0) } }
  }

  /// The range of numbers in a field of this name.
  static func fit(of field: String) -> ValueFit {
    switch field {
    case "n": .count
    case "delay": .signedShare
    case "x", "y": .any
    case "at": .size
    default: .share
    }
  }

  /// Whether the line is of this event.
  func matches(_ line: String) -> Bool {
    let tokens = ToldKind.tokens(line, aside: name == "finding")
    if let anchor { return tokens.contains { $0.word == anchor } }
    return words.contains { field in tokens.contains { field.words.contains($0.word) } }
  }

  /// The text of a field, of a time its seconds; nil where the line does not have it.
  func text(_ field: String, in line: String) -> String? {
    range(of: field, in: line).map { range in
      let word = String(line[range])
      return ToldKind.seconds(word).map { "\($0)" } ?? word
    }
  }

  /// The line with another text in the field.
  func line(_ line: String, with field: String, _ text: String) -> String {
    guard let range = range(of: field, in: line) else { return line }
    let isTime = ToldKind.seconds(String(line[range])) != nil
    return line.replacingCharacters(in: range, with: isTime ? "\(text)s" : text)
  }

  /// `200ms` in seconds; nil for what is no time.
  private static func seconds(_ word: String) -> Double? {
    guard Double(word) == nil else { return nil }
    return (try? Interval(parsing: word)).map { Double($0.nanoseconds) / 1e9 }
  }

  /// Numbers and words of a line are in the order of the event's fields.
  private func range(of name: String, in line: String) -> Range<String.Index>? {
    var rest = ToldKind.tokens(line, aside: self.name == "finding")[...]
    for field in event.fields where field.name != "t" {
      let words = known["\(self.name).\(field.name)"] ?? field.words
      let found = rest.firstIndex { token in
        words?.contains(token.word) ?? (Double(token.word) != nil || ToldKind.seconds(token.word) != nil)
      }
      guard let found else { continue }
      if field.name == name { return rest[found].range }
      rest = rest[(found + 1)...]
    }
    return nil
  }

  /// The words of a line with their ranges, without a comma after them, and without text in brackets.
  private static func tokens(_ line: String, aside: Bool) -> [(word: String, range: Range<String.Index>)] {
    let kept = aside ? line.drop { $0 == "(" } : line.prefix { $0 != "(" }
    return kept.split(separator: " ").map { token in
      let bare = token.last == "," || token.last == ")" ? token.dropLast() : token
      return (String(bare), bare.startIndex..<bare.endIndex)
    }
  }
}

extension String {
  /// The same with `text` in place of this range.
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}

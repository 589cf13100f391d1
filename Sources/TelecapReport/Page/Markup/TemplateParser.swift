/// A part of a template.
enum TemplatePart: Hashable, Sendable {
  /// Text, as it is.
  case text(String)
  /// `{{name}}`, or `{{{name}}}` for markup, which is not escaped.
  case value(String, isMarkup: Bool)
  /// `{{#name}}…{{/name}}`, or inverted `{{^name}}…{{/name}}`.
  case section(String, isInverted: Bool, [TemplatePart])
}

/// Reads the tags of a template, line by line: no tag goes on in the next one. They are those of Mustache that our templates use.
struct TemplateParser {
  /// A problem of a template, with its line.
  struct Problem: Error, Hashable {
    let line: Int
    let text: String
  }

  /// A section whose end has not come yet; the first is the template itself.
  private struct Open {
    let name: String
    let isInverted: Bool
    var parts: [TemplatePart] = []
  }

  private var line = 0
  private var open = [Open(name: "", isInverted: false)]

  /// The parts of a template.
  static func parts(of text: String) throws(Problem) -> [TemplatePart] {
    var parser = TemplateParser()
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: "\n").map { rest.index(after: $0) } ?? rest.endIndex
      parser.line += 1
      try parser.read(rest[..<end])
      rest = rest[end...]
    }
    guard parser.open.count == 1 else { throw parser.problem("\(parser.open[parser.open.count - 1].name) has no end") }
    return parser.open[0].parts
  }

  /// A line in which the mark of a section stands alone goes whole.
  private mutating func read(_ line: Substring) throws(Problem) {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    let isAlone = words.count == 1 && words[0].hasSuffix("}}") && !words[0].dropFirst(2).contains("{")
    if isAlone, ["{{#", "{{^", "{{/"].contains(words[0].prefix(3)) {
      return try tag(words[0].dropFirst(2).dropLast(2), false)
    }
    var rest = line
    while let begin = rest.firstRange(of: "{{") {
      put(.text(String(rest[..<begin.lowerBound])))
      let isMarkup = rest[begin.upperBound...].hasPrefix("{")
      rest = rest[begin.upperBound...].dropFirst(isMarkup ? 1 : 0)
      guard let end = rest.firstRange(of: isMarkup ? "}}}" : "}}") else { throw problem("a tag has no end") }
      try tag(rest[..<end.lowerBound], isMarkup)
      rest = rest[end.upperBound...]
    }
    put(.text(String(rest)))
  }

  private mutating func tag(_ tag: Substring, _ isMarkup: Bool) throws(Problem) {
    switch tag.first {
    case "#", "^":
      open.append(Open(name: try name(tag.dropFirst()), isInverted: tag.first == "^"))
    case "/": try end(try name(tag.dropFirst()))
    default: put(.value(try name(tag), isMarkup: isMarkup))
    }
  }

  private mutating func end(_ name: String) throws(Problem) {
    guard let last = open.last, last.name == name else { throw problem("\(name) ends, which is not open") }
    open.removeLast()
    put(.section(name, isInverted: last.isInverted, last.parts))
  }

  private func name(_ tag: Substring) throws(Problem) -> String {
    guard tag == "." || !tag.isEmpty && tag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw problem("\"\(tag)\" is no name")
    }
    return String(tag)
  }

  /// Text after text is one text: fewer parts are joined faster.
  private mutating func put(_ part: TemplatePart) {
    let last = open.count - 1
    guard case .text(let text) = part else { return open[last].parts.append(part) }
    if text.isEmpty { return }
    if case .text(let before) = open[last].parts.last {
      open[last].parts[open[last].parts.count - 1] = .text(before + text)
    } else {
      open[last].parts.append(part)
    }
  }

  private func problem(_ text: String) -> Problem { Problem(line: line, text: text) }
}

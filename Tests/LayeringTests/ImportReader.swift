/// One import declaration.
struct Import: Hashable, CustomStringConvertible {
  let module: String
  let line: Int

  var description: String { "\(module), line \(line)" }
}

/// Finds import declarations the way the compiler does: not in comments, not in strings, whatever stands before them.
enum ImportReader {
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
  ]

  /// The imports of a source in their order.
  static func imports(in source: String) -> [Import] {
    var result: [Import] = []
    for (number, line) in bare(source).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for statement in line.split(separator: ";") {
        if let module = module(of: statement) { result.append(Import(module: module, line: number + 1)) }
      }
    }
    return result
  }

  /// What is wrong with a source of `room`: one sentence for each import that the table does not allow.
  static func violations(in source: String, path: String, room: Room) -> [String] {
    imports(in: source).filter { !room.allowed.contains($0.module) }
      .map { "\(path):\($0.line): \(room.name) must not import \($0.module)" }
  }

  /// `@testable public import struct A.B` → `A`.
  private static func module(of statement: Substring) -> String? {
    let words = statement.split(whereSeparator: \.isWhitespace)
    guard let start = words.firstIndex(of: "import"),
      words[..<start].allSatisfy({ $0.hasPrefix("@") || $0.hasSuffix(")") || accessLevels.contains(String($0)) })
    else { return nil }
    var rest = words[(start + 1)...]
    if let first = rest.first, kinds.contains(String(first)) { rest = rest.dropFirst() }
    return rest.first?.split(separator: ".").first.map { $0.filter { $0 != "`" } }
  }

  private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]

  /// The source with comments and the insides of strings left out; lines stay where they are.
  private static func bare(_ source: String) -> String {
    var rest = source[...]
    var result = ""
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        result += " " + String(repeating: "\n", count: lines(dropping: comment(rest), from: &rest))
      } else if let end = string(rest) {
        result += "\"\"" + String(repeating: "\n", count: lines(dropping: end, from: &rest))
      } else {
        result.append(character)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Drops what lies before `end` and says how many lines that were.
  private static func lines(dropping end: String.Index, from rest: inout Substring) -> Int {
    defer { rest = rest[end...] }
    return rest[..<end].count { $0.isNewline }
  }

  /// Where the comment that begins here ends; comments nest.
  private static func comment(_ text: Substring) -> String.Index {
    var rest = text
    var depth = 0
    repeat {
      let isBracket = rest.hasPrefix("/*") || rest.hasPrefix("*/")
      if isBracket { depth += rest.hasPrefix("/*") ? 1 : -1 }
      rest = rest.dropFirst(isBracket ? 2 : 1)
    } while depth > 0 && !rest.isEmpty
    return rest.startIndex
  }

  /// Where the string that begins here ends, or nil where none begins; one on a line ends with the line at the latest.
  private static func string(_ text: Substring) -> String.Index? {
    let hashes = String(text.prefix { $0 == "#" })
    var rest = text.dropFirst(hashes.count)
    let isLong = rest.hasPrefix("\"\"\"")
    guard rest.first == "\"" else { return nil }
    let end = (isLong ? "\"\"\"" : "\"") + hashes
    rest = rest.dropFirst(isLong ? 3 : 1)
    while let character = rest.first, isLong || !character.isNewline {
      if rest.hasPrefix(end) { return rest.dropFirst(end.count).startIndex }
      rest = rest.dropFirst(character == "\\" && hashes.isEmpty ? 2 : 1)
    }
    return rest.startIndex
  }
}

/// The words and names of some SQL, in lower case and without comments (https://www.sqlite.org/lang_keywords.html).
struct SQLWords {
  /// The words outside quotes.
  private(set) var words: Set<String> = []
  /// The quoted words, with quotes of any kind: SQLite reads a text as a name where it can be nothing else.
  private var quoted: Set<String> = []

  /// Whether a comment begins that has no end: SQLite takes it to the end of what is compiled, which is more than this.
  private(set) var hasOpenComment = false

  /// All words that may be the name of a table.
  var names: Set<String> { words.union(quoted) }

  init(_ sql: String) {
    var rest = Array(sql.utf8)[...]
    while let first = rest.first {
      switch first {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quoted.insert(Self.takeQuoted(&rest, by: first))
      case UInt8(ascii: "["): quoted.insert(Self.text(Self.take(&rest, from: "[", through: "]")))
      case UInt8(ascii: "-") where rest.starts(with: Array("--".utf8)): _ = Self.take(&rest, from: "--", through: "\n")
      case UInt8(ascii: "/") where rest.starts(with: Array("/*".utf8)):
        let comment = Self.take(&rest, from: "/*", through: "*/")
        hasOpenComment = comment.endIndex + 2 > sql.utf8.count
      default:
        let word = rest.prefix { Self.isOfWord($0) }
        if !word.isEmpty { words.insert(Self.text(word)) }
        rest = rest.dropFirst(max(1, word.count))
      }
    }
  }

  /// Takes what is between a beginning, which is there, and an end or that of the SQL.
  private static func take(_ rest: inout ArraySlice<UInt8>, from start: String, through end: String) -> ArraySlice<
    UInt8
  > {
    let end = Array(end.utf8)
    rest = rest.dropFirst(start.utf8.count)
    let all = rest
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    defer { rest = rest.dropFirst(end.count) }
    return all[..<rest.startIndex]
  }

  /// Takes what is in quotes, in which a quote is written twice.
  private static func takeQuoted(_ rest: inout ArraySlice<UInt8>, by quote: UInt8) -> String {
    var bytes: [UInt8] = []
    rest = rest.dropFirst()
    while let next = rest.popFirst() {
      if next == quote {
        guard rest.first == quote else { break }
        rest = rest.dropFirst()
      }
      bytes.append(next)
    }
    return text(bytes[...])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte >= 128
      || [UInt8(ascii: "_"), UInt8(ascii: "$")].contains(byte)
  }
}

import TelecapText

/// Looks for keys that would take for ever to read. The parser compares the keys of a mapping by all that is in them: a key that
/// is a list of aliases to lists of aliases holds more than any machine can count, in a few hundred bytes.
struct YAMLAliases {
  private let text: [UInt8]

  init(_ text: String) { self.text = Array(text.utf8) }

  /// Where a key ends, or begins, that is a list, a mapping or an alias, in a text that has an alias at all; nil where none is.
  var compoundKey: TextPosition? {
    guard hasAlias, let place = text.indices.first(where: isCompoundKey) else { return nil }
    return TextLines(text).position(at: place)
  }

  /// Whether something is named (`&name`) and stands for itself again (`*name`).
  private var hasAlias: Bool {
    let names = Set(text.indices.compactMap { name(behind: "&", at: $0) })
    return !names.isEmpty && text.indices.contains { name(behind: "*", at: $0).map(names.contains) ?? false }
  }

  /// What stands behind a mark that begins a word; nil where it does not.
  private func name(behind mark: Unicode.Scalar, at place: Int) -> ArraySlice<UInt8>? {
    guard text[place] == UInt8(ascii: mark), place == 0 || YAMLAliases.borders.contains(text[place - 1]) else {
      return nil
    }
    let name = text[(place + 1)...].prefix { !YAMLAliases.borders.contains($0) && $0 != UInt8(ascii: ":") }
    return name.isEmpty ? nil : name
  }

  /// `]:`, `}:`, `*name :` or `? `.
  private func isCompoundKey(_ place: Int) -> Bool {
    switch text[place] {
    case UInt8(ascii: "?"):
      let isAlone = place + 1 == text.count || YAMLAliases.borders.contains(text[place + 1])
      return isAlone && (place == 0 || YAMLAliases.borders.contains(text[place - 1]))
    case UInt8(ascii: ":"):
      let before = text[..<place].reversed().drop { $0 == 32 || $0 == 9 }
      if before.first == UInt8(ascii: "]") || before.first == UInt8(ascii: "}") { return true }
      let word = before.prefix { !YAMLAliases.borders.contains($0) && $0 != UInt8(ascii: ":") }
      return word.count > 1 && word.last == UInt8(ascii: "*") && !word.dropLast().contains(UInt8(ascii: "*"))
    default: return false
    }
  }

  /// What words end at.
  private static let borders = Set(" \t\r\n,[]{}".utf8)
}

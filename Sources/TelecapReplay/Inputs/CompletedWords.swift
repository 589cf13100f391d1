import TelecapFiles

/// The completions of a word for a shell.
public enum CompletedWords {
  /// Folders, with `slash` after them, and YAML files in the folder of a word; the word may be `--option=WORD`.
  public static func files(_ begun: String, slash: String) -> [String] {
    var word = begun[...]
    if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") { word = word[word.index(after: sign)...] }
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let names = (try? Folders.names(in: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.compactMap { name in
      if Folders.isFolder(folder + name) { return folder + name + slash }
      return name.hasSuffix(".yaml") ? folder + name : nil
    }
  }

  /// Words that are safe for a shell. bash expands its input, so that a file name could run a command: words with other
  /// characters are skipped. Scalars are checked, since one Character may be a letter and a backquote (U+0D4E precedes
  /// any).
  public static func harmless(_ words: [String], colon: String) -> [String] {
    func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.isASCII {
        return Character(scalar).isLetter || Character(scalar).isNumber || "-_.,+@/: ".contains(Character(scalar))
      }
      return switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber,
        .otherNumber, .nonspacingMark, .spacingMark:
        true
      default: false
      }
    }
    return words.filter { $0.unicodeScalars.allSatisfy(isHarmless) }.map { $0.replacing(":", with: colon) }
  }
}

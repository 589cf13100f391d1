import TelecapFiles

/// What a shell is offered for a word that has begun.
public enum CompletedWords {
  /// Folders, with `slash` behind them, and files of YAML in the folder in which a word is; the word may be `--option=WORD`.
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

  /// Words as a shell takes them. bash expands its input, so that a file's name could be a command: words with other signs than
  /// these are left out. Scalars are checked: one Character may be a letter and a backquote (U+0D4E goes before any).
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

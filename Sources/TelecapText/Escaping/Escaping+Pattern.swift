extension Escaping {
  /// Text as a pattern of a system file (system-file.md) that matches it and nothing else.
  public static func pattern(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\", ".", "^", "$", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}": "\\" + String(scalar)
      default: nil
      }
    }
  }
}

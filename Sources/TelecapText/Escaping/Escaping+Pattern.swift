extension Escaping {
  /// A pattern of a system file (system-file.md) that matches exactly this text.
  public static func pattern(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\", ".", "^", "$", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}": "\\" + String(scalar)
      default: nil
      }
    }
  }
}

/// Something that a player of patterns found in one, as it is told: `(warning ahap.key.unknown at 1:18 $.Colour)`, by its
/// line and column, or its path, or both.
struct DeviceFinding: Hashable {
  /// The pattern cannot be played.
  let isError: Bool
  /// From 1; nil where it does not say.
  let line: Int?
  /// `$.Pattern[0].Event`; nil where it does not say.
  let path: String?

  /// Reads `(error … at PLACE)`, and `finding at PLACE` as a scenario has it; nil for what is none.
  init?(_ words: String) {
    let parts = words.filter { $0 != "(" && $0 != ")" }.split(separator: " ")
    guard let severity = parts.first, ["error", "warning", "note", "finding"].contains(severity) else { return nil }
    let place = parts.lastIndex(of: "at").map { parts[($0 + 1)...] } ?? []
    isError = severity == "error"
    line = place.first.flatMap { $0.split(separator: ":").first }.flatMap { Int($0) }
    path = place.first { $0.hasPrefix("$") }.map(String.init)
  }

  /// Whether `told` is about the same place: the value, what directly holds it, or something in it; or its line. What is no
  /// JSON is found in its line or at the end of the line before.
  func isSame(as told: DeviceFinding) -> Bool {
    guard isError == told.isError else { return false }
    if let path, path != "$", let other = told.path {
      return other == path || other.hasPrefix(path + ".") || other.hasPrefix(path + "[") || other == holder
    }
    guard let line, let other = told.line else { return false }
    return other == line || (path == "$" && other == line - 1)
  }

  /// The path of what directly holds the value.
  private var holder: String? {
    path.flatMap { path in path.lastIndex { $0 == "." || $0 == "[" }.map { String(path[..<$0]) } }
  }
}

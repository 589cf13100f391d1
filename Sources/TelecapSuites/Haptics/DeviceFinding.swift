/// A finding of a pattern player: `(warning ahap.key.unknown at 1:18 $.Colour)`, with its line and column, its path, or
/// both.
struct DeviceFinding: Hashable {
  /// Whether the pattern cannot be played.
  let isError: Bool
  /// The line from 1; nil where it is not reported.
  let line: Int?
  /// `$.Pattern[0].Event`; nil where it is not reported.
  let path: String?

  /// Reads `(error … at PLACE)`, and `finding at PLACE` of a scenario; nil for other text.
  init?(_ words: String) {
    let parts = words.filter { $0 != "(" && $0 != ")" }.split(separator: " ")
    guard let severity = parts.first, ["error", "warning", "note", "finding"].contains(severity) else { return nil }
    let place = parts.lastIndex(of: "at").map { parts[($0 + 1)...] } ?? []
    isError = severity == "error"
    line = place.first.flatMap { $0.split(separator: ":").first }.flatMap { Int($0) }
    path = place.first { $0.hasPrefix("$") }.map(String.init)
  }

  /// Whether `told` has the same position: the value, its direct parent, or a part of it; or its line. A syntax error
  /// may be reported in its line or at the end of the line before.
  func isSame(as told: DeviceFinding) -> Bool {
    guard isError == told.isError else { return false }
    if let path, path != "$", let other = told.path {
      return other == path || other.hasPrefix(path + ".") || other.hasPrefix(path + "[") || other == holder
    }
    guard let line, let other = told.line else { return false }
    return other == line || (path == "$" && other == line - 1)
  }

  /// The path of the value's direct parent.
  private var holder: String? {
    path.flatMap { path in path.lastIndex { $0 == "." || $0 == "[" }.map { String(path[..<$0]) } }
  }
}

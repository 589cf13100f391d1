import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText

/// How devices tell what they do: in words, of which what stands in brackets is said aside and required by nobody.
enum Told {
  /// A number, to four digits behind the point.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
    return "\((value * 10_000).rounded() / 10_000)"
  }

  /// A time in seconds since the pattern began.
  static func interval(_ seconds: Double) -> String {
    guard (0...86_400).contains(seconds) else { return "\(seconds)s" }
    return "\(Interval(nanoseconds: Int64((seconds * 1e9).rounded())))"
  }

  /// The words without what is said aside; nothing where all of it is.
  static func required(_ words: String) -> String {
    var depth = 0
    let kept = words.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" { depth -= 1 } }
      return depth == 0
    }
    return kept.split(separator: " ").joined(separator: " ")
  }
}

/// How near what a device tells must come to what is expected.
struct Nearness {
  /// Times may differ by so many ns.
  let time: Nanoseconds
  /// Numbers may differ by so much.
  let number: Double

  /// Our own models tell exactly; a program prints milliseconds, and three digits.
  init(_ log: RunLog) {
    let isProgram = log.mapping != nil
    (time, number) = isProgram ? (DeviceProgram.tolerance, 0.0006) : (0, 0)
  }

  /// Whether `told` says what is expected: word by word, of which `*` is any.
  func isSame(_ expected: String, _ told: String) -> Bool {
    let told = expected.contains("(") ? told : Told.required(told)
    let (wanted, given) = (expected.split(separator: " "), told.split(separator: " "))
    return wanted.count == given.count && zip(wanted, given).allSatisfy { isSame($0, $1) }
  }

  private func isSame(_ expected: Substring, _ told: Substring) -> Bool {
    if expected == told || expected == "*" { return true }
    let (expected, told) = (Nearness.bare(expected), Nearness.bare(told))
    if let wanted = Double(expected), let given = Double(told) { return (wanted - given).magnitude <= number }
    guard let wanted = try? Interval(parsing: expected), let given = try? Interval(parsing: told) else { return false }
    return (wanted.nanoseconds - given.nanoseconds).magnitude <= time
  }

  /// Whether both times are the same.
  func isSame(_ expected: Timestamp, _ told: Timestamp) -> Bool {
    (told.nanoseconds(since: expected)).magnitude <= time
  }

  private static func bare(_ word: Substring) -> String { String(word.last == "," ? word.dropLast() : word) }
}

/// Something that a player of patterns found in one, as it is told: `(warning ahap.key.unknown at 1:18 $.Colour)`, by its
/// line and column, or its path, or both.
struct ToldFinding: Hashable {
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
  func isSame(as told: ToldFinding) -> Bool {
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

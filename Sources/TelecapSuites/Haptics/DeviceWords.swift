import TelecapImpairment

/// The text output of devices, in which text in brackets is optional.
enum DeviceWords {
  /// A number, to four digits after the point.
  static func number(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
    return "\((value * 10_000).rounded() / 10_000)"
  }

  /// A time in seconds since the start of the pattern.
  static func interval(_ seconds: Double) -> String {
    guard (0...86_400).contains(seconds) else { return "\(seconds)s" }
    return "\(Interval(nanoseconds: Int64((seconds * 1e9).rounded())))"
  }

  /// The text without its optional parts; empty where all of it is optional.
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

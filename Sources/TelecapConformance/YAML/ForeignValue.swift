import TelecapImpairment
import TelecapText

/// Values in the notation of other formats and people, with their form in telecap's files.
enum ForeignValue {
  /// `yes` and `on` are true, `no` and `off` false.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "y", "on", "1", "true", "t": true
    case "no", "n", "off", "0", "false", "f": false
    default: nil
    }
  }

  /// The word that was probably meant: the nearest, or the only one that is a prefix or extension of it (`hex`,
  /// `little_endian`).
  static func word(_ text: String, among words: [String]) -> String? {
    if let nearest = Spelling.nearest(to: text, among: words) { return nearest }
    let word = YAMLKey.lookedUp(text)
    guard word.count > 1, !word.contains(where: { ", ".contains($0) }) else { return nil }
    let near = words.filter { $0.hasPrefix(word) || word.hasPrefix($0) }
    return near.count == 1 ? near[0] : nil
  }

  // MARK: - Numbers

  /// The possible numbers in a text, the likeliest first; the caller takes the first valid one for its type.
  static func numbers(_ text: String) -> [String] {
    guard text.utf8.count <= 64 else { return [] }
    let commas = text.count { $0 == "," }
    return [
      whole(text, prefix: "0b", radix: 2), whole(text, prefix: "0o", radix: 8), hexadecimal(text),
      commas == 1 ? text.replacing(",", with: ".") : nil, ungrouped(text), alone(text),
    ].compactMap(\.self).filter { $0 != text }
  }

  /// `0XFF`, `$ff`, `#ff`, `FFh` and `FF` as `0xFF`; nil for a word such as "bed", and for `1e3`.
  private static func hexadecimal(_ text: String) -> String? {
    let lower = text.lowercased()
    if let prefix = ["0x", "$", "#", "\\x", "&h"].first(where: { lower.hasPrefix($0) }) {
      return marked(text.dropFirst(prefix.count))
    }
    if lower.hasSuffix("h") { return marked(text.dropLast()) }
    let isUpper = text.count > 1 && text == text.uppercased()
    let hasDigit = text.contains(where: \.isNumber)
    let isExponent = lower.contains("e") && Double(text) != nil
    return text.contains(where: \.isLetter) && (isUpper || hasDigit) && !isExponent ? marked(text[...]) : nil
  }

  private static func marked(_ digits: Substring) -> String? {
    !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isHexDigit } ? "0x\(digits)" : nil
  }

  private static func whole(_ text: String, prefix: String, radix: Int) -> String? {
    guard text.lowercased().hasPrefix(prefix) else { return nil }
    return UInt64(text.dropFirst(prefix.count), radix: radix).map { "\($0)" }
  }

  /// `1_000`, `1'000` and `1,000,000` without digit separators.
  private static func ungrouped(_ text: String) -> String? {
    let digits = text.filter { !"_',".contains($0) }
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? digits : nil
  }

  /// The only number of a text such as `60 Hz` or `udp/7000`; nil after a letter (`u8`), and for a percentage.
  private static func alone(_ text: String) -> String? {
    guard !text.contains("%") else { return nil }
    let isPart = { (character: Character) in character.isASCII && (character.isNumber || character == ".") }
    let runs = text.split { !isPart($0) }
    guard runs.count == 1, let run = runs.first else { return nil }
    let before = text[..<run.startIndex].last
    if before?.isLetter == true { return nil }
    return "\(before == "-" ? "-" : "")\(run)"
  }

  // MARK: - Times

  private static let units: [String: String] = {
    let words = [
      "ns": "nsec nsecs nanos nanosecond nanoseconds", "us": "usec usecs μs µsec micros microsecond microseconds",
      "ms": "msec msecs millis millisecond milliseconds", "s": "sec secs second seconds",
      "min": "m mins minute minutes", "h": "hr hrs hour hours",
    ]
    var units: [String: String] = [:]
    for (unit, others) in words {
      for other in others.split(separator: " ") { units[String(other)] = unit }
    }
    return units
  }()

  /// The advice for `500 ms`, `0,5s`, `1sec`, `500` and `60Hz`.
  static func time(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let word = text.lowercased().replacing(" ", with: "").replacing(",", with: ".")
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = String(word[digits.endIndex...])
    if unit.isEmpty {
      return isTime("\(digits)ms") && isTime("\(digits)s") ? "write \(digits)ms or \(digits)s" : nil
    }
    if unit == "hz" { return Double(digits).flatMap(period) }
    let time = "\(digits)\(units[unit] ?? unit)"
    return time != text && isTime(time) ? "write \(time)" : nil
  }

  private static func isTime(_ text: String) -> Bool { (try? Interval(parsing: text)) != nil }

  /// The advice for a rate in Hz, as a period.
  private static func period(_ rate: Double) -> String? {
    guard (0.001...1_000_000).contains(rate) else { return nil }
    return "write \(Interval.microseconds(Int64((1_000_000 / rate).rounded()))), the time from one to the next"
  }
}

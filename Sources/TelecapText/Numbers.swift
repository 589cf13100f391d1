/// Numbers for users.
public enum Numbers {
  /// `1,234,567`.
  public static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  /// `1 packet`, `2,000 packets`.
  ///
  /// - Parameter many: the plural, also for 0; by default `one` with an s.
  public static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? "\(one)s")"
  }

  /// The value with this number of decimals, at most 9, rounded half away from zero.
  public static func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % Int(scale))
    return sign + "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  /// A time in nanoseconds in a suitable unit: `870 ns`, `12.3 µs`, `4.56 ms`, `1.200 s`.
  public static func time(_ nanoseconds: Int64) -> String {
    let value = Double(nanoseconds)
    // A value that would be rounded to 1000 of a unit has the next unit.
    return switch abs(value) {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<999_950: "\(fixed(value / 1e3, 1)) µs"
    case ..<999_995_000: "\(fixed(value / 1e6, 2)) ms"
    default: "\(fixed(value / 1e9, 3)) s"
    }
  }
}

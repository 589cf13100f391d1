import TelecapRecording

extension Finding: CustomStringConvertible {
  /// The finding in plain words: what is wrong and what would be right. Each rule words its own.
  public var description: String { rule.row.words(self) ?? rule.id }

  /// A field's value as text, from the bits that were on the wire.
  public static func text(_ bits: UInt64, as field: FieldRow) -> String {
    if let value = field.scaled(bits) { return "\(value)" }
    return switch field.type {
    case .f32: "\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))"
    case .f64: "\(Double(bitPattern: bits))"
    case .i8, .i16, .i24, .i32, .i64, .decimal: "\(field.type.signed(bits))"
    default: "\(bits)"
    }
  }

  /// `1 byte`, `2 bytes`.
  public static func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  /// The lowest `count` bytes as hexadecimal digits, in wire order.
  public static func hex(_ bits: UInt64, _ count: Int) -> String {
    Hex.text((0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) })
  }

  /// The same with spaces between the bytes.
  public static func bytes(_ bits: UInt64, _ count: Int) -> String {
    Hex.text((0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }, separator: " ")
  }

  /// A number of `count` bytes as hexadecimal digits, as a person writes it: the most significant first.
  static func number(_ bits: UInt64, _ count: Int) -> String {
    Hex.text((0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * (count - 1 - $0))) })
  }

  /// A time that has passed, with one decimal, rounded down: `3.2 s`, `12.0 ms`.
  static func elapsed(_ nanoseconds: Nanoseconds) -> String {
    let (unit, name): (Nanoseconds, String) = nanoseconds < 1_000_000_000 ? (1_000_000, "ms") : (1_000_000_000, "s")
    return "\(nanoseconds / unit).\(nanoseconds % unit / (unit / 10)) \(name)"
  }

  /// A time that somebody wrote down, exactly: `3 s`, `10.5 ms`.
  static func time(_ nanoseconds: Nanoseconds) -> String {
    nanoseconds < 1_000_000_000
      ? "\(FieldRule.text(Double(nanoseconds) / 1e6)) ms" : "\(FieldRule.text(Double(nanoseconds) / 1e9)) s"
  }
}

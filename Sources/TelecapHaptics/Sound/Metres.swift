/// Lengths with units.
public enum Metres {
  /// The error for text that is not a length.
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public var text: String

    /// The message.
    public var description: String { "'\(text)' is no length from 0 on, such as 2m or 150cm" }
  }

  private static let units: [(name: String, metres: Double)] = [("mm", 0.001), ("cm", 0.01), ("km", 1_000), ("m", 1)]

  /// Parses a length to metres: `2m`, `150cm`, `0.5km`, `3mm`; never negative.
  public static func parse(_ text: String) throws(SyntaxError) -> Double {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = Double(text.dropLast(unit.name.count)), number >= 0, number.isFinite
    else { throw SyntaxError(text: text) }
    return number * unit.metres
  }
}

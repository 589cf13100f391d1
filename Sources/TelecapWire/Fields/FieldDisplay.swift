import TelecapRecording

/// How a field's number is shown to people; JSON and a capture's columns have the number as it is.
public enum FieldDisplay: Hashable, Sendable {
  /// As a decimal number.
  case number
  /// With the digits of its bytes: `0xAA`.
  case hexadecimal
  /// With the names of the bits that are set: bit 0 is the first.
  case bits([String])

  /// A number of so many bytes: `5 left, middle`; a bit without a name is called by its place.
  public func text(of number: UInt64, size: Int) -> String {
    switch self {
    case .number: return "\(number)"
    case .hexadecimal:
      return "0x" + Hex.text(number, digits: 2 * size).uppercased()
    case .bits(let names):
      let set = (0..<64).filter { number >> UInt64($0) & 1 == 1 }
      let words = set.map { $0 < names.count ? names[$0] : "bit \($0)" }
      return words.isEmpty ? "\(number)" : "\(number) \(words.joined(separator: ", "))"
    }
  }
}

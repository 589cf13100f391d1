import TelecapRecording

/// What a field's value must be; a value that breaks it is a finding, never an error of decoding.
public enum FieldRule: Hashable, Sendable {
  /// Every bit pattern is right.
  case any
  /// Always this.
  case equal(UInt64)
  /// Reserved: 0.
  case reserved
  /// Only these bits may be set; the others are reserved.
  case bits(UInt64)
  /// A number in this range.
  case range(ClosedRange<Double>)
  /// A number that is neither infinite nor NaN.
  case finite
  /// One of these codes, each below 64; others are unknown.
  case codes([Code])
  /// Exactly six of A–Z and 0–9.
  case pairingCode
  /// 1 to 20 of A–Z a–z 0–9 _ -.
  case beaconName
  /// A JSON object in UTF-8.
  case jsonObject
}

/// A number with a name, such as a status.
public struct Code: Hashable, Sendable {
  /// The number on the wire, below 64.
  public let value: UInt8
  /// Its name in the documents.
  public let name: String

  /// The code `name`, written `value`.
  public init(_ value: UInt8, _ name: String) {
    self.value = value
    self.name = name
  }
}

extension FieldRule: CustomStringConvertible {
  /// The rule in words, as the reference prints it; empty for `any`.
  public var description: String {
    switch self {
    case .any: ""
    case .equal(let value): "= \(value)"
    case .reserved: "= 0"
    case .bits(let mask): "only bits 0x\(String(mask, radix: 16))"
    case .range(let range): "\(FieldRule.text(range.lowerBound))…\(FieldRule.text(range.upperBound))"
    case .finite: "finite"
    case .codes(let codes): codes.map { "\($0.value) \($0.name)" }.joined(separator: ", ")
    case .pairingCode: "six of A–Z 0–9"
    case .beaconName: "1–20 of A–Z a–z 0–9 _ -"
    case .jsonObject: "a JSON object"
    }
  }

  /// A bound without a needless `.0`.
  static func text(_ bound: Double) -> String {
    let whole = Int64(clampingRounded: bound)
    return Double(whole) == bound ? "\(whole)" : "\(bound)"
  }
}

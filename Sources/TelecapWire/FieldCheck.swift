/// One field's rule made ready to be run on bytes: trivial, so that a message's checks are a flat list.
struct FieldCheck: Sendable {
  private enum Kind: UInt8 {
    case reserved8, reserved16, bits8, codes8, range8, rangeSigned8, rangeFloat, finite, pairingCode, beaconName, json
  }

  private let kind: Kind
  private let index: UInt8
  private let offset: Int
  private let low: Float
  private let high: Float
  private let mask: UInt64

  /// The check of `field`, the row `index` of `layout`; nil where every value is right or the decoder itself looks.
  init?(_ field: FieldRow, index: Int, in layout: Layout) {
    var low: Float = 0
    var high: Float = 0
    var mask: UInt64 = 0
    switch (field.rule, field.type) {
    case (.reserved, .u8): kind = .reserved8
    case (.reserved, .u16): kind = .reserved16
    case (.bits(let allowed), .u8):
      kind = .bits8
      mask = ~allowed
    case (.codes(let codes), .u8):
      kind = .codes8
      mask = codes.reduce(0) { $0 | 1 << UInt64($1.value) }
    case (.range(let range), let type):
      low = Float(range.lowerBound)
      high = Float(range.upperBound)
      kind = type == .f32 ? .rangeFloat : type == .i8 ? .rangeSigned8 : .range8
    case (.finite, .f32): kind = .finite
    case (.pairingCode, _): kind = .pairingCode
    case (.beaconName, _): kind = .beaconName
    case (.jsonObject, _): kind = .json
    default: return nil
    }
    self.index = UInt8(index)
    self.offset = field.offset
    self.low = low
    self.high = high
    self.mask = mask
  }

  /// Looks at the field of a message of `size` bytes at the start of `bytes` and appends what is wrong.
  @inline(__always)
  func run(_ bytes: RawSpan, size: Int, _ message: MessageKind, _ findings: inout [Finding]) {
    switch kind {
    case .reserved8:
      guard let value = UInt8.read(bytes, at: offset), value != 0 else { return }
      found(.reserved, message, UInt64(value), 1, &findings)
    case .reserved16:
      guard let value = UInt16.read(bytes, at: offset), value != 0 else { return }
      found(.reserved, message, UInt64(value), 2, &findings)
    case .bits8:
      guard let value = UInt8.read(bytes, at: offset), UInt64(value) & mask != 0 else { return }
      found(.reserved, message, UInt64(value), 1, &findings)
    case .codes8:
      guard let value = UInt8.read(bytes, at: offset), value > 63 || mask >> UInt64(value) & 1 == 0 else { return }
      found(.unknownCode, message, UInt64(value), 1, &findings)
    case .range8:
      guard let value = UInt8.read(bytes, at: offset), Float(value) < low || Float(value) > high else { return }
      found(.outOfRange, message, UInt64(value), 1, &findings)
    case .rangeSigned8:
      guard let value = Int8.read(bytes, at: offset), Float(value) < low || Float(value) > high else { return }
      found(value == -128 ? .minus128 : .outOfRange, message, UInt64(UInt8(bitPattern: value)), 1, &findings)
    case .rangeFloat:
      guard let value = Float.read(bytes, at: offset), !(value >= low && value <= high) else { return }
      found(value.isNaN ? .notANumber : .outOfRange, message, value.wireBits, 4, &findings)
    case .finite:
      guard let value = Float.read(bytes, at: offset), !value.isFinite else { return }
      found(value.isNaN ? .notANumber : .outOfRange, message, value.wireBits, 4, &findings)
    case .pairingCode:
      if !isPairingCode(bytes) { found(.codeCharacters, message, 0, 6, &findings) }
    case .beaconName:
      if !isBeaconName(bytes, until: size) { found(.beaconName, message, 0, size - offset, &findings) }
    case .json:
      if !JSONSyntax.isObject(bytes, offset..<size) { found(.configJSON, message, 0, size - offset, &findings) }
    }
  }

  @inline(never)
  private func found(
    _ rule: Rule, _ message: MessageKind, _ bits: UInt64, _ count: Int, _ findings: inout [Finding]
  ) {
    findings.append(Finding(rule, offset..<offset + count, .field(message, index: index, bits: bits)))
  }

  private func isPairingCode(_ bytes: RawSpan) -> Bool {
    (0..<6).allSatisfy { UInt8.read(bytes, at: offset + $0).map(PairingCode.isAllowed) ?? false }
  }

  private func isBeaconName(_ bytes: RawSpan, until end: Int) -> Bool {
    (1...20).contains(end - offset)
      && (offset..<end).allSatisfy { UInt8.read(bytes, at: $0).map(BeaconName.isAllowed) ?? false }
  }
}

/// The six characters that a host shows and a phone sends (TELE, Messages: HELLO).
public enum PairingCode {
  /// Bytes of a code.
  public static let size = 6

  /// A–Z and 0–9.
  public static func isAllowed(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (48...57).contains(byte) }
}

/// The name in a beacon (TELE, Messages: BEACON).
public enum BeaconName {
  /// A–Z, a–z, 0–9, `_` and `-`.
  public static func isAllowed(_ byte: UInt8) -> Bool {
    PairingCode.isAllowed(byte) || (97...122).contains(byte) || byte == 95 || byte == 45
  }
}

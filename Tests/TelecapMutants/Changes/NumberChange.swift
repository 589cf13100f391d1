import TelecapMouse
import TelecapTele
import TelecapWire

/// A way of reading or writing a number wrongly, in any field.
struct NumberChange: Sendable {
  /// Its name in those of mutants.
  let name: String
  let kind: Operator
  /// Whether it makes a difference to numbers of this type.
  let fits: @Sendable (FieldType) -> Bool
  /// The number's bits, changed; more bits than the type has are cut.
  let bits: @Sendable (UInt64, FieldType) -> UInt64

  init(
    _ name: String, _ kind: Operator, of fits: @escaping @Sendable (FieldType) -> Bool = { _ in true },
    _ bits: @escaping @Sendable (UInt64, FieldType) -> UInt64
  ) {
    (self.name, self.kind, self.fits, self.bits) = (name, kind, fits, bits)
  }

  /// All of them.
  static let all: [NumberChange] = [
    NumberChange("ignored", .ignored) { _, _ in 0 },
    NumberChange("doubled", .scaled) { bits, type in type.isFloat ? float(bits) { $0 * 2 } : bits &* 2 },
    NumberChange("halved", .scaled) { bits, type in
      type.isFloat ? float(bits) { $0 / 2 } : UInt64(bitPattern: type.signed(bits) / 2)
    },
    NumberChange("negated", .scaled) { bits, type in type.isFloat ? float(bits) { -$0 } : 0 &- bits },
    NumberChange("sign-lost", .scaled, of: { $0.isSigned }) { bits, type in
      type.isFloat ? float(bits) { $0.magnitude } : type.signed(bits).magnitude
    },
    NumberChange("byte-order", .byteOrder, of: { $0.width > 1 }) { bits, type in
      bits.byteSwapped >> UInt64(64 - 8 * type.width)
    },
    NumberChange("cut-8", .cut, of: { !$0.isFloat && $0.width > 1 }) { bits, _ in bits & 0xff },
    NumberChange("cut-16", .cut, of: { !$0.isFloat && $0.width > 2 }) { bits, _ in bits & 0xffff },
    NumberChange("cut-32", .cut, of: { !$0.isFloat && $0.width > 4 }) { bits, _ in bits & 0xffff_ffff },
    NumberChange("half-precision", .cut, of: { $0.isFloat }) { bits, _ in bits & 0xffff_0000 },
    NumberChange("top-bit-lost", .cut, of: { !$0.isFloat }) { bits, type in
      bits & ~(1 << UInt64(8 * type.width - 1))
    },
    NumberChange("plus-step", .step) { bits, type in type.isFloat ? float(bits) { $0.nextUp } : bits &+ 1 },
    NumberChange("minus-step", .step) { bits, type in type.isFloat ? float(bits) { $0.nextDown } : bits &- 1 },
    NumberChange("whole", .cut, of: { $0.isFloat }) { bits, _ in float(bits) { $0.rounded(.towardZero) } },
    NumberChange("held-to-1", .bound, of: { $0.isFloat }) { bits, _ in
      float(bits) { $0 > 1 ? 1 : $0 < -1 ? -1 : $0 }
    },
  ]

  private static func float(_ bits: UInt64, _ change: (Float) -> Float) -> UInt64 {
    UInt64(change(Float(bitPattern: UInt32(truncatingIfNeeded: bits))).bitPattern)
  }
}

extension FieldType {
  /// Its size in bytes.
  var width: Int { size ?? 0 }
  var isFloat: Bool { self == .f32 }
  /// The least number that it holds.
  var least: Double { isFloat ? -.infinity : isSigned ? -greatest - 1 : 0 }
  /// The greatest number that it holds.
  var greatest: Double {
    let bits = UInt64(8 * width - (isSigned ? 1 : 0))
    return isFloat ? .infinity : bits == 64 ? Double(UInt64.max) : Double((UInt64(1) << bits) - 1)
  }
  var isSigned: Bool { [.i8, .i16, .i32, .i64, .f32].contains(self) }

  /// The bits of a whole number as a signed number, where it is one.
  fileprivate func signed(_ bits: UInt64) -> Int64 {
    guard [.i8, .i16, .i32, .i64].contains(self) else { return Int64(truncatingIfNeeded: bits & .max >> 1) }
    let shift = UInt64(64 - 8 * width)
    return Int64(bitPattern: bits << shift) >> shift
  }
}

extension FieldRow {
  /// The field's bits in a message; nil where it ends before them.
  func bits(in bytes: [UInt8]) -> UInt64? { bits(in: bytes.span.bytes) }

  /// Writes the field's bits into a message, also one that is none; nothing where it ends before them.
  func put(_ bits: UInt64, into bytes: inout [UInt8]) {
    guard offset + type.width <= bytes.count else { return }
    for index in 0..<type.width {
      let shift = byteOrder == .little ? index : type.width - 1 - index
      bytes[offset + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))
    }
  }

  /// A message with other bits in this field.
  func with(_ bits: UInt64, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    put(bits, into: &bytes)
    return bytes
  }

  /// The largest number that fits.
  var top: UInt64 { .max >> UInt64(64 - 8 * max(1, type.width)) }

  /// Whether it distinguishes one message from another.
  var isCode: Bool { name == Header.fields.type.row.name || name == MousePacket.fields.header.row.name }

  /// Whether this change makes a difference to what its rule lets it hold.
  func isFit(for change: NumberChange) -> Bool {
    guard change.fits(type) else { return false }
    guard case .bits(let mask) = rule, change.name == "top-bit-lost" else { return true }
    return mask & ~(top >> 1) != 0
  }

  /// Whether its value is one that a receiver goes by.
  var isValue: Bool {
    guard type.isNumber, !isCode else { return false }
    return switch rule {
    case .equal, .reserved, .codes: false
    case .any, .bits, .range, .finite, .form: true
    }
  }
}

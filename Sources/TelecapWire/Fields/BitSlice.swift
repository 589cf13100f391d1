/// The bits of a field that shares its bytes with its neighbours.
///
/// The bytes from the field's offset on are one number, in the field's byte order: big-endian where the first field takes the highest
/// bits of a byte, little-endian where it takes the lowest. The slice is `count` bits of that number, above the lowest `shift`.
public struct BitSlice: Hashable, Sendable {
  private let width: UInt8
  private let unused: UInt8

  /// The number of its bits, 1 to 64.
  public var count: Int { Int(width) }
  /// The number of bits below it, 0 to 7.
  public var shift: Int { Int(unused) }
  /// The number of bytes of which it has bits, 1 to 9.
  public var size: Int { (Int(width) + Int(unused) + 7) / 8 }

  /// The slice of `count` bits above the lowest `shift`.
  public init(count: Int, shift: Int) { (width, unused) = (UInt8(clamping: count), UInt8(clamping: shift)) }

  /// The largest number that it holds: all of its bits.
  public var mask: UInt64 { .max >> (64 - Int(width)) }

  /// The bit of the number that is the lowest bit of one of its bytes: negative where neighbours have the lowest ones.
  @inline(__always)
  private func position(of index: Int, _ order: ByteOrder) -> Int {
    8 * (order == .little ? index : size - 1 - index) - Int(unused)
  }

  /// The part of `bits` in one of its bytes, and the mask of its own bits in that byte.
  func byte(of bits: UInt64, at index: Int, _ order: ByteOrder) -> (value: UInt8, mask: UInt8) {
    // A shift by a negative number goes the other way.
    let position = position(of: index, order)
    return (UInt8(truncatingIfNeeded: (bits & mask) >> position), UInt8(truncatingIfNeeded: mask >> position))
  }

  /// Its bits in bytes that are all there.
  @inline(__always)
  fileprivate func bits(_ order: ByteOrder, _ byte: (_ index: Int) -> UInt8) -> UInt64 {
    if size == 1 { return UInt64(byte(0)) &>> UInt64(unused) & mask }
    return (0..<size).reduce(0) { $0 | UInt64(byte($1)) << position(of: $1, order) } & mask
  }
}

extension RawSpan {
  /// The bits of a slice whose first byte is at `offset`; nil where the bytes end before it does.
  @inline(never)
  func integer(at offset: Int, _ slice: BitSlice, _ order: ByteOrder) -> UInt64? {
    guard offset >= 0, byteCount &- offset >= slice.size else { return nil }
    return slice.bits(order) { UInt8.read(self, at: offset + $0) ?? 0 }
  }

  /// The bits of a slice whose bytes from `end` on were not sent, and are 0; nil where the bytes end before `end`.
  @inline(never)
  func integer(at offset: Int, _ slice: BitSlice, _ order: ByteOrder, sentUpTo end: Int) -> UInt64? {
    guard offset &+ slice.size > end else { return integer(at: offset, slice, order) }
    guard offset >= 0, byteCount >= end else { return nil }
    return slice.bits(order) { offset + $0 < end ? UInt8.read(self, at: offset + $0) ?? 0 : 0 }
  }
}

extension FieldType {
  /// The bits of its bytes that are its number; nil for what is no number.
  var slice: BitSlice? {
    if case .bits(let slice) = self { return slice }
    return isNumber && !isDecimal ? BitSlice(count: bitCount, shift: 0) : nil
  }

  /// Whether it shares its bytes with its neighbours, or may.
  public var isSlice: Bool { if case .bits = self { true } else { false } }

  /// The number of bytes that its number fills; 0 for what is no number.
  public var numberSize: Int { (bitCount + 7) / 8 }
}

extension FieldRow {
  /// Which bits of its bytes are its own, the first byte first: `10.. ....`; nil for a field that has its bytes for itself, and where the
  /// bytes end too early.
  public func bitPattern(in bytes: RawSpan) -> String? {
    guard case .bits(let slice) = type, let bits = bits(in: bytes) else { return nil }
    return (0..<slice.size).map { index in
      let byte = slice.byte(of: bits, at: index, byteOrder)
      let digits = (0..<8).reversed().map { bit in
        byte.mask >> bit & 1 == 0 ? "." : byte.value >> bit & 1 == 1 ? "1" : "0"
      }
      return digits[..<4].joined() + " " + digits[4...].joined()
    }.joined(separator: "  ")
  }

  /// The bits of its bytes that are its own as a mask, the first byte first: `c0`; nil for a field that has its bytes for itself.
  public var bitMask: [UInt8]? {
    guard case .bits(let slice) = type else { return nil }
    return (0..<slice.size).map { slice.byte(of: .max, at: $0, byteOrder).mask }
  }
}

extension FieldRow {
  /// The part of these bits in the field's first byte, and the mask of its own bits in that byte; nil for a field without bits.
  public func firstByte(of bits: UInt64) -> (value: UInt8, mask: UInt8)? {
    let place = FieldPlace(self)
    return place.size == 0 ? nil : place.byte(of: bits, at: 0)
  }
}

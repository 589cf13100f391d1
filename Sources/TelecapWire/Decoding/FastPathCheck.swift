/// Values of a field that are certainly valid, found by one comparison for each type and rule. Nearly every value is one of
/// them; another value may be valid too, and is tested by its check.
struct FastPathCheck: Sendable {
  private enum Width: UInt8 {
    case byte, littleWord, slice, other
  }

  private let offset: Int
  private let size: UInt8
  private let byteOrder: ByteOrder
  private let width: Width
  private let slice: BitSlice
  private var first: UInt64 = 0
  private var mask = UInt64.max
  /// How many numbers from `first` on, of the bits under the mask.
  private var count: UInt64 = 0

  /// No value of a field there, which is usual for no text; `slice` are the bits of its bytes that are its own, where it shares them.
  init(at offset: Int, size: Int, _ byteOrder: ByteOrder, slice: BitSlice?) {
    (self.offset, self.size, self.byteOrder) = (offset, UInt8(clamping: size), byteOrder)
    self.slice = slice ?? BitSlice(count: 64, shift: 0)
    width = slice != nil ? .slice : size == 1 ? .byte : size == 4 && byteOrder == .little ? .littleWord : .other
  }

  /// Those without these bits.
  func without(_ forbidden: UInt64) -> FastPathCheck {
    var values = self
    (values.mask, values.count) = (forbidden, 1)
    return values
  }

  /// The first of these codes, one bit each, and those after it without a gap.
  func codes(_ codes: UInt64) -> FastPathCheck {
    let first = UInt64(codes.trailingZeroBitCount)
    return first < 64 ? numbers(from: first, to: first + UInt64((~(codes >> first)).trailingZeroBitCount) - 1) : self
  }

  /// These numbers; none where so many cannot be counted.
  func numbers(from low: UInt64, to high: UInt64) -> FastPathCheck {
    var values = self
    if low <= high { (values.first, values.count) = (low, high - low &+ 1) }
    return values
  }

  /// These signed numbers, where the field holds them all.
  func numbers(from low: Int64, to high: Int64) -> FastPathCheck {
    var values = self
    let unused = Int64(64 - 8 * Int(size))
    guard low <= high, low >= .min >> unused, high <= .max >> unused else { return self }
    values.first = UInt64(bitPattern: low)
    values.mask = .max >> UInt64(unused)
    values.count = UInt64(bitPattern: high &- low) &+ 1
    return values
  }

  /// These floats: their bits are in the order of the numbers from 0 on. Of those below 0 only such as lie in a range that
  /// is the same on both sides of it.
  func floats(from low: UInt64, to high: UInt64, sign: UInt64) -> FastPathCheck {
    guard high & sign == 0 else { return self }
    var values = numbers(from: low & sign == 0 ? low : 0, to: high)
    if low == high | sign { values.mask = ~sign }
    return values
  }

  /// Whether one of them is there.
  @inline(__always)
  func stand(in bytes: RawSpan) -> Bool { bits(in: bytes).map { ($0 &- first) & mask < count } ?? false }

  @inline(__always)
  private func bits(in bytes: RawSpan) -> UInt64? {
    switch width {
    case .littleWord: UInt32.read(bytes, at: offset).map { UInt64($0) }
    case .byte: UInt8.read(bytes, at: offset).map { UInt64($0) }
    case .slice: bytes.integer(at: offset, slice, byteOrder)
    case .other: FastPathCheck.bits(in: bytes, at: offset, Int(size), byteOrder)
    }
  }

  @inline(never)
  private static func bits(in bytes: RawSpan, at offset: Int, _ size: Int, _ order: ByteOrder) -> UInt64? {
    bytes.integer(at: offset, count: size, order)
  }
}

/// The place of a number, or of up to eight bytes of text, in a message: a row of a table without its words, which would be counted
/// for each packet.
struct FieldPlace: Hashable, Sendable {
  let offset: Int
  /// The number of bytes of which it has bits.
  private let count: UInt8
  /// The same where it has these bytes for itself, else 0.
  private let width: UInt8
  let order: ByteOrder
  private let slice: BitSlice

  /// Of text, its bytes in wire order, the first one lowest.
  init(_ field: FieldRow) {
    offset = field.offset
    slice = field.type.slice ?? BitSlice(count: 8 * min(8, field.type.size ?? 0), shift: 0)
    count = UInt8(clamping: slice.size)
    width = field.type.isSlice ? 0 : count
    order = field.type.isNumber ? field.byteOrder : .little
  }

  var size: Int { Int(count) }
  var range: Range<Int> { offset..<offset + Int(count) }

  /// The bits that are there; nil where the bytes end before they do.
  @inline(__always)
  func bits(in bytes: RawSpan) -> UInt64? {
    switch (width, order) {
    case (1, _): UInt8.read(bytes, at: offset).map { UInt64($0) }
    case (2, .little): UInt16.read(bytes, at: offset).map { UInt64($0) }
    case (4, .little): UInt32.read(bytes, at: offset).map { UInt64($0) }
    case (8, .little): UInt64.read(bytes, at: offset)
    default: bytes.integer(at: offset, slice, order)
    }
  }

  /// What `bits` are in one of its bytes, and which bits of that byte are its own.
  func byte(of bits: UInt64, at index: Int) -> (value: UInt8, mask: UInt8) { slice.byte(of: bits, at: index, order) }

  /// Whether these bits are there as far as the bytes go.
  func mayHold(_ bits: UInt64, in bytes: RawSpan) -> Bool {
    (0..<size).allSatisfy { index in
      guard let found = UInt8.read(bytes, at: offset + index) else { return true }
      let byte = byte(of: bits, at: index)
      return found & byte.mask == byte.value
    }
  }

  /// Writes the lowest of these bits, and leaves those of neighbours as they are; where the bytes end before, nothing is written.
  func write(_ bits: UInt64, into bytes: inout [UInt8]) {
    guard offset >= 0, range.upperBound <= bytes.count else { return }
    for index in 0..<size {
      let byte = byte(of: bits, at: index)
      bytes[offset + index] = bytes[offset + index] & ~byte.mask | byte.value
    }
  }
}

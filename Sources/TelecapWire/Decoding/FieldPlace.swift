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
  /// The parts of the message before it whose size the message shows, and its own where it is one; nil where there are none.
  private let parts: VariableParts?
  private let before: UInt8
  /// It may be missing.
  let mayBeMissing: Bool
  /// It is in a payload whose zeros at the end are cut.
  let isCut: Bool
  /// How its number is written as digits; nil where its bytes are the number.
  private let decimal: Decimal?

  /// The digits of a number, up to a byte that ends them or to the end of the message.
  private struct Decimal: Hashable {
    let places: UInt8
    let end: UInt8?
  }

  /// Of text, its bytes in wire order, the first one lowest.
  init(_ field: FieldRow) {
    offset = field.offset
    slice = field.type.slice ?? BitSlice(count: 8 * min(8, field.type.size ?? 0), shift: 0)
    count = UInt8(clamping: slice.size)
    parts = field.parts
    before = UInt8(clamping: field.partsBefore)
    (mayBeMissing, isCut) = (field.mayBeMissing, field.isCut)
    decimal = field.type.places.map { Decimal(places: UInt8($0), end: field.terminator?.byte) }
    width = field.type.isSlice || parts != nil ? 0 : count
    order = field.type.isNumber ? field.byteOrder : .little
  }

  var size: Int { Int(count) }
  /// The bytes of a place that no part of variable size is before.
  var range: Range<Int> { offset..<offset + Int(count) }
  /// The number of parts before it whose size the message shows.
  var partsBefore: Int { Int(before) }
  /// Whether the message shows where it is.
  var isShifted: Bool { parts != nil }
  /// The largest number that it holds.
  var largest: UInt64 { slice.mask }

  /// The offset of its first byte in a message; nil where it is missing.
  @inline(never)
  func start(in bytes: RawSpan) -> Int? {
    guard let parts else { return offset }
    if mayBeMissing, !parts.isPresent(partsBefore, in: bytes) { return nil }
    return offset &+ parts.size(of: partsBefore, in: bytes)
  }

  /// Its bytes in a message; none where it is missing.
  func range(in bytes: RawSpan) -> Range<Int> {
    guard let start = start(in: bytes) else { return offset..<offset }
    let range = start..<start + Int(count)
    return isCut ? FieldPlace.sent(range, upTo: parts?.cutEnd(in: bytes), bytes.byteCount) : range
  }

  /// Those bytes of `range` that were sent: the payload ends at `end`, in a message of `count` bytes.
  static func sent(_ range: Range<Int>, upTo end: Int?, _ count: Int) -> Range<Int> {
    range.clamped(to: 0..<max(0, min(end ?? count, count)))
  }

  /// The bits at an offset.
  func bits(in bytes: RawSpan, at start: Int) -> UInt64? {
    guard isCut, let parts else { return bytes.integer(at: start, slice, order) }
    return bytes.integer(at: start, slice, order, sentUpTo: parts.cutEnd(in: bytes))
  }

  /// The bits that are there; nil where the bytes end before they do.
  @inline(__always)
  func bits(in bytes: RawSpan) -> UInt64? {
    switch (width, order) {
    case (1, _): UInt8.read(bytes, at: offset).map { UInt64($0) }
    case (2, .little): UInt16.read(bytes, at: offset).map { UInt64($0) }
    case (4, .little): UInt32.read(bytes, at: offset).map { UInt64($0) }
    case (8, .little): UInt64.read(bytes, at: offset)
    default: anyBits(in: bytes)
    }
  }

  @inline(never)
  private func anyBits(in bytes: RawSpan) -> UInt64? {
    if let decimal {
      return number(decimal, in: bytes).map { UInt64(UInt32(bitPattern: $0.steps)) }
    }
    return parts == nil
      ? bytes.integer(at: offset, slice, order) : start(in: bytes).flatMap { self.bits(in: bytes, at: $0) }
  }

  /// The number that its digits are; nil where they are none, or where its bytes are the number.
  func number(in bytes: RawSpan) -> DecimalDigits.Number? { decimal.flatMap { number($0, in: bytes) } }

  private func number(_ decimal: Decimal, in bytes: RawSpan) -> DecimalDigits.Number? {
    DecimalDigits.number(in: bytes, digits(in: bytes), places: Int(decimal.places))
  }

  /// The bytes of a number that is written as digits, without the byte that ends them.
  func digits(in bytes: RawSpan) -> Range<Int> {
    guard let start = start(in: bytes).map({ min($0, bytes.byteCount) }) else { return offset..<offset }
    return start..<bytes.end(of: start..<bytes.byteCount, by: decimal?.end)
  }

  /// The part of `bits` in one of its bytes, and the mask of its own bits in that byte.
  func byte(of bits: UInt64, at index: Int) -> (value: UInt8, mask: UInt8) { slice.byte(of: bits, at: index, order) }

  /// Whether the bytes of the place that are present are those of these bits.
  func mayHold(_ bits: UInt64, in bytes: RawSpan) -> Bool {
    (0..<size).allSatisfy { index in
      guard let found = UInt8.read(bytes, at: offset + index) else { return true }
      let byte = byte(of: bits, at: index)
      return found & byte.mask == byte.value
    }
  }

  /// Writes the lowest of these bits, and leaves those of neighbours as they are; where the bytes end before, nothing is written. In a
  /// payload whose zeros at the end are cut, these are cut anew.
  func write(_ bits: UInt64, into bytes: inout [UInt8]) {
    if isCut { return writeCut(bits, into: &bytes) }
    guard let start = start(in: bytes.span.bytes), start >= 0, start + size <= bytes.count else { return }
    for index in 0..<size {
      let byte = byte(of: bits, at: index)
      bytes[start + index] = bytes[start + index] & ~byte.mask | byte.value
    }
  }

  private func writeCut(_ bits: UInt64, into bytes: inout [UInt8]) {
    guard let parts, let start = parts.all.first?.offset else { return }
    parts.changePayload(in: &bytes) { write(bits, inPayload: &$0, at: offset - start) }
  }

  /// Writes the lowest of these bits into a whole payload.
  func write(_ bits: UInt64, inPayload payload: inout [UInt8], at start: Int) {
    guard start >= 0, start + size <= payload.count else { return }
    for index in 0..<size {
      let byte = byte(of: bits, at: index)
      payload[start + index] = payload[start + index] & ~byte.mask | byte.value
    }
  }
}

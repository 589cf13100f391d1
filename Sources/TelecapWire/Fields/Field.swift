/// One row of a message's table, with the Swift type of its value and the table that it stands in: the only place that
/// knows its offset. A field of one message cannot be written into another.
public struct Field<Value: WireValue, Table>: Sendable {
  /// The row as data, for everything that walks a table.
  public let row: FieldRow
  /// Where the value begins, in bytes from the start of the message.
  public let offset: Int

  /// A field of the documents' `name` at `offset`, in `unit`, held to `rule`; `breach` is what is found when it breaks a
  /// range, where that is a rule of its own.
  public init(
    _ name: String, at offset: Int, unit: String = "", _ rule: FieldRule = .any, breach: Rule? = nil,
    shown: FieldDisplay = .number, _ meaning: String = ""
  ) {
    self.offset = offset
    row = FieldRow(
      name: name, type: Value.fieldType, offset: offset, unit: unit, rule: rule, breach: breach, shown: shown,
      meaning: meaning)
  }

  /// The bytes of the value in its message.
  public var range: Range<Int> { offset..<offset + MemoryLayout<Value>.size }

  /// The value in a message that begins where `bytes` begin, or nil where they end too early.
  @inlinable
  public func value(in bytes: RawSpan) -> Value? { Value.read(bytes, at: offset) }

  /// Writes the value into bytes that may be no message at all: what a wrong peer does. Where they end too early nothing is
  /// written.
  public func write(_ value: Value, into bytes: inout [UInt8]) {
    guard range.upperBound <= bytes.count else { return }
    for (index, place) in range.enumerated() {
      bytes[place] = UInt8(truncatingIfNeeded: value.wireBits >> UInt64(8 * index))
    }
  }
}

/// A text field of a table: its bytes are not a number.
public struct TextField: Sendable {
  /// The row as data.
  public let row: FieldRow

  /// Text of a fixed size, or of the size that an earlier field says.
  public init(
    _ name: String, at offset: Int, _ type: FieldType, _ rule: FieldRule = .any, lengthIn length: FieldRow? = nil,
    _ meaning: String = ""
  ) {
    row = FieldRow(name: name, type: type, offset: offset, unit: "", rule: rule, meaning: meaning, lengthIn: length)
  }
}

/// The order in which the bytes of a number stand.
public enum ByteOrder: String, Sendable, CaseIterable {
  /// The least significant byte first.
  case little
  /// The most significant byte first, as in TCP/IP.
  case big
}

/// A field as data: what every reader of the tables sees, whatever the field's type.
public struct FieldRow: Hashable, Sendable {
  /// The name in the documents, the column in a capture, the key in JSON.
  public let name: String
  /// How it stands on the wire.
  public let type: FieldType
  /// Where it begins, in bytes from the start of the message.
  public let offset: Int
  /// The unit of its number; empty when it has none.
  public let unit: String
  /// What its value must be.
  public var rule: FieldRule
  /// What is found when it is out of its range; nil where that is the general rule.
  public let breach: Rule?
  /// The order of its bytes.
  public let byteOrder: ByteOrder
  /// How its number becomes its value; nil where the number is the value. A rule holds the value.
  public let scale: Scale?
  /// How its number is shown to people.
  public let shown: FieldDisplay
  /// The checksum that it holds; nil where it holds none.
  public var check: Checksum?
  /// What it is for, in a few words; may be empty.
  public let meaning: String
  /// For text and bytes of variable length: the name of the field that holds the length.
  public let lengthField: String?
  /// Where that length is.
  let lengthPlace: FieldPlace?

  /// A row of these values.
  /// - Parameter length: for text and bytes of variable length, the field that says how many bytes there are.
  public init(
    name: String, type: FieldType, offset: Int, unit: String = "", rule: FieldRule = .any, breach: Rule? = nil,
    shown: FieldDisplay = .number, meaning: String = "", byteOrder: ByteOrder = .little, scale: Scale? = nil,
    check: Checksum? = nil, lengthIn length: FieldRow? = nil
  ) {
    self.name = name
    self.type = type
    self.offset = offset
    self.unit = unit
    self.rule = rule
    self.breach = breach
    self.shown = shown
    self.meaning = meaning
    self.byteOrder = byteOrder
    self.scale = scale
    self.check = check
    lengthField = length?.name
    lengthPlace = length.map { FieldPlace($0) }
  }

  /// The bytes that this field takes in a message of `count` bytes, cut where the message ends. Text whose length stands
  /// in another field reaches to the end; where bytes may trail the message, ask `range(in:)` with the bytes.
  public func range(in count: Int) -> Range<Int> { range(size: type.size ?? count, in: count) }

  /// The bytes that this field takes in a message that begins where `bytes` begin, cut where they end.
  public func range(in bytes: RawSpan) -> Range<Int> {
    let size = lengthPlace == nil ? type.size : textLength(in: bytes)
    return range(size: size ?? bytes.byteCount, in: bytes.byteCount)
  }

  private func range(size: Int, in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(size, count - start)
  }

  /// The length that stands in the other field; nil where there is none, the bytes end before it does, or it is no length.
  func textLength(in bytes: RawSpan) -> Int? {
    lengthPlace.flatMap { $0.bits(in: bytes) }.flatMap { Int(exactly: $0) }
  }

  /// Whether its checksum covers another field.
  public func covers(_ other: FieldRow) -> Bool {
    guard let check else { return false }
    return other.offset + (other.type.size ?? 1) > check.from && other.offset < check.to ?? .max
  }

  /// The width of its number; 0 of what is no number, or has no fixed size.
  public var bitCount: Int { type.bitCount }

  /// The field's bits; nil for what is no number, and where the bytes end too early. Signed numbers are not extended.
  public func bits(in bytes: RawSpan) -> UInt64? {
    if case .bits(let slice) = type { return bytes.integer(at: offset, slice, byteOrder) }
    return type.isNumber ? bytes.integer(at: offset, count: type.size ?? 0, byteOrder) : nil
  }

  /// The value in a message that begins where `bytes` begin, that of a scaled number as a double; nil where they end too early.
  public func value(in bytes: RawSpan) -> FieldValue? {
    if scale != nil { return bits(in: bytes).flatMap(scaled).map { .double($0) } }
    return switch type {
    case .u8, .u16, .u24, .u32, .u64, .bits: bits(in: bytes).map { .unsigned($0) }
    case .i8, .i16, .i24, .i32, .i64: bits(in: bytes).map { .signed(type.signed($0)) }
    case .f32: bits(in: bytes).map { .float(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case .f64: bits(in: bytes).map { .double(Double(bitPattern: $0)) }
    case .text(let size): bytes.byteCount - offset >= size ? .text(text(in: bytes)) : nil
    case .variableText: bytes.byteCount >= offset ? .text(text(in: bytes)) : nil
    case .octets(let size): bytes.byteCount - offset >= size ? .bytes(bytes.array(range(in: bytes))) : nil
    case .variableOctets, .rest: bytes.byteCount >= offset ? .bytes(bytes.array(range(in: bytes))) : nil
    }
  }

  /// The field's text without the NULs that pad it.
  private func text(in bytes: RawSpan) -> String {
    var raw = bytes.array(range(in: bytes))
    if case .text = type { while raw.last == 0 { raw.removeLast() } }
    return String(decoding: raw, as: UTF8.self)
  }
}

extension RawSpan {
  /// The number in `count` bytes from `offset`, 1, 2, 3, 4 or 8 of them at any alignment; nil where the bytes end before it
  /// does, and for other counts.
  func integer(at offset: Int, count: Int, _ order: ByteOrder) -> UInt64? {
    switch (count, order) {
    case (1, _): UInt8.read(self, at: offset).map { UInt64($0) }
    case (2, .little): UInt16.read(self, at: offset).map { UInt64($0) }
    case (3, _): threeBytes(at: offset, order)
    case (4, .little): UInt32.read(self, at: offset).map { UInt64($0) }
    case (8, .little): UInt64.read(self, at: offset)
    case (2, .big): UInt16.read(self, at: offset).map { UInt64($0.byteSwapped) }
    case (4, .big): UInt32.read(self, at: offset).map { UInt64($0.byteSwapped) }
    case (8, .big): UInt64.read(self, at: offset).map(\.byteSwapped)
    default: nil
    }
  }

  private func threeBytes(at offset: Int, _ order: ByteOrder) -> UInt64? {
    guard let first = UInt8.read(self, at: offset), let rest = UInt16.read(self, at: offset + 1) else { return nil }
    let little = UInt64(first) | UInt64(rest) << 8
    return order == .little ? little : little.byteSwapped >> 40
  }

  /// A copy of the bytes in `range`, which is cut to what there is.
  public func array(_ range: Range<Int>) -> [UInt8] {
    let whole = range.clamped(to: 0..<byteCount)
    return withUnsafeBytes { Array($0[whole]) }
  }

  /// A copy of all bytes.
  public var array: [UInt8] { array(0..<byteCount) }
}

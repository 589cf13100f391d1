/// One row of a message's table, with the Swift type of its value and the table that it belongs to: the only place that
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
    row = FieldRow(
      name: name, type: type, offset: offset, unit: "", rule: rule, meaning: meaning,
      length: length.map { FieldLength($0) })
  }
}

/// The order of the bytes of a number.
public enum ByteOrder: String, Sendable, CaseIterable {
  /// The least significant byte first.
  case little
  /// The most significant byte first, as in TCP/IP.
  case big
}

/// A field as data: what every reader of the tables sees, whatever the field's type.
public struct FieldRow: Hashable, Sendable {
  /// The name in the documents, the column in a capture, the key in JSON.
  public internal(set) var name: String
  /// Its type on the wire.
  public let type: FieldType
  /// Where it begins, in bytes from the start of the message: the least offset, where parts of variable size are before it.
  public let offset: Int
  /// The unit of its number; empty when it has none.
  public internal(set) var unit: String
  /// The rule for its value.
  public var rule: FieldRule
  /// The rule that a value out of its range breaks; nil for the general rule.
  public let breach: Rule?
  /// The order of its bytes.
  public let byteOrder: ByteOrder
  /// How its number becomes its value; nil where the number is the value. A rule holds the value.
  public internal(set) var scale: Scale?
  /// How its number is shown to people.
  public let shown: FieldDisplay
  /// The checksum that it holds; nil where it holds none.
  public var check: Checksum?
  /// Its purpose, in a few words; may be empty.
  public let meaning: String
  /// For text and bytes of variable length: the number that says how long they are; nil where none does.
  public let length: FieldLength?
  /// The byte that ends a text or a decimal number; nil where none does.
  public let terminator: Terminator?
  /// When it is there; nil where it always is.
  public let condition: FieldCondition?
  /// Whether the message may end before it.
  public let isOptional: Bool
  /// The entries that its bytes are; nil where they are none.
  public let repeated: RepeatedPart?
  /// Whether another field is there or not as this one says.
  public internal(set) var decidesPresence = false
  /// The parts of the message before it whose size the message shows, and its own where it is one; nil where there are none.
  private(set) var parts: VariableParts?
  /// The number of these before it.
  let partsBefore: Int
  /// The payload whose zeros at the end are cut that it is in; nil where it is in none.
  public private(set) var cutPayload: CutPayload?

  /// A row of these values.
  /// - Parameters:
  ///   - length: for text and bytes of variable length, the field that says how many bytes there are.
  ///   - terminator: the byte that ends a text or a decimal number.
  ///   - isOptional: the message may end before it.
  ///   - repeated: the entries that its bytes are.
  ///   - previous: the field before it, where the message shows the size of that or of one before it.
  public init(
    name: String, type: FieldType, offset: Int, unit: String = "", rule: FieldRule = .any, breach: Rule? = nil,
    shown: FieldDisplay = .number, meaning: String = "", byteOrder: ByteOrder = .little, scale: Scale? = nil,
    check: Checksum? = nil, length: FieldLength? = nil, terminator: Terminator? = nil,
    when condition: FieldCondition? = nil,
    isOptional: Bool = false, repeating repeated: RepeatedPart? = nil, after previous: FieldRow? = nil
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
    (self.length, self.terminator) = (length, terminator)
    (self.condition, self.isOptional) = (condition, isOptional)
    self.repeated = repeated
    let before = previous.flatMap { row in row.parts.map { Array($0.all.prefix(row.partsAfter)) } } ?? []
    partsBefore = before.count
    var part: VariablePart?
    if let length, let repeated, repeated.entrySize == nil {
      part = VariablePart(offset: offset, extent: .entries(repeated, countedBy: length.place))
    } else if let length {
      part = VariablePart(
        offset: offset, extent: .counted(by: length.place, step: length.step, less: length.less))
    } else if let terminator {
      part = VariablePart(offset: offset, extent: .terminated(terminator))
    } else if condition != nil || isOptional {
      part = VariablePart(offset: offset, extent: .fixed(type.size ?? 0))
    }
    part?.condition = condition.map { .init(place: $0.place, mask: $0.mask, value: $0.value) }
    part?.isOptional = isOptional
    parts =
      part == nil && before.isEmpty
      ? nil : part == nil ? previous?.parts : VariableParts(before + [part].compactMap(\.self))
  }

  /// The same field in a payload whose zeros at the end are cut.
  func placed(in payload: CutPayload, _ parts: VariableParts) -> FieldRow {
    var row = self
    (row.cutPayload, row.parts) = (payload, parts)
    return row
  }

  /// The bytes that this field takes in a message of `count` bytes, cut where the message ends. Text whose length is
  /// in another field reaches to the end; where bytes may trail the message, ask `range(in:)` with the bytes.
  public func range(in count: Int) -> Range<Int> { range(from: offset, size: type.size ?? count, in: count) }

  /// The bytes that this field takes in a message that begins where `bytes` begin, cut where they end; none where it is missing.
  public func range(in bytes: RawSpan) -> Range<Int> {
    guard let start = start(in: bytes) else { return range(from: offset, size: 0, in: bytes.byteCount) }
    if isCut {
      return FieldPlace.sent(start..<start + (type.size ?? 0), upTo: parts?.cutEnd(in: bytes), bytes.byteCount)
    }
    return range(from: start, size: size(in: bytes) ?? bytes.byteCount, in: bytes.byteCount)
  }

  private func range(from offset: Int, size: Int, in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(size, count - start)
  }

  /// Whether the message shows its size, or whether it is there.
  var isPart: Bool { length != nil || terminator != nil || condition != nil || isOptional }
  /// The number of parts up to its end whose size the message shows.
  var partsAfter: Int { partsBefore + (isPart || isCut ? 1 : 0) }
  /// Whether a message may be without it.
  public var mayBeMissing: Bool { condition != nil || isOptional }
  /// Whether the message shows where it is, or whether it is there.
  public var isShifted: Bool { partsBefore > 0 || mayBeMissing }
  /// Whether its bytes are not at the same offsets in all messages.
  public var isVariable: Bool { isShifted || isCut }
  /// Whether the message shows its size, or whether it is there.
  public var isMovable: Bool { isPart }
  /// The number of such fields before it.
  public var movableBefore: Int { partsBefore }
  /// The maximum number of such fields in a message.
  public static var maxMovable: Int { VariableParts.maximum }
  /// The number of such fields up to its end.
  public var movableAfter: Int { partsAfter }
  /// The bytes that it has in every message.
  public var leastSize: Int { isPart || isCut ? 0 : type.size ?? 0 }
  /// The least offset of its first byte that another field may have too: of a payload whose zeros are cut that of the payload.
  public var leastOffset: Int { cutPayload?.range.lowerBound ?? offset }

  /// The offset of its first byte in a message that begins where `bytes` begin; nil where it is missing.
  public func start(in bytes: RawSpan) -> Int? {
    guard let parts, isShifted else { return offset }
    if mayBeMissing, !parts.isPresent(partsBefore, in: bytes) { return nil }
    return offset &+ parts.size(of: partsBefore, in: bytes)
  }

  /// Its bytes; nil where it takes all that is left.
  private func size(in bytes: RawSpan) -> Int? {
    guard let parts, isPart, type.size == nil else { return type.size }
    return parts.size(ofPart: partsBefore, in: bytes)
  }

  /// Whether its checksum covers another field.
  public func covers(_ other: FieldRow) -> Bool {
    guard let check else { return false }
    let (start, end) = check.movableBefore
    let (from, to) = (check.from, check.to ?? .max)
    // Fields of variable size may have the same least offset.
    let isAfterStart =
      (other.leastOffset, other.partsBefore) >= (from, start)
      || !other.isPart && other.offset + (other.type.size ?? 1) > from
    return isAfterStart && (other.leastOffset, other.partsBefore) < (to, end)
  }

  /// The width of its number; 0 of what is no number, or has no fixed size.
  public var bitCount: Int { type.bitCount }

  /// The field's bits; nil for what is no number, and where the bytes end too early. Signed numbers are not extended.
  public func bits(in bytes: RawSpan) -> UInt64? {
    guard let offset = start(in: bytes) else { return nil }
    if isRewritten { return type.isNumber ? FieldPlace(self).bits(in: bytes) : nil }
    if case .bits(let slice) = type { return bytes.integer(at: offset, slice, byteOrder) }
    return type.isNumber ? bytes.integer(at: offset, count: type.size ?? 0, byteOrder) : nil
  }

  /// The value in a message that begins where `bytes` begin, that of a scaled number as a double; nil where they end too early.
  public func value(in bytes: RawSpan) -> FieldValue? {
    if scale != nil { return bits(in: bytes).flatMap(scaled).map { .double($0) } }
    guard let offset = start(in: bytes) else { return nil }
    if isCut, !type.isNumber { return cutValue(in: bytes) }
    return switch type {
    case .u8, .u16, .u24, .u32, .u64, .bits: bits(in: bytes).map { .unsigned($0) }
    case .i8, .i16, .i24, .i32, .i64, .decimal: bits(in: bytes).map { .signed(type.signed($0)) }
    case .f32: bits(in: bytes).map { .float(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case .f64: bits(in: bytes).map { .double(Double(bitPattern: $0)) }
    case .text(let size): bytes.byteCount - offset >= size ? .text(text(in: bytes)) : nil
    case .variableText: bytes.byteCount >= offset ? .text(text(in: bytes)) : nil
    case .octets(let size): bytes.byteCount - offset >= size ? .bytes(bytes.array(range(in: bytes))) : nil
    case .variableOctets, .rest: bytes.byteCount >= offset ? .bytes(bytes.array(range(in: bytes))) : nil
    }
  }

  /// Text or bytes with the zeros that were cut; nil where the bytes end before what was sent of it.
  private func cutValue(in bytes: RawSpan) -> FieldValue? {
    guard let octets = cutBytes(in: bytes) else { return nil }
    if case .text = type { return .text(text(in: bytes)) }
    return .bytes(octets)
  }

  /// All its bytes with those that were cut; nil where the bytes end before what was sent of it.
  func cutBytes(in bytes: RawSpan) -> [UInt8]? {
    let size = type.size ?? 0
    guard min(offset + size, parts?.cutEnd(in: bytes) ?? 0) <= bytes.byteCount else { return nil }
    let sent = bytes.array(range(in: bytes))
    return sent + [UInt8](repeating: 0, count: size - sent.count)
  }

  /// The field's text without the NULs that pad it.
  private func text(in bytes: RawSpan) -> String {
    var raw = bytes.array(textRange(in: bytes))
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

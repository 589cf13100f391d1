/// One row of a message's table, with the Swift type of its value: the only place that knows its offset.
public struct Field<Value: WireValue>: Sendable {
  /// The row as data, for everything that walks a table.
  public let row: FieldRow
  /// Where the value begins, in bytes from the start of the message.
  public let offset: Int

  /// A field of the documents' `name` at `offset`, in `unit`, held to `rule`.
  init(_ name: String, at offset: Int, unit: String = "", _ rule: FieldRule = .any, _ meaning: String = "") {
    self.offset = offset
    row = FieldRow(name: name, type: Value.fieldType, offset: offset, unit: unit, rule: rule, meaning: meaning)
  }

  /// The bytes of the value in its message.
  public var range: Range<Int> { offset..<offset + MemoryLayout<Value>.size }

  /// The value in a message that begins where `bytes` begin, or nil where they end too early.
  @inlinable
  public func value(in bytes: RawSpan) -> Value? { Value.read(bytes, at: offset) }
}

/// A text field of a table: its bytes are not a number.
public struct TextField: Sendable {
  /// The row as data.
  public let row: FieldRow

  /// Text of a fixed size, or of the size that an earlier field says.
  init(
    _ name: String, at offset: Int, _ type: FieldType, _ rule: FieldRule = .any, lengthIn length: FieldRow? = nil,
    _ meaning: String = ""
  ) {
    row = FieldRow(name: name, type: type, offset: offset, unit: "", rule: rule, meaning: meaning, lengthIn: length)
  }
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
  public let rule: FieldRule
  /// What it is for, in a few words; may be empty.
  public let meaning: String
  /// For `variableText`: the name of the field that holds its length.
  public let lengthField: String?
  /// Where that length stands.
  let lengthRange: Range<Int>

  init(
    name: String, type: FieldType, offset: Int, unit: String, rule: FieldRule, meaning: String,
    lengthIn length: FieldRow? = nil
  ) {
    self.name = name
    self.type = type
    self.offset = offset
    self.unit = unit
    self.rule = rule
    self.meaning = meaning
    lengthField = length?.name
    lengthRange = length.map { $0.offset..<$0.offset + ($0.type.size ?? 0) } ?? 0..<0
  }

  /// The bytes that this field takes in a message of `count` bytes, cut where the message ends. Text whose length stands
  /// in another field reaches to the end; where bytes may trail the message, ask `range(in:)` with the bytes.
  public func range(in count: Int) -> Range<Int> { range(size: type.size ?? count, in: count) }

  /// The bytes that this field takes in a message that begins where `bytes` begin, cut where they end.
  public func range(in bytes: RawSpan) -> Range<Int> {
    let size = type == .variableText ? textLength(in: bytes) : type.size
    return range(size: size ?? bytes.byteCount, in: bytes.byteCount)
  }

  private func range(size: Int, in count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(size, count - start)
  }

  /// The length that stands in the other field; nil where there is none or the bytes end before it does.
  private func textLength(in bytes: RawSpan) -> Int? {
    lengthRange.count == 1
      ? UInt8.read(bytes, at: lengthRange.lowerBound).map { Int($0) }
      : UInt16.read(bytes, at: lengthRange.lowerBound).map { Int($0) }
  }

  /// The value in a message that begins where `bytes` begin; nil where they end too early.
  public func value(in bytes: RawSpan) -> FieldValue? {
    switch type {
    case .u8: UInt8.read(bytes, at: offset).map { .unsigned(UInt64($0)) }
    case .u16: UInt16.read(bytes, at: offset).map { .unsigned(UInt64($0)) }
    case .u32: UInt32.read(bytes, at: offset).map { .unsigned(UInt64($0)) }
    case .u64: UInt64.read(bytes, at: offset).map { .unsigned($0) }
    case .i8: Int8.read(bytes, at: offset).map { .signed(Int64($0)) }
    case .i16: Int16.read(bytes, at: offset).map { .signed(Int64($0)) }
    case .f32: Float.read(bytes, at: offset).map { .float($0) }
    case .text(let size): bytes.byteCount - offset >= size ? .text(text(in: bytes)) : nil
    case .variableText: bytes.byteCount >= offset ? .text(text(in: bytes)) : nil
    case .rest: bytes.byteCount >= offset ? .bytes(bytes.array(range(in: bytes))) : nil
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
  /// A copy of the bytes in `range`, which is cut to what there is.
  public func array(_ range: Range<Int>) -> [UInt8] {
    let whole = range.clamped(to: 0..<byteCount)
    return withUnsafeBytes { Array($0[whole]) }
  }

  /// A copy of all bytes.
  public var array: [UInt8] { array(0..<byteCount) }
}

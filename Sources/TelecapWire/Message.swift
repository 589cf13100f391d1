import TelecapRecording

/// A message as a value: its kind and its bytes. Fields are read and written through the kind's table, so what nobody
/// understands stays as it came.
public struct Message: Hashable, Sendable {
  /// Which message it is.
  public let kind: MessageKind
  /// Its bytes as they stand on the wire, without a frame around them.
  public private(set) var bytes: [UInt8]

  /// The message in `bytes`, or nil when a receiver has to drop them; all findings either way.
  public static func decode(_ bytes: RawSpan, as dialect: Dialect) -> (message: Message?, findings: [Finding]) {
    var findings: [Finding] = []
    let kind = MessageDecoder.shared.decode(bytes, as: dialect, findings: &findings)
    let valid = !findings.contains { $0.severity == .error }
    return (valid ? Message(kind, bytes.array) : nil, findings)
  }

  /// The message in `bytes`, a collection of any start index, or nil when a receiver has to drop them.
  public init?(decoding bytes: some Sequence<UInt8>, as dialect: Dialect) {
    guard let message = Message.decode(Array(bytes).span.bytes, as: dialect).message else { return nil }
    self = message
  }

  /// The payload in `bytes` just as it came, also when a receiver has to drop it: unknown types, truncated messages,
  /// noise. Its kind is what the decoder calls it.
  public init(keeping bytes: some Sequence<UInt8>, as dialect: Dialect) {
    let bytes = Array(bytes)
    var findings: [Finding] = []
    self.init(MessageDecoder.shared.decode(bytes.span.bytes, as: dialect, findings: &findings), bytes)
  }

  /// A message of `kind` with these bytes.
  init(_ kind: MessageKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// An empty message of `kind`: its header, and 0 in every field.
  init(empty kind: MessageKind) {
    self.kind = kind
    bytes = [UInt8](repeating: 0, count: kind.layout.fixedSize)
    switch kind {
    case .mouseMovement: bytes[0] = MousePacket.movementHeader
    case .mouseControl: bytes[0] = MousePacket.controlHeader
    default:
      guard kind.layout["magic"] != nil else { return }
      store(UInt64(Header.magic), 4, at: 0)
      self[Header.fields.type] = kind.teleType ?? 0
      self[Header.fields.version] = Header.version
    }
  }

  /// A field's value. A field that lies past the message's end reads as 0 and is not written.
  public subscript<Value: WireValue>(field: Field<Value>) -> Value where Value: ExpressibleByIntegerLiteral {
    get { field.value(in: bytes.span.bytes) ?? 0 }
    set { store(newValue.wireBits, MemoryLayout<Value>.size, at: field.offset) }
  }

  /// The value of the field called `name`, whatever its type; nil where the message has none.
  public func value(of name: String) -> FieldValue? {
    kind.layout[name]?.value(in: bytes.span.bytes)
  }

  /// Writes the lowest `count` bytes of `bits` at `offset`, the least significant first.
  private mutating func store(_ bits: UInt64, _ count: Int, at offset: Int) {
    guard offset >= 0, offset + count <= bytes.count else { return }
    for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
  }

  /// Puts text at its place.
  mutating func store(_ text: [UInt8], in field: TextField) {
    replace(field.row.range(in: bytes.count), with: text)
  }

  /// Puts `new` where `range` is, at the end where the message ends earlier.
  private mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
    bytes.replaceSubrange(range.clamped(to: 0..<bytes.count), with: new)
  }
}

extension Message {
  /// A message of `kind` with these fields by name, the others 0: what a scenario or a test writes down. Values may break
  /// the rules of the protocol; they may not be impossible on the wire.
  ///
  /// - Throws: `WireError` when there is no such field, or the field cannot hold the value.
  public init(_ kind: MessageKind, fields: [String: FieldValue]) throws(WireError) {
    self.init(empty: kind)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { try set(name, to: value) }
  }

  /// Writes the field called `name`. Text is given as text, or as bytes when it is to be no UTF-8; with text of variable
  /// size its length is written too (write the length afterwards to make it lie). A number past the end of a truncated
  /// message is not written.
  ///
  /// - Throws: `WireError` when there is no such field, or the field cannot hold the value.
  public mutating func set(_ name: String, to value: FieldValue) throws(WireError) {
    guard let row = kind.layout[name] else { throw WireError.noSuchField(message: kind.name, field: name) }
    switch (row.type, value) {
    case (.u8, .unsigned(let number)) where number <= 0xff: store(number, 1, at: row.offset)
    case (.u16, .unsigned(let number)) where number <= 0xffff: store(number, 2, at: row.offset)
    case (.u32, .unsigned(let number)) where number <= 0xffff_ffff: store(number, 4, at: row.offset)
    case (.u64, .unsigned(let number)): store(number, 8, at: row.offset)
    case (.i8, .signed(let number)) where Int8(exactly: number) != nil:
      store(UInt64(bitPattern: number), 1, at: row.offset)
    case (.i16, .signed(let number)) where Int16(exactly: number) != nil:
      store(UInt64(bitPattern: number), 2, at: row.offset)
    case (.f32, .float(let number)): store(number.wireBits, 4, at: row.offset)
    case (.text(let size), .text(let text)) where text.utf8.count <= size: setText(Array(text.utf8), row)
    case (.text(let size), .bytes(let text)) where text.count <= size: setText(text, row)
    case (.variableText, .text(let text)): try setVariableText(Array(text.utf8), row)
    case (.variableText, .bytes(let text)): try setVariableText(text, row)
    case (.rest, .bytes(let rest)): replace(row.range(in: bytes.count), with: rest)
    default: throw WireError.doesNotFit(message: kind.name, field: name, type: row.type, value: value)
    }
  }

  private mutating func setText(_ text: [UInt8], _ row: FieldRow) {
    let range = row.range(in: bytes.count)
    let padded = text + [UInt8](repeating: 0, count: max(0, range.count - text.count))
    replace(range, with: padded.prefix(range.count))
  }

  private mutating func setVariableText(_ text: [UInt8], _ row: FieldRow) throws(WireError) {
    if let name = row.lengthField { try set(name, to: .unsigned(UInt64(text.count))) }
    replace(row.range(in: bytes.count), with: text)
  }
}

extension MessageDecoder {
  /// The decoder that `Message` uses.
  public static let shared = MessageDecoder()
}

import TelecapRecording

/// A message as a value: its kind and its bytes. Fields are read and written through the kind's table, so what nobody
/// understands stays as it came.
public struct Message: Hashable, Sendable {
  /// Which message it is.
  public let kind: MessageKind
  /// Its bytes as they are on the wire, without a frame around them.
  public internal(set) var bytes: [UInt8]

  /// The message in `bytes`, or nil when a receiver has to drop them; all findings either way.
  public static func decode(_ bytes: RawSpan, as dialect: Dialect) -> (message: Message?, findings: [Finding]) {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
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
    self.init(MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings), bytes)
  }

  /// A message of `kind` with these bytes.
  init(_ kind: MessageKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// An empty message of `kind`: what is always the same, its code, and 0 in every other field.
  public init(empty kind: MessageKind) {
    self = kind.row.templates.map { Message(kind, $0.empty) } ?? Message(buildingEmpty: kind)
  }

  /// The two messages of `kind` from which others are made.
  static func templates(_ kind: MessageKind) -> (empty: [UInt8], right: [UInt8]) {
    let empty = Message(buildingEmpty: kind)
    return (empty.bytes, Message(completing: empty).bytes)
  }

  private init(buildingEmpty kind: MessageKind) {
    self.kind = kind
    bytes = [UInt8](repeating: 0, count: kind.layout.fixedSize)
    writeConstants(afterParts: false)
    if let code = kind.code, let row = kind.owner.codeField(of: kind) {
      FieldPlace(row).write(code, into: &bytes)
    }
    if kind.layout.parts != nil {
      fillParts()
      // The first byte of a payload is sent, whatever it is.
      if let payload = kind.layout.fields.lazy.compactMap(\.cutPayload).first { changePayload(payload) { _ in } }
      writeConstants(afterParts: true)
    }
    if let last = kind.layout.fields.last, last.takesRest, last.type.isDecimal { put(bits: 0, last) }
    fillEntries(isRight: false)
    seal()
  }

  /// Writes what is always the same in the fields of fixed offsets, or in those after parts that the message shows the size of.
  private mutating func writeConstants(afterParts: Bool) {
    for row in kind.layout.fields where row.isVariable == afterParts {
      if let text = row.constantText {
        write(text, row)
      } else if let bits = kind.layout.emptyBits(of: row) {
        write(bits, row)
      }
    }
  }

  /// Writes a constant text where its field is there.
  private mutating func write(_ text: [UInt8], _ row: FieldRow) {
    if let payload = row.cutPayload {
      let start = row.offset - payload.range.lowerBound
      return changePayload(payload) { $0.replaceSubrange(start..<start + text.count, with: text) }
    }
    guard let start = row.start(in: bytes.span.bytes), start + text.count <= bytes.count else { return }
    bytes.replaceSubrange(start..<start + text.count, with: text)
  }

  /// The value of the field called `name`, whatever its type; nil where the message has none.
  ///
  /// - Parameter name: a field, or one of an entry: `tiles[2].width`.
  public func value(of name: String) -> FieldValue? {
    guard let found = kind.layout.row(at: name) else { return nil }
    guard let repeating = found.repeating else { return found.row.value(in: bytes.span.bytes) }
    return value(of: found.row, inEntry: found.entry, of: repeating)
  }

  /// Writes the lowest `count` bytes of `bits` at `offset`, the lowest first.
  mutating func store(_ bits: UInt64, _ count: Int, at offset: Int) {
    guard offset >= 0, offset + count <= bytes.count else { return }
    for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
  }

  /// A message of `kind` that keeps every rule of its fields: 0 where 0 is right, else the smallest right number; texts that
  /// must not be empty are as short as they may be.
  public static func right(_ kind: MessageKind) -> Message {
    kind.row.templates.map { Message(kind, $0.right) } ?? Message(completing: Message(empty: kind))
  }

  private init(completing empty: Message) {
    var message = empty
    let kind = empty.kind
    // A number that counts a field is written with that.
    let counting = Set(kind.layout.fields.compactMap(\.length?.field))
    for row in kind.layout.fields where !counting.contains(row.name) {
      switch row.rule {
      case .range(let range) where !range.contains(row.scale?.offset ?? 0): message.put(right: range, row)
      case .codes(let codes) where !codes.contains { $0.value == 0 }:
        message.put(bits: codes.map(\.value).min() ?? 0, row)
      default: continue
      }
    }
    message.fillEntries(isRight: true)
    for row in kind.layout.fields where row.start(in: message.bytes.span.bytes) != nil {
      if let content = Message.rightContent(row, in: kind) { try? message.set(row.name, to: .bytes(content)) }
    }
    if let scalar = kind.layout.unitQuaternion.last.flatMap({ kind.layout[$0] }) { message.put(1, scalar) }
    message.seal()
    self = message
  }

  /// The shortest text, bytes or entries that keep the rules of a field and of its length; nil where there need be none.
  private static func rightContent(_ row: FieldRow, in kind: MessageKind) -> [UInt8]? {
    let number = row.length.flatMap { kind.layout[$0.field] }.map(leastNumber) ?? 0
    if let repeated = row.repeated, row.length != nil {
      let least = min(number, MessageSizes.maximum / max(1, repeated.entry.fixedSize))
      return least > 0 ? try? repeated.bytes(of: [[String: FieldValue]](repeating: [:], count: least)) : nil
    }
    var (filling, count) = (row.type == .variableText ? UInt8(ascii: "A") : 0, 0)
    if case .form(let form) = row.rule {
      switch form.pattern {
      case .jsonObject: return Array("{}".utf8)
      case .constant: return nil
      case .characters(let ranges, let counts, _):
        (filling, count) = (ranges.first?.lowerBound ?? filling, counts.lowerBound)
      }
    }
    if let length = row.length {
      count = max(count, number * length.step - length.less)
      while length.number(ofBytes: count) == nil { count += 1 }
    }
    return count > 0 ? [UInt8](repeating: filling, count: count) : nil
  }

  /// The smallest right value of a number that counts something, at most the size of a message.
  private static func leastNumber(_ row: FieldRow) -> Int {
    switch row.rule {
    case .range(let range): Int(min(Double(MessageSizes.maximum), max(0, range.lowerBound.rounded(.up))))
    case .codes(let codes): Int(clamping: min(UInt64(MessageSizes.maximum), codes.map(\.value).min() ?? 0))
    case .any, .equal, .reserved, .bits, .finite, .form: 0
    }
  }

  /// Writes the smallest number of a range: of a scaled one the smallest number of the wire within it.
  private mutating func put(right range: ClosedRange<Double>, _ row: FieldRow) {
    guard row.scale != nil else { return put(range.lowerBound, row) }
    let least = row.numbers(of: range)?.lowerBound ?? 0
    put(bits: UInt64(bitPattern: Int64(clampingRounded: least)), row)
  }

  /// Writes a number as the field's type holds it: whole numbers by their nearest, what does not fit is cut; NaN and ∞ as decimal digits
  /// are `nan` and `inf`, as `printf` writes them. Of a scaled field it is the
  /// value that the number of the wire stands for.
  public mutating func put(_ value: Double, _ row: FieldRow) {
    if row.type.isDecimal, !value.isFinite { return put(digits: Array("\(value)".utf8), row) }
    let number = row.scale.map { $0.number(of: value) } ?? value
    switch row.type {
    case .f32: put(bits: UInt64(Float(number).bitPattern), row)
    case .f64: put(bits: number.bitPattern, row)
    case .u64 where number >= 0x1p63, .bits where number >= 0x1p63:
      put(bits: UInt64(exactly: number.rounded()) ?? .max, row)
    default: put(bits: UInt64(bitPattern: Int64(clampingRounded: number)), row)
    }
  }

  /// Writes a number's bits.
  ///
  /// Fields that are there or not as these bits say are put in, each 0, or taken out.
  public mutating func put(bits: UInt64, _ row: FieldRow) {
    guard row.type.isNumber else { return }
    if let places = row.type.places { return put(decimal: bits, row, places: places) }
    if row.decidesPresence, row.start(in: bytes.span.bytes) != nil { return rearrange(by: row, to: bits) }
    write(bits, row)
  }

  /// Writes the bits of a number or of short text, and what follows a payload whose zeros are cut into its place.
  mutating func write(_ bits: UInt64, _ row: FieldRow) {
    let place = FieldPlace(row)
    guard let payload = row.cutPayload else { return place.write(bits, into: &bytes) }
    changePayload(payload) { place.write(bits, inPayload: &$0, at: row.offset - payload.range.lowerBound) }
  }

  /// Writes the checksums anew, and leaves the rest as it is.
  ///
  /// - Parameter kept: the fields whose checksums stay as they are.
  public mutating func sealChecksums(except kept: [String] = []) {
    for row in kind.layout.checkFields where !kept.contains(row.name) {
      let place = FieldPlace(row).range(in: bytes.span.bytes)
      guard let value = row.check?.value(of: bytes.span.bytes, count: bytes.count, in: place) else { continue }
      put(bits: value, row)
    }
  }

  /// These bytes with the checksums of a message of this kind written anew, where it has any: whatever else is wrong in them
  /// stays.
  ///
  /// - Parameter kept: the fields whose checksums stay as they are.
  public static func checksummed(_ bytes: [UInt8], as kind: MessageKind, except kept: [String] = []) -> [UInt8] {
    var message = Message(kind, bytes)
    message.sealChecksums(except: kept)
    return message.bytes
  }

  /// Writes the length and the checksums anew, where the protocol has them: whatever rewrites a message ends with this.
  public mutating func seal() {
    sealLength()
    sealChecksums()
  }

  mutating func sealLength() {
    guard let length = kind.recognition?.length else { return }
    FieldPlace(length.field).write(length.number(ofBytes: bytes.count), into: &bytes)
  }

  /// Puts text at its place.
  public mutating func store(_ text: [UInt8], in field: TextField) {
    replace(field.row.range(in: bytes.count), with: text)
  }

  /// Puts `new` where `range` is, at the end where the message ends earlier.
  mutating func replace(_ range: Range<Int>, with new: some Collection<UInt8>) {
    bytes.replaceSubrange(range.clamped(to: 0..<bytes.count), with: new)
  }
}

extension Message {
  /// A message of `kind` with these fields by name, the others 0: what a scenario or a test writes down. Values may break
  /// the rules of the protocol; they may not be impossible on the wire.
  ///
  /// - Throws: `WireError` when there is no such field, or the field cannot hold the value.
  public init(_ kind: MessageKind, fields: [String: FieldValue]) throws(WireError) {
    try self.init(Message(empty: kind), fields: fields)
  }

  /// Another message with these fields by name in place of its own.
  ///
  /// - Throws: `WireError` when there is no such field, or the field cannot hold the value.
  public init(_ other: Message, fields: [String: FieldValue]) throws(WireError) {
    self = other
    let named = fields.sorted { $0.key < $1.key }
    if kind.layout.writesInTurns {
      for turn in kind.layout.turns(for: fields.keys) {
        for (name, value) in named where turn(name) { try set(name, to: value) }
      }
    } else {
      for (name, value) in named { try set(name, to: value) }
    }
    // Given values stay, even invalid ones.
    let recognition = kind.recognition
    if let length = recognition?.length?.field.name, fields[length] == nil { sealLength() }
    sealChecksums(except: Array(fields.keys))
  }

  /// Writes the field called `name`. Text is given as text, or as bytes when it is to be no UTF-8; with text of variable
  /// size its length is written too (write the length afterwards to make it lie). A number past the end of a truncated
  /// message is not written.
  ///
  /// - Throws: `WireError` when there is no such field, or the field cannot hold the value.
  public mutating func set(_ name: String, to value: FieldValue) throws(WireError) {
    guard let row = kind.layout[name] else { throw WireError.noSuchField(message: kind.name, field: name) }
    if row.mayBeMissing { makePresent(row) }
    if row.scale != nil {
      guard case .double(let number) = value, let bits = row.bits(ofScaled: number) else {
        throw misfit(value, row)
      }
      return put(bits: bits, row)
    }
    switch (row.type, value) {
    case (.u8, .unsigned(let number)), (.u16, .unsigned(let number)), (.u24, .unsigned(let number)),
      (.u32, .unsigned(let number)), (.u64, .unsigned(let number)), (.bits, .unsigned(let number)):
      guard number <= row.type.largest else { throw misfit(value, row) }
      put(bits: number, row)
    case (.i8, .signed(let number)), (.i16, .signed(let number)), (.i24, .signed(let number)),
      (.i32, .signed(let number)), (.i64, .signed(let number)), (.decimal, .signed(let number)):
      guard row.type.holds(number) else { throw misfit(value, row) }
      put(bits: UInt64(bitPattern: number), row)
    case (.f32, .float(let number)): put(bits: number.wireBits, row)
    case (.f64, .double(let number)): put(bits: number.wireBits, row)
    case (.text(let size), .text(let text)) where text.utf8.count <= size: setText(Array(text.utf8), row)
    case (.text(let size), .bytes(let text)) where text.count <= size: setText(text, row)
    case (.octets(let size), .bytes(let octets)) where octets.count <= size: setText(octets, row)
    case (.variableText, .text(let text)): try setText(Array(text.utf8), ofAnySize: row, value)
    case (.variableText, .bytes(let text)): try setText(text, ofAnySize: row, value)
    case (.variableOctets, .bytes(let text)): try setVariableText(text, row)
    case (.rest, .bytes(let rest)): replace(row.range(in: bytes.span.bytes), with: rest)
    default: throw misfit(value, row)
    }
  }

  private func misfit(_ value: FieldValue, _ row: FieldRow) -> WireError {
    WireError.doesNotFit(message: kind.name, field: row.name, type: row.type, value: value)
  }

  private mutating func setText(_ text: [UInt8], _ row: FieldRow) {
    if let payload = row.cutPayload, let size = row.type.size {
      let start = row.offset - payload.range.lowerBound
      changePayload(payload) {
        $0.replaceSubrange(start..<start + size, with: text + [UInt8](repeating: 0, count: size - text.count))
      }
      return
    }
    let range = row.range(in: bytes.span.bytes)
    let padded = text + [UInt8](repeating: 0, count: max(0, range.count - text.count))
    replace(range, with: padded.prefix(range.count))
  }

  private mutating func setText(_ text: [UInt8], ofAnySize row: FieldRow, _ value: FieldValue) throws(WireError) {
    guard let end = row.terminator else { return try setVariableText(text, row) }
    try setTerminated(text, by: end, row, value)
  }

  private mutating func setVariableText(_ text: [UInt8], _ row: FieldRow) throws(WireError) {
    guard let counted = row.length, let length = kind.layout[counted.field] else { return }
    guard let number = row.number(ofContent: text, counted) else { throw misfit(.bytes(text), row) }
    guard number <= length.type.largest else { throw misfit(.unsigned(number), length) }
    // A field that no number counts is empty.
    if text.isEmpty, length.start(in: bytes.span.bytes) == nil { return }
    if length.mayBeMissing { makePresent(length) }
    let before = placedParts
    FieldPlace(length).write(number, into: &bytes)
    // The last field reaches to the end, whatever its length says.
    replace(row, of: before, with: text, isLast: kind.layout.fields.last == row)
  }
}

import TelecapImpairment
import TelecapRecording
import TelecapWire

/// Changes fields of messages: resolves the requests of `Hostile` and `SetFields` to changes, and applies those of a
/// plan. The tables of the protocols define the possible changes.
public struct MessageChanger: Sendable {
  /// The changeable fields with their numbers in plans.
  public let names: FieldNames
  private let items: [SetFields.Item]
  private let kinds: [MessageKind: Changeable]

  /// The name of a change of a message's length in a plan: the new size in bytes.
  public static let size = "bytes"

  /// The possible changes of messages of one kind.
  private struct Changeable: Sendable {
    var hostile: [(field: FieldRow?, change: HostileChange)]
    /// The change of each item, by its number; nil if such a message has no such field.
    var set: [FieldChange?]
    /// The optional fields of the message.
    var missing: [FieldRow] = []

    /// Whether a message may have a field to set; an absent field has no value.
    func mayHave(_ field: String, _ message: RawSpan) -> Bool {
      missing.first { $0.name == field }.map { $0.start(in: message) != nil } ?? true
    }
  }

  /// The fields of these protocols' messages.
  public static func names(of protocols: [WireProtocol]) -> FieldNames {
    FieldNames(protocols.flatMap(\.messages).flatMap { $0.layout.fields }.map(\.name) + [size])
  }

  /// A changer for messages of these protocols, with these impairments.
  /// - Throws: `FieldProblem` if a field to set is in no message, or cannot have the value.
  public init(_ protocols: [WireProtocol], _ impairments: Impairments) throws(FieldProblem) {
    names = MessageChanger.names(of: protocols)
    items = impairments[SetFields.self]?.items ?? []
    let all =
      impairments.changesFields
      ? protocols.flatMap(\.messages).filter { $0 != $0.owner.malformed && $0 != $0.owner.unknown } : []
    var kinds: [MessageKind: Changeable] = [:]
    for kind in all {
      kinds[kind] = Changeable(
        hostile: kind.hostileChanges, set: [], missing: kind.layout.fields.filter(\.mayBeMissing))
    }
    for item in items {
      guard let number = names.number(of: item.field) else { throw names.unknown(item.field) }
      var problem: FieldProblem?
      var isHeld = false
      for kind in all {
        do throws(FieldProblem) {
          let value = try MessageChanger.value(item.value, of: item.field, in: kind)
          kinds[kind]?.set.append(value.map { FieldChange(field: number, $0) })
          if value != nil { isHeld = true }
        } catch {
          kinds[kind]?.set.append(nil)
          problem = problem ?? error
        }
      }
      if !isHeld, let problem { throw problem }
    }
    self.kinds = kinds
  }

  /// Checks that the fields to set are in messages of these protocols that one of these sides sends.
  /// - Throws: `FieldProblem` if a field is only in other messages.
  public static func check(
    _ impairments: Impairments, of protocols: [WireProtocol], sentBy sides: Set<Side>
  ) throws(FieldProblem) {
    for item in impairments[SetFields.self]?.items ?? [] {
      let having = protocols.flatMap(\.messages).filter { $0.layout[item.field] != nil }
      if having.isEmpty || having.contains(where: { kind in sides.contains { kind.mayBeSent(by: $0) } }) { continue }
      let names = Set(having.map(\.name)).sorted().joined(separator: " and ")
      throw FieldProblem("set \(item) changes nothing: \(names) has this field, which goes the other way")
    }
  }

  /// The fields to set that no delivered message had.
  public func withoutEffect(_ rates: AppliedRates) -> [SetFields.Item] {
    items.filter { item in names.number(of: item.field).map(rates.timesSet) == 0 }
  }

  // MARK: - Planning

  /// The changes of a message by a request; empty if the message is unknown or has none of the fields. Of several messages in
  /// a datagram it is the first one that has a field to set, otherwise the first one.
  public func changes(_ wish: RequestedChanges, of payload: RawSpan, as dialect: Dialect) -> FieldChanges {
    var changes = FieldChanges()
    let message = payload.extracting(
      target(of: payload, as: dialect) { kind, message in
        guard let changeable = kinds[kind] else { return false }
        return items.enumerated().contains { place, item in
          wish.sets >> UInt8(place) & 1 == 1 && changeable.set[place] != nil && changeable.mayHave(item.field, message)
        }
      })
    guard let changeable = kinds[MessageDecoder.check(message, as: dialect).kind] else { return changes }
    for (place, change) in changeable.set.enumerated() where wish.sets >> UInt8(place) & 1 == 1 {
      if let change, changeable.mayHave(items[place].field, message) { changes.put(change) }
    }
    if let draw = wish.hostile, let change = hostile(draw, message, changeable.hostile, beside: changes) {
      changes.put(change)
    }
    return changes
  }

  /// Where the first message of a payload is that has the fields, or the first one.
  private func target(
    of payload: RawSpan, as dialect: Dialect, has: (MessageKind, RawSpan) -> Bool
  ) -> Range<Int> {
    guard dialect.hasSeveralInDatagram else { return 0..<payload.byteCount }
    var target: Range<Int>?
    dialect.eachMessageRange(of: payload) { range in
      guard target == nil else { return }
      let message = payload.extracting(range)
      if has(MessageDecoder.check(message, as: dialect).kind, message) { target = range }
    }
    return target ?? dialect.firstMessage(of: payload)
  }

  /// The drawn change, or the next one after it that changes the value of a field that is not set.
  private func hostile(
    _ draw: UInt64, _ message: RawSpan, _ all: [(field: FieldRow?, change: HostileChange)], beside set: FieldChanges
  ) -> FieldChange? {
    let start = Int(draw.multipliedFullWidth(by: UInt64(all.count)).high)
    for step in all.indices {
      let (row, change) = all[(start + step) % all.count]
      guard let number = names.number(of: row?.name ?? MessageChanger.size),
        !set.contains(where: { $0.field == number })
      else { continue }
      guard let row else {
        if let size = MessageChanger.size(of: message.byteCount, after: change) {
          return FieldChange(field: number, .integer(Int64(size)), isHostile: true)
        }
        continue
      }
      guard let present = row.changeableBits(in: message), let bits = row.bits(present, after: change), bits != present
      else { continue }
      return FieldChange(field: number, MessageChanger.value(bits, row), isHostile: true)
    }
    return nil
  }

  private static func size(of count: Int, after change: HostileChange) -> Int? {
    switch change {
    case .resize(let step) where (1...longest).contains(count + step): count + step
    case .cut(let size) where size < count: size
    default: nil
    }
  }

  /// The maximum payload of a UDP datagram over IPv4, in bytes.
  private static let longest = MessageSizes.maximum

  // MARK: - Values

  /// The bits in the form of a plan: a number if JSON can represent it.
  private static func value(_ bits: UInt64, _ row: FieldRow) -> ChangedValue {
    let width = UInt8(row.type.isNumber ? row.type.numberSize : row.type.size ?? 8)
    // Keep the bits, because a scaled value may be rounded.
    if row.scale != nil { return .bits(bits, bytes: width) }
    switch row.type {
    case .f32:
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      return number.isFinite ? .float(number) : .bits(bits, bytes: 4)
    case .f64:
      let number = Double(bitPattern: bits)
      return number.isFinite ? .double(number) : .bits(bits, bytes: 8)
    case .i8, .i16, .i24, .i32, .i64, .decimal: return .integer(row.type.signed(bits))
    case .u8, .u16, .u24, .u32, .u64, .bits:
      return Int64(exactly: bits).map { .integer($0) } ?? .bits(bits, bytes: width)
    default: return .bits(bits.byteSwapped >> UInt64(64 - 8 * Int(width)), bytes: width)
    }
  }

  /// The value of a field from the user's text; nil if the message has no such field.
  private static func value(_ text: String, of name: String, in kind: MessageKind) throws(FieldProblem) -> ChangedValue?
  {
    if name == size, kind.layout[name] == nil {
      guard let count = Int64(text), (1...Int64(longest)).contains(count) else {
        throw FieldProblem("a message has 1 to \(longest) bytes, not \(text)")
      }
      return .integer(count)
    }
    guard let row = kind.layout[name] else { return nil }
    if !row.type.isNumber, !text.hasPrefix("bits:") {
      let bytes = Array(text.utf8)
      guard let width = row.type.size, width <= 8, bytes.count <= width else {
        throw FieldProblem("\(kind).\(name) is \(row.type.name): it cannot be set to \(text)")
      }
      let padded = bytes + [UInt8](repeating: 0, count: width - bytes.count)
      return .bits(padded.reduce(0) { $0 << 8 | UInt64($1) }, bytes: UInt8(width))
    }
    // Do not parse it as a Double, which would round it.
    if row.type.largest > Int64.max, let number = UInt64(text), number <= row.type.largest {
      return MessageChanger.value(number, row)
    }
    guard let value = ChangedValue(text) else {
      throw FieldProblem(
        "\"\(text)\" is no value of \(kind).\(name): expected a number such as 1.5, nan or bits:7fc00000")
    }
    return MessageChanger.value(try bits(of: value, row, kind), row)
  }

  /// The bits of a value in this field.
  private static func bits(of value: ChangedValue, _ row: FieldRow, _ kind: MessageKind) throws(FieldProblem) -> UInt64
  {
    let width = row.type.isNumber ? row.type.numberSize : row.type.size ?? 0
    func misfit() -> FieldProblem { FieldProblem("\(kind).\(row.name) is \(row.type.name): it cannot hold \(value)") }
    if row.scale != nil {
      switch value {
      case .bits: break
      case .integer(let number): return try bits(ofScaled: Double(number), row, or: misfit())
      case .float(let number): return try bits(ofScaled: Double(number), row, or: misfit())
      case .double(let number): return try bits(ofScaled: number, row, or: misfit())
      }
    }
    switch (value, row.type) {
    case (.bits(let bits, let bytes), _):
      guard Int(bytes) == width, !row.type.isSlice || bits <= row.type.largest else { throw misfit() }
      return row.type.isNumber ? bits : bits.byteSwapped >> UInt64(64 - 8 * width)
    case (.integer(let number), .f32): return UInt64(Float(number).bitPattern)
    case (.integer(let number), .f64): return Double(number).bitPattern
    case (.float(let number), .f32): return UInt64(number.bitPattern)
    case (.double(let number), .f32): return UInt64(Float(number).bitPattern)
    case (.float(let number), .f64): return Double(number).bitPattern
    case (.double(let number), .f64): return number.bitPattern
    case (.integer(let number), _): return try bits(of: number, row.type, or: misfit())
    case (.float(let number), _):
      guard let whole = Int64(exactly: number) else { throw misfit() }
      return try bits(of: whole, row.type, or: misfit())
    case (.double(let number), _):
      guard let whole = Int64(exactly: number) else { throw misfit() }
      return try bits(of: whole, row.type, or: misfit())
    }
  }

  private static func bits(
    ofScaled value: Double, _ row: FieldRow, or misfit: @autoclosure () -> FieldProblem
  ) throws(FieldProblem) -> UInt64 {
    guard let bits = row.bits(ofScaled: value) else { throw misfit() }
    return bits
  }

  private static func bits(
    of number: Int64, _ type: FieldType, or misfit: @autoclosure () -> FieldProblem
  ) throws(FieldProblem) -> UInt64 {
    guard type.holds(number) else { throw misfit() }
    return UInt64(bitPattern: number)
  }

  // MARK: - Applying

  /// Applies the changes of a plan line to a message of a payload: of several the first one that has all the fields. A
  /// checksum is recomputed, unless it was changed itself. If a set number decides which fields are present, fields are
  /// added or removed with it; a hostile one leaves the others unchanged.
  /// - Throws: `FieldProblem` if the message has no such field, or the field cannot have the value.
  public func apply(
    _ changes: FieldChanges, to payload: inout [UInt8], as dialect: Dialect
  ) throws(FieldProblem) {
    let range = target(of: payload.span.bytes, as: dialect) { kind, message in
      kind != kind.owner.unknown && changes.allSatisfy { hasField(of: $0, kind, message) }
    }
    guard range.count < payload.count else { return try apply(changes, toMessage: &payload, as: dialect) }
    var message = Array(payload[range])
    try apply(changes, toMessage: &message, as: dialect)
    payload = dialect.replacing(range, of: payload, with: message)
  }

  /// Whether a message has the field of a change, which can have the value; each has a size.
  private func hasField(of change: FieldChange, _ kind: MessageKind, _ message: RawSpan) -> Bool {
    let name = names.name(of: change.field) ?? ""
    guard let row = kind.layout[name] else { return name == MessageChanger.size }
    return row.start(in: message) != nil && (try? MessageChanger.bits(of: change.value, row, kind)) != nil
  }

  /// Changes in the order in which they are applied. Fields that move others come first: the length and the checksums are written with
  /// them, and another change may set these.
  private func ordered(_ changes: FieldChanges, in kind: MessageKind) -> [FieldChange] {
    guard changes.count > 1 else { return Array(changes) }
    func movesOthers(_ change: FieldChange) -> Bool {
      kind.layout[names.name(of: change.field) ?? ""].map { $0.isRewritten || $0.decidesPresence } ?? false
    }
    return changes.filter(movesOthers) + changes.filter { !movesOthers($0) }
  }

  private func apply(
    _ changes: FieldChanges, toMessage message: inout [UInt8], as dialect: Dialect
  ) throws(FieldProblem) {
    let kind = MessageDecoder.check(message.span.bytes, as: dialect).kind
    var changed: [String] = []
    var size: Int?
    for change in ordered(changes, in: kind) {
      let name = names.name(of: change.field) ?? ""
      if name == MessageChanger.size, kind.layout[name] == nil {
        guard case .integer(let count) = change.value, (1...Int64(MessageChanger.longest)).contains(count) else {
          throw FieldProblem("a message has 1 to \(MessageChanger.longest) bytes, not \(change.value)")
        }
        size = Int(count)
        continue
      }
      guard let row = kind.layout[name] else { throw FieldProblem("it holds \(kind), which has no field \"\(name)\"") }
      let bits = try MessageChanger.bits(of: change.value, row, kind)
      if row.isRewritten || row.decidesPresence && !change.isHostile {
        message = Message.rearranged(message, as: kind, by: row, to: bits)
      } else {
        row.write(bits: bits, into: &message)
      }
      changed.append(name)
    }
    if let size, size < message.count {
      message.removeLast(message.count - size)
    } else if let size {
      message.append(contentsOf: repeatElement(0, count: size - message.count))
    }
    if !kind.checkFields.isEmpty { message = Message.checksummed(message, as: kind, except: changed) }
  }
}

extension MessageKind {
  /// Whether its direction is this side's or unspecified.
  fileprivate func mayBeSent(by side: Side) -> Bool {
    layoutDirection != (side == .host ? .clientToServer : .serverToClient)
  }
}

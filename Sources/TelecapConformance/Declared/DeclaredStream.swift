import TelecapModels
import TelecapRecording
import TelecapWire

/// A stream of a declared protocol together with the rows of its fields.
public struct DeclaredStream: Hashable, Sendable {
  /// What must be made of it.
  public let rules: StreamRules
  /// The message that carries it.
  public let kind: MessageKind
  /// The field of its number; nil where the order of arrival counts.
  let order: FieldRow?
  /// What tells several of it apart.
  let keys: [FieldRow]
  /// What is applied.
  let values: [FieldRow]

  /// Nil where the protocol has no such message.
  init?(_ rules: StreamRules, of owner: WireProtocol) {
    guard let kind = owner[rules.message] else { return nil }
    self.rules = rules
    self.kind = kind
    if case .sequence(let field) = rules.order { order = kind.layout[field] } else { order = nil }
    keys = rules.key.compactMap { kind.layout[$0] }
    values = rules.values.compactMap { kind.layout[$0] }
  }

  /// The streams that one side receives over UDP and whose latest value is the state; others are not judged.
  static func all(of owner: WireProtocol, received side: Side?) -> [DeclaredStream] {
    guard let dialect = owner.dialect(over: .udp) else { return [] }
    return owner.streams.filter { $0.merge == .latest }.compactMap { DeclaredStream($0, of: owner) }
      .filter { $0.receiver == side && $0.kind.layout.dialects.contains(dialect.name) }
  }

  /// Who receives it.
  var receiver: Side { kind.layoutDirection == .hostToPhone ? .client : .host }

  /// How many bits its number has.
  var bits: Int { 8 * (order?.type.size ?? 4) }

  /// What a system file may say where it stands: the fields of the key, the number and the values.
  var fields: [String] { keys.map(\.name) + (order.map { [$0.name] } ?? []) + values.map(\.name) }

  /// Whether it applies numbers that may be NaN.
  var hasFloats: Bool { values.contains { $0.type == .f32 || $0.type == .f64 } }

  /// The key in a message: its fields' bits, one behind the other.
  func key(in bytes: RawSpan) -> UInt64 { key(keys.map { $0.bits(in: bytes) ?? 0 }) }

  private func key(_ parts: [UInt64]) -> UInt64 { parts.reduce(0) { $0 << 16 | $1 & 0xffff } }

  /// The value in a message.
  func value(in bytes: RawSpan) -> AppliedValue {
    AppliedValue(
      stream: rules.name, key: key(in: bytes), number: order?.bits(in: bytes),
      values: values.map { $0.number(in: bytes) ?? 0 })
  }

  /// The value that an event shows, by the names of the fields; nil where it does not show which it is. Where not every
  /// number is shown, none is.
  func applied(_ number: (String) -> Double?) -> AppliedValue? {
    func whole(_ row: FieldRow) -> UInt64? { number(row.name).flatMap { UInt64(exactly: $0.rounded()) } }
    let parts = keys.map { whole($0) }
    guard !parts.contains(nil) else { return nil }
    let shown = values.compactMap { number($0.name) }
    var index: UInt64?
    if let order {
      guard let found = whole(order) else { return nil }
      index = found
    }
    if order == nil, shown.count < values.count { return nil }
    return AppliedValue(
      stream: rules.name, key: key(parts.compactMap(\.self)), number: index,
      values: shown.count == values.count ? shown : [])
  }

  /// What must be applied of these values: each within the range.
  func clamped(_ values: [Double]) -> [Double] {
    guard let range = rules.range else { return values }
    return values.map { min(max($0, range.lowerBound), range.upperBound) }
  }
}

extension FieldRow {
  /// The field's number; nil for what is none.
  func number(in bytes: RawSpan) -> Double? {
    switch value(in: bytes) {
    case .unsigned(let value): Double(value)
    case .signed(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .text, .bytes, nil: nil
    }
  }
}

import TelecapRecording

/// Something to be said about a message. It holds numbers only, so that finding costs no memory; the words are made when
/// somebody reads them.
public struct Finding: Hashable, Sendable {
  /// The rule that was broken.
  public var rule: Rule
  /// The bytes it is about, from the start of the message.
  public var range: Range<Int>
  /// The numbers that the words need.
  public var detail: Detail

  /// A finding of `rule` at `range`.
  @inlinable
  public init(_ rule: Rule, _ range: Range<Int>, _ detail: Detail = .none) {
    self.rule = rule
    self.range = range
    self.detail = detail
  }

  /// How bad it is.
  public var severity: Severity { rule.severity }

  /// Where the rule comes from: the field's row in its message's table, or the rule's own text.
  public var source: String {
    guard rule.text == nil, let field = detail.field else { return rule.source }
    return rule.source(from: field.kind.layout.source)
  }

  /// The data for a finding's message.
  public enum Detail: Hashable, Sendable {
    /// Nothing more.
    case none
    /// Bytes that were needed, bytes that there were.
    case lengths(needed: Int, had: Int)
    /// A field of a message, by its index in the table, and its bits as they were on the wire.
    case field(MessageKind, index: UInt8, bits: UInt64)
    /// A field of an entry: the entry's number, the place of the repeated field in the message's table, and that of the field in the
    /// entry's.
    case entry(MessageKind, bits: UInt64, number: UInt32, of: UInt8, index: UInt8)
    /// Bits that were found instead of the expected ones.
    case found(UInt64)
    /// A kind of message.
    case kind(MessageKind)
    /// A range of bytes, which its carrier does not allow.
    case range(Range<Int>)
    /// So many bytes, packets or sequence numbers.
    case count(Int)
    /// A sequence number, the newest before it, and how many are missing between them.
    case sequence(UInt64, newest: UInt64, missing: Int)
    /// A checksum, and that of the bytes.
    case checksum(found: UInt64, computed: UInt64)
    /// A norm.
    case norm(Float)
    /// A time in nanoseconds.
    case nanoseconds(Nanoseconds)
    /// A packet's number.
    case packet(Int)
    /// The message that ended a silence, who was silent, and how long in nanoseconds.
    case silence(MessageKind, Direction, nanoseconds: Nanoseconds)
  }
}

extension Finding.Detail {
  /// The field that it is about, its bits as they are on the wire, and the name by which a person knows it: `tiles[2].width` of an
  /// entry; nil where it is about no field.
  public var field: (kind: MessageKind, row: FieldRow, name: String, bits: UInt64)? {
    switch self {
    case .field(let kind, let index, let bits):
      guard let row = kind.layout.fields.element(at: Int(index)) else { return nil }
      return (kind, row, row.name, bits)
    case .entry(let kind, let bits, let number, let place, let index):
      guard let outer = kind.layout.fields.element(at: Int(place)),
        let row = outer.repeated?.entry.fields.element(at: Int(index))
      else { return nil }
      return (kind, row, "\(outer.name)[\(number)].\(row.name)", bits)
    default: return nil
    }
  }
}

extension Array {
  /// The element at a place; nil where there is none.
  fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

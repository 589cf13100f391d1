import TelecapRecording

/// Something to be said about a message. It holds numbers only, so that finding costs no memory; the words are made when
/// somebody reads them.
public struct Finding: Hashable, Sendable {
  /// What was found.
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
    guard rule.text == nil, case .field(let kind, _, _) = detail else { return rule.source }
    return rule.source(from: kind.layout.source)
  }

  /// What a finding's words need to know.
  public enum Detail: Hashable, Sendable {
    /// Nothing more.
    case none
    /// Bytes that were needed, bytes that there were.
    case lengths(needed: Int, had: Int)
    /// A field of a message, by its place in the table, and its bits as they stood on the wire.
    case field(MessageKind, index: UInt8, bits: UInt64)
    /// Bits that stood where others belong.
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

import TelecapRecording

/// A type of message: a handle on the row that its protocol declared, so that it costs nothing to copy and to compare.
///
/// Rows live as long as the process: a protocol is declared once, in code or from a file, and never goes.
public struct MessageKind: Hashable, Sendable {
  @usableFromInline let handle: Unmanaged<MessageRow>

  init(_ row: MessageRow) { handle = .passRetained(row) }

  /// The data of its protocol about it.
  @inline(__always)
  var row: MessageRow { handle._withUnsafeGuaranteedRef { $0 } }

  /// The part that it plays in sessions, without counting it.
  @inline(__always)
  func withPart<Result>(_ body: (SessionPart) -> Result) -> Result { handle._withUnsafeGuaranteedRef { body($0.part) } }

  /// The message's table.
  public var layout: Layout { row.layout }
  /// The name in the documents: `POSE`.
  public var name: String { layout.name }
  /// The protocol that declared it.
  public var owner: WireProtocol { row.owner.protocolValue }
  /// Its recognition in the first protocol version that carries it.
  var recognition: Recognition? { row.recognition }
  /// Its place among the messages of its protocol, from 0.
  public var place: Int { handle._withUnsafeGuaranteedRef { $0.place } }
  /// Which way it travels: the same as `layout.direction`, for the packet path.
  public var layoutDirection: Direction { handle._withUnsafeGuaranteedRef { $0.direction } }
  /// The number in the header that identifies it; nil without one.
  public var code: UInt64? { layout.code }

  /// How its messages are numbered: that of its first stream with an order; nil where they have no numbers.
  public var numbering: Numbering? { row.part.numberings.first }

  @inlinable
  public static func == (left: MessageKind, right: MessageKind) -> Bool {
    left.handle.toOpaque() == right.handle.toOpaque()
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(handle.toOpaque()) }
}

extension MessageKind: CustomStringConvertible {
  /// The name in the documents: `POSE`.
  public var description: String { name }
}

/// The data of a protocol about one of its messages. `owner` and `templates` are written once, by the protocol's initialiser, before
/// anybody else can see the row; nothing changes afterwards: hence `@unchecked Sendable`.
@usableFromInline
final class MessageRow: @unchecked Sendable {
  let layout: Layout
  let place: Int
  let direction: Direction
  /// The part that it plays in sessions.
  let part: SessionPart
  /// Its recognition in the first protocol version that carries it.
  let recognition: Recognition?
  var owner = Owner()
  /// The messages from which others are made; nil until both are built.
  var templates: (empty: [UInt8], right: [UInt8])?

  init(_ layout: Layout, place: Int, _ part: SessionPart, _ recognition: Recognition?) {
    self.layout = layout
    self.place = place
    self.part = part
    self.recognition = recognition
    direction = layout.direction
  }
}

/// The protocol of a row, which lives as long as the process and so is not counted.
struct Owner: Sendable {
  private var handle: Unmanaged<WireProtocol>?

  init() {}

  init(_ owner: WireProtocol) { handle = .passUnretained(owner) }

  var protocolValue: WireProtocol {
    guard let handle else { preconditionFailure("a row is asked for its protocol before the protocol is made") }
    return handle.takeUnretainedValue()
  }
}

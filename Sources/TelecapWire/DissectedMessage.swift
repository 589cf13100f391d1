import TelecapRecording

/// A message and its location, which every reader of a dissection gets with its bytes and its findings.
public struct DissectedMessage: Hashable, Sendable {
  /// The packet that brought it (over TCP: its last byte), when, and who sent it to whom.
  public var datagram: Datagram
  /// Which message it is, or what is none.
  public var kind: MessageKind
  /// How it was carried.
  public var dialect: Dialect
  /// The id of the session that it belongs to, or 0.
  public var session: Int
  /// Where it begins in the packet's frame; nil when it began in an earlier packet of the stream.
  public var offset: Int?
  /// Which way it travels.
  public var direction: Direction
  /// No finding of severity error: a receiver takes it.
  public var isValid: Bool

  /// A message that was found there.
  public init(
    kind: MessageKind, dialect: Dialect, datagram: Datagram, direction: Direction, session: Int, offset: Int?,
    isValid: Bool
  ) {
    self.kind = kind
    self.dialect = dialect
    self.datagram = datagram
    self.direction = direction
    self.session = session
    self.offset = offset
    self.isValid = isValid
  }
}

extension DissectedMessage {
  /// A message before anybody has looked at its bytes: what its ports and layers say.
  @inlinable
  public init(_ match: PortMatch, _ datagram: Datagram, offset: Int?) {
    kind = match.dialect.malformed
    dialect = match.dialect
    self.datagram = datagram
    direction = match.direction
    session = 0
    self.offset = offset
    isValid = false
  }
}

/// Takes what a dissection finds, in order.
public protocol DissectionSink: ~Copyable {
  /// A packet, before anything that is found in it; unless the sink wants to know of them, nothing happens.
  mutating func packet(_ header: PacketHeader)
  /// A message, its bytes (valid during the call only) and what was found about it.
  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws
  /// Something found about a packet that is no message: a fragment, a damaged header, a hole in a stream.
  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws
  /// Something found about an earlier message when the capture had ended: a HELLO that nobody answered.
  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws
  /// The packets in which nothing was looked for, when the capture has ended; unless the sink wants to know, nothing happens.
  mutating func unread(_ traffic: UnreadTraffic)
}

extension DissectionSink where Self: ~Copyable {
  public mutating func packet(_ header: PacketHeader) {}
  public mutating func unread(_ traffic: UnreadTraffic) {}
}

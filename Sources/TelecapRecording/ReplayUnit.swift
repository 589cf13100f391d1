/// One packet of a replay: a datagram, or the events of a packet on streams. Its bytes are passed next to it.
public struct ReplayUnit: Hashable, BitwiseCopyable, Sendable {
  /// The packet's number in its capture.
  public var packet: Int
  /// The capture time.
  public var time: Timestamp
  /// The number of its flow: 0, 1, 2 … in the order of the flows' first packets.
  public var flow: Int
  /// UDP: one datagram. TCP: events of streams.
  public var carrier: Carrier

  /// A unit with these values.
  @inlinable
  public init(packet: Int, time: Timestamp, flow: Int, carrier: Carrier) {
    self.packet = packet
    self.time = time
    self.flow = flow
    self.carrier = carrier
  }
}

/// An event of a packet on one stream.
public struct StreamPiece: Hashable, BitwiseCopyable, Sendable {
  /// The kind of event.
  public enum Kind: Hashable, BitwiseCopyable, Sendable {
    /// The connection is opened.
    case open
    /// This many of the unit's bytes are sent, after those of the events before.
    case send(count: Int)
    /// The end of the stream.
    case close
  }

  /// The stream's number in its capture.
  public var stream: Int
  /// The number of its flow.
  public var flow: Int
  /// The kind of event.
  public var kind: Kind

  /// An event with these values.
  @inlinable
  public init(stream: Int, flow: Int, kind: Kind) {
    self.stream = stream
    self.flow = flow
    self.kind = kind
  }
}

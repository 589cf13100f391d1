/// One packet of a replay: a datagram, or what a packet brought to streams. Its bytes are passed beside it.
public struct ReplayUnit: Hashable, BitwiseCopyable, Sendable {
  /// The packet's number in its capture.
  public var packet: Int
  /// When it was captured.
  public var time: Timestamp
  /// The number of its flow: 0, 1, 2 … in the order in which flows are met.
  public var flow: Int
  /// UDP: one datagram. TCP: pieces of streams.
  public var carrier: Carrier

  /// A unit of these values.
  @inlinable
  public init(packet: Int, time: Timestamp, flow: Int, carrier: Carrier) {
    self.packet = packet
    self.time = time
    self.flow = flow
    self.carrier = carrier
  }
}

/// What a packet does to one stream.
public struct StreamPiece: Hashable, BitwiseCopyable, Sendable {
  /// What happens.
  public enum Kind: Hashable, BitwiseCopyable, Sendable {
    /// The connection is opened.
    case open
    /// So many of the unit's bytes are sent, behind those of the pieces before.
    case send(count: Int)
    /// Nothing more is sent.
    case close
  }

  /// The stream's number in its capture.
  public var stream: Int
  /// The number of its flow.
  public var flow: Int
  /// What happens to it.
  public var kind: Kind

  /// A piece of these values.
  @inlinable
  public init(stream: Int, flow: Int, kind: Kind) {
    self.stream = stream
    self.flow = flow
    self.kind = kind
  }
}

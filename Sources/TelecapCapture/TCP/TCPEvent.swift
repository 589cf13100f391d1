import TelecapRecording

/// Something that happened to one direction of a TCP connection. The bytes of `.data` are passed next to it.
public struct TCPEvent: Hashable, Sendable {
  /// Why a stream ended.
  public enum Closing: String, Hashable, Sendable {
    /// FIN, and everything before it was delivered or given up.
    case finished
    /// RST, by either side.
    case reset
    /// The same ports began a new connection.
    case replaced
    /// Too many connections: this one was silent for longest.
    case evicted
    /// The capture ended.
    case captureEnded = "capture-ended"
  }

  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The first segment of a stream; `isPickedUp`: its SYN was not seen, so that it may begin in the middle.
    case opened(isPickedUp: Bool)
    /// The stream's next bytes; `offset` is the place of the first one, counted from the first byte that was seen.
    case data(offset: Int64)
    /// These bytes of the stream were never captured, and are not waited for any more.
    case missing(Range<Int64>)
    /// Nothing more comes.
    case closed(Closing)
  }

  /// Who sends the stream to whom.
  public var flow: Flow
  /// The stream's number, from 1, in the order in which streams were opened; tells connections of the same ports apart.
  public var stream: Int
  /// What happened.
  public var kind: Kind
}

/// What was unusual in the TCP traffic so far, in counts.
public struct TCPStatistics: Hashable, Sendable {
  /// Streams opened; a connection has two.
  public var streams = 0
  /// Segments that brought data before its turn.
  public var outOfOrder = 0
  /// Bytes that came again.
  public var repeatedBytes: Int64 = 0
  /// Gaps that were given up.
  public var gaps = 0
  /// Bytes in them.
  public var missingBytes: Int64 = 0
}

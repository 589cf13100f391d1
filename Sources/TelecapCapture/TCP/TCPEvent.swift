import TelecapRecording

/// An event in one direction of a TCP connection. The bytes of `.data` are passed next to it.
public struct TCPEvent: Hashable, Sendable {
  /// The reason why a stream ended.
  public enum Closing: String, Hashable, Sendable {
    /// FIN, and all bytes before it were delivered or given up.
    case finished
    /// RST, by either side.
    case reset
    /// A new connection on the same ports.
    case replaced
    /// Too many connections: this one was idle for longest.
    case evicted
    /// The capture ended.
    case captureEnded = "capture-ended"
  }

  /// The kind of event.
  public enum Kind: Hashable, Sendable {
    /// The first segment of a stream. `isPickedUp`: its SYN was not captured, so the stream may start in the middle.
    case opened(isPickedUp: Bool)
    /// The stream's next bytes; `offset` is that of the first one, counted from the first captured byte.
    case data(offset: Int64)
    /// These bytes of the stream were not captured, and are no longer expected.
    case missing(Range<Int64>)
    /// The end of the stream.
    case closed(Closing)
  }

  /// The sender and the receiver of the stream.
  public var flow: Flow
  /// The stream's number, from 1, in the order of opening; distinguishes connections on the same ports.
  public var stream: Int
  /// The kind of event.
  public var kind: Kind
}

/// Counts of anomalies in the TCP traffic so far.
public struct TCPStatistics: Hashable, Sendable {
  /// Opened streams; a connection has two.
  public var streams = 0
  /// Segments out of order.
  public var outOfOrder = 0
  /// Retransmitted bytes.
  public var repeatedBytes: Int64 = 0
  /// Gaps that were given up.
  public var gaps = 0
  /// Bytes in these gaps.
  public var missingBytes: Int64 = 0
}

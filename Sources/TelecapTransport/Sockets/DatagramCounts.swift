import CSockets

/// What became of the datagrams of a `DatagramSender`.
public struct DatagramCounts: Hashable, Sendable {
  /// Datagrams that the kernel took.
  public var sent = 0
  /// Their payload bytes.
  public var bytes = 0
  /// Answers that nobody listens at the port (ICMP port unreachable).
  public var refused = 0
  /// Other answers of the network: no route, no such host.
  public var unreachable = 0
  /// How often sending waited because this machine's buffers were full.
  public var waits = 0
  /// Datagrams that could not be sent at all.
  public var failed = 0
  /// The errno value of the last that failed; 0 for none.
  public var lastError: Int32 = 0
  /// Datagrams that came back.
  public var replies = 0
  /// Datagrams that came back while the socket's buffer was full, where the kernel counts them (Linux).
  public var repliesDropped = 0

  /// Nothing yet.
  public init() {}

  /// Counts an answer of the network to an earlier datagram.
  mutating func report(_ code: Int32) {
    if code == ECONNREFUSED { refused += 1 } else { unreachable += 1 }
  }

  /// Counts a datagram that was not sent.
  mutating func fail(_ code: Int32) {
    failed += 1
    lastError = code
  }
}

import CSockets

/// The counts of a `DatagramSender`.
public struct DatagramCounts: Hashable, Sendable {
  /// Datagrams that the kernel accepted.
  public var sent = 0
  /// Their payload bytes.
  public var bytes = 0
  /// ICMP port unreachable replies: no listener at the port.
  public var refused = 0
  /// Other ICMP replies: no route, no such host.
  public var unreachable = 0
  /// The number of times that sending waited because this machine's buffers were full.
  public var waits = 0
  /// Datagrams that could not be sent.
  public var failed = 0
  /// The errno value of the last failed one; 0 for none.
  public var lastError: Int32 = 0
  /// Received datagrams.
  public var replies = 0
  /// Datagrams dropped because the socket's receive buffer was full, where the kernel counts them (Linux).
  public var repliesDropped = 0

  /// All counts are 0.
  public init() {}

  /// Counts an ICMP reply to an earlier datagram.
  mutating func report(_ code: Int32) {
    if code == ECONNREFUSED { refused += 1 } else { unreachable += 1 }
  }

  /// Counts a datagram that was not sent.
  mutating func fail(_ code: Int32) {
    failed += 1
    lastError = code
  }
}

import TelecapRecording

/// What is known of bytes that came back to a sender; the bytes are passed next to it.
public struct Reply: Hashable, Sendable {
  /// When they arrived: for UDP by the kernel's own timestamp, so that reading them later does not matter; for TCP when
  /// they were read.
  public var time: Timestamp
  /// From the peer to this machine's socket.
  public var flow: Flow
  /// The socket they came to; nil for TCP.
  public var lane: Lane?

  /// A reply of these values.
  public init(time: Timestamp, flow: Flow, lane: Lane? = nil) {
    self.time = time
    self.flow = flow
    self.lane = lane
  }
}

/// One socket of a `DatagramSender`: one sender of the recording, with an address and port of its own. Means something
/// only to the sender that opened it.
public struct Lane: Hashable, Sendable {
  let index: Int
}

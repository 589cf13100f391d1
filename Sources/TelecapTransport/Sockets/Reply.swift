import TelecapRecording

/// The metadata of received bytes, which are passed separately.
public struct Reply: Hashable, Sendable {
  /// The time of arrival: for UDP the kernel's timestamp, so that reading late does not matter; for TCP the time of the
  /// read.
  public var time: Timestamp
  /// The flow from the peer to this machine's socket.
  public var flow: Flow
  /// The receiving socket; nil for TCP.
  public var lane: Lane?

  /// A reply with these values.
  public init(time: Timestamp, flow: Flow, lane: Lane? = nil) {
    self.time = time
    self.flow = flow
    self.lane = lane
  }
}

/// One socket of a `DatagramSender`: one sender of the recording, with its own address and port. Only valid for the
/// sender that opened it.
public struct Lane: Hashable, Sendable {
  let index: Int
}

import TelecapRecording

/// One thing that our side does to a receiver, after the network. Its bytes and its time come next to it.
public enum LoopStep: Sendable {
  /// Our side sends a packet; what the network makes of it comes as deliveries.
  case sent(packet: Int, by: Endpoint, over: Carrier)
  /// A datagram, or the next piece of a stream, reaches the receiver.
  case deliver(packet: Int, from: Endpoint, over: Carrier, sentAt: Timestamp)
  /// A connection of this peer comes up, or its link.
  case open(Endpoint, over: Carrier)
  /// This peer closes its connection or link.
  case close(Endpoint)
}

import TelecapRecording

/// One step of our side towards a receiver, after the network. Its bytes and its time are passed next to it.
public enum LoopStep: Sendable {
  /// Our side sends a packet; the network delivers it in other steps.
  case sent(packet: Int, by: Endpoint, over: Carrier)
  /// A datagram, or the next segment of a stream, reaches the receiver.
  case deliver(packet: Int, from: Endpoint, over: Carrier, sentAt: Timestamp)
  /// A connection of this peer, or its link, opens.
  case open(Endpoint, over: Carrier)
  /// This peer closes its connection or link.
  case close(Endpoint)
}

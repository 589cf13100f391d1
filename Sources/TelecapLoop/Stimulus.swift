import TelecapRecording

/// One thing that a stimulus hands on, behind the network. Its time and its bytes come beside it.
public enum LoopStep: Sendable {
  /// Our side sends a packet; what the network makes of it comes as deliveries.
  case sent(packet: Int, by: Endpoint, over: Carrier)
  /// A datagram, or the next piece of a stream, reaches the receiver.
  case deliver(packet: Int, from: Endpoint, over: Carrier, sentAt: Timestamp)
  /// A connection of this peer comes up, or its link.
  case open(Endpoint, over: Carrier)
  /// This peer closes its connection or link.
  case close(Endpoint)
  /// The receiver's user is made to do something: the stimulus's action of this number.
  case ask(Int)
}

/// Timed things in order, whatever they come from: a recording, the actions of a scenario, a generator.
public protocol Stimulus {
  /// Hands on the next thing with its time since the start of the run; false when there is none.
  mutating func next(_ body: (LoopStep, RawSpan, Timestamp) throws -> Void) throws -> Bool
}

import TelecapModels
import TelecapRecording

/// One thing that happened in a run. Its time and its bytes come beside it.
public enum LogEntry: Sendable {
  /// Our side sent a packet, whatever becomes of it; its bytes are those from before any bit was flipped.
  case sent(packet: Int, by: Endpoint, over: Carrier)
  /// A datagram, or the next piece of a stream, reached the receiver. `sentAt` is when it would have been sent over a
  /// perfect network; nil where that is not known.
  case delivered(packet: Int, from: Endpoint, over: Carrier, sentAt: Timestamp?)
  /// A TCP connection of this peer with the receiver is up.
  case opened(Endpoint)
  /// Our side closed it.
  case closed(Endpoint)
  /// The receiver closed it.
  case disconnected(Endpoint)
  /// The receiver sent these bytes to this peer. A HID report of a mouse comes over nil.
  case replied(to: Endpoint, over: Carrier?)
  /// The receiver's user was made to do something: the stimulus's action of this number.
  case asked(Int)
  /// The receiver told something of itself.
  case event(PeerEvent)
  /// A line of the receiver's output that is no event: the bytes.
  case output
  /// The receiver ended by itself, for this reason: it crashed, hung, flooded.
  case broke(String)
}

import TelecapRecording
import TelecapWire

/// An event of a peer: the messages that it received, and its reactions.
public enum PeerEvent: Hashable, Sendable {
  /// A session with this peer began.
  case sessionOpened(Endpoint, sessionID: UInt32)
  /// A session ended.
  case sessionClosed(Endpoint, sessionID: UInt32, CloseReason)
  /// A server received a request for a session and answered it.
  indirect case requested(Endpoint, sessionID: UInt32, SessionAnswer)
  /// A client received the answer to its request.
  indirect case answered(SessionAnswer)
  /// A sender sent a value of a stream.
  indirect case sent(AppliedValue)
  /// A receiver received a value of a stream, before clamping; its effect is another event.
  indirect case received(AppliedValue)
  /// A receiver applied a value of a declared stream.
  indirect case applied(AppliedValue)
  /// A receiver dropped a value of a stream.
  indirect case dropped(AppliedValue, DropReason)
  /// Another event, with the names of its protocol.
  case note(PeerNote)
  /// The peer received an invalid message and dropped it, by this rule.
  case invalid(Endpoint, Rule)
  /// This many bytes of a stream were skipped.
  case skipped(Endpoint, bytes: Int)
  /// A valid message had no effect in the current state.
  case ignored(Endpoint, MessageKind, IgnoreReason)
  /// A device reported an event in its own words.
  case told(String)

  /// The reason why a session closed.
  public enum CloseReason: String, Sendable, CaseIterable {
    /// A message that closes the session.
    case teardown = "bye"
    /// A timeout.
    case timeout
    /// This peer was asked to stop.
    case stopped
    /// The connection ended.
    case disconnected
    /// The same peer opened another session.
    case replaced
  }

  /// The reason why a value was not applied.
  public enum DropReason: String, Sendable {
    /// Its sequence number was the last applied one.
    case duplicate
    /// A newer one was applied before.
    case stale
    /// It contains NaN or an infinity.
    case notFinite = "not-finite"
  }

  /// The reason why a valid message had no effect.
  public enum IgnoreReason: String, Sendable {
    /// Its sender has no session.
    case inactive
    /// It closes or keeps alive another session than the open one.
    case otherSession = "other-session"
    /// It has the wrong direction.
    case direction
    /// Its code is unknown.
    case unknownCode = "unknown-code"
  }
}

import TelecapRecording
import TelecapWire

/// What a peer tells of itself: what it received, and what it made of it.
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
  /// A receiver took a value of a stream, as it stood on the wire; what it led to is another event.
  indirect case received(AppliedValue)
  /// A receiver applied a value of a stream that its protocol declares.
  indirect case applied(AppliedValue)
  /// A receiver dropped a value of a stream.
  indirect case dropped(AppliedValue, DropReason)
  /// Something else, in the words of its protocol.
  case note(PeerNote)
  /// Something arrived that is no valid message, and was dropped for this reason.
  case invalid(Endpoint, Rule)
  /// So many bytes of a stream were passed over.
  case skipped(Endpoint, bytes: Int)
  /// A valid message that this peer has no use for now, and that changed nothing.
  case ignored(Endpoint, MessageKind, IgnoreReason)
  /// A device did something, in its own words.
  case told(String)

  /// How a session ended.
  public enum CloseReason: String, Sendable, CaseIterable {
    /// The message that closes a session.
    case teardown = "bye"
    /// Silence for too long.
    case timeout
    /// This peer was told to stop.
    case stopped
    /// The connection ended.
    case disconnected
    /// The same peer opened another session.
    case replaced
  }

  /// Why a value was not applied.
  public enum DropReason: String, Sendable {
    /// Its number was applied last.
    case duplicate
    /// A newer one was applied before it.
    case stale
    /// It holds a NaN or an infinity.
    case notFinite = "not-finite"
  }

  /// Why a valid message changed nothing.
  public enum IgnoreReason: String, Sendable {
    /// It came from somebody who has no session.
    case inactive
    /// It closes or keeps alive another session than the one that is open.
    case otherSession = "other-session"
    /// Nobody sends this message this way.
    case direction
    /// A code that nobody defined.
    case unknownCode = "unknown-code"
  }
}

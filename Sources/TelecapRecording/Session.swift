/// A session between a client and a server: opened as its protocol declares, by an answered request or by any message.
public struct Session: Hashable, Sendable {
  /// Its number in the capture: 1, 2, 3 …
  public var id: Int
  /// `tele` or `mouse`.
  public var protocolName: String
  /// Its transport.
  public var carrier: Carrier
  /// The client's address; for TELE the phone's.
  public var client: Endpoint
  /// The server's address; for TELE the host's.
  public var server: Endpoint
  /// Its id in the request, such as the session_id of a HELLO; nil if no request was captured.
  public var sessionID: UInt64?
  /// The time of its opening.
  public var opened: Timestamp
  /// The time of its last message.
  public var lastSeen: Timestamp
  /// The way in which it ended.
  public var end: End = .open
  /// The number of its messages, in both directions.
  public var messages = 0

  /// The way in which a session ended.
  public enum End: String, Sendable, CaseIterable {
    /// The capture ended first.
    case open
    /// A message that closes it, such as a BYE with its session_id.
    case bye
    /// A timeout: for TELE more than 3 s of silence (TELE, Session rule 5).
    case timeout
    /// The same client opened another session.
    case replaced
  }

  /// A session that has just opened.
  public init(
    id: Int, protocolName: String, carrier: Carrier, client: Endpoint, server: Endpoint, sessionID: UInt64?,
    opened: Timestamp
  ) {
    self.id = id
    self.protocolName = protocolName
    self.carrier = carrier
    self.client = client
    self.server = server
    self.sessionID = sessionID
    self.opened = opened
    lastSeen = opened
  }
}

/// A conversation between a client and a server: opened as its protocol declares, by an answered request or by any message.
public struct Session: Hashable, Sendable {
  /// Its number in the capture: 1, 2, 3 …
  public var id: Int
  /// `tele` or `mouse`.
  public var protocolName: String
  /// What carries it.
  public var carrier: Carrier
  /// The client's address: of TELE the phone's.
  public var client: Endpoint
  /// The server's address: of TELE the host's.
  public var server: Endpoint
  /// The name that the message which asked for it gave it, such as the session_id of a HELLO; nil where none was seen.
  public var sessionID: UInt64?
  /// When it opened.
  public var opened: Timestamp
  /// The last message of it.
  public var lastSeen: Timestamp
  /// How it ended.
  public var end: End = .open
  /// How many messages belong to it, in both directions.
  public var messages = 0

  /// How a session ended.
  public enum End: String, Sendable, CaseIterable {
    /// It had not ended when the capture did.
    case open
    /// A message that closes it, such as a BYE with its session_id.
    case bye
    /// Too long a silence: of TELE more than 3 s (TELE, Session rule 5).
    case timeout
    /// The same client opened another one.
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

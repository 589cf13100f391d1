import TelecapRecording

/// A port by which payloads of a protocol are known.
public struct PortRow: Hashable, Sendable {
  /// Its name in options and captures: `tele-udp`.
  public var id: String
  /// The transport of its payloads.
  public var carrier: Carrier
  /// The port of the documents.
  public var standard: UInt16
  /// The name of the protocol version of its messages.
  public var dialect: String
  /// Its owner: the side that listens, or the receivers of a broadcast.
  public var end: End
  /// Its purpose, for a help text.
  public var help: String

  /// The owner of a port.
  public enum End: Hashable, Sendable {
    /// The host's: what goes to it comes from the phone, what comes from it goes to the phone.
    case host
    /// The listener's to a broadcast: only what goes to it counts, and it comes from the host.
    case listener
  }

  /// A port of these values.
  public init(
    _ id: String, _ carrier: Carrier, _ standard: UInt16, dialect: String, end: End = .host, help: String
  ) {
    self.id = id
    self.carrier = carrier
    self.standard = standard
    self.dialect = dialect
    self.end = end
    self.help = help
  }
}

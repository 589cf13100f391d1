import TelecapRecording

/// A port by which payloads of a protocol are known.
public struct PortRow: Hashable, Sendable {
  /// What it is called in options and captures: `tele-udp`.
  public var id: String
  /// What carries its payloads.
  public var carrier: Carrier
  /// The port of the documents.
  public var standard: UInt16
  /// How its messages look: the name of a dialect of its protocol.
  public var dialect: String
  /// Whom it belongs to: the side that listens; or, of what is broadcast, whoever hears it.
  public var end: End
  /// What it is for, as a help text says it.
  public var help: String

  /// Whose port it is.
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

import TelecapRecording

/// A host that makes itself known.
public struct Found: Hashable, Sendable {
  /// How it does.
  public enum Way: String, Sendable {
    case beacon
    case multicastDNS = "mdns"
  }

  /// How it was found.
  public var way: Way
  /// What it calls itself.
  public var name: String
  /// How phones come to it.
  public var carrier: Carrier
  /// Where.
  public var place: HostPort
  /// The version of the protocol that it speaks; nil where it does not say.
  public var version: Int?
}

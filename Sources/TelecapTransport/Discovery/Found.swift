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

  /// Whether it is known how to come there: an address that every link has says nothing without its link (RFC 4291, 2.5.6).
  var isReachable: Bool {
    !place.host.contains(":") || !["fe8", "fe9", "fea", "feb"].contains(place.host.lowercased().prefix(3))
  }
}

import TelecapRecording

/// An announced host.
public struct Found: Hashable, Sendable {
  /// The kind of announcement.
  public enum Way: String, Sendable {
    case beacon
    case multicastDNS = "mdns"
  }

  /// The announcement with which it was found.
  public var way: Way
  /// The announced name.
  public var name: String
  /// The transport for phones.
  public var carrier: Carrier
  /// The announced address.
  public var place: HostPort
  /// The announced protocol version; nil without one.
  public var version: Int?

  /// Whether its address is usable: a link-local address is not without its link (RFC 4291, 2.5.6).
  var isReachable: Bool {
    !place.host.contains(":") || !["fe8", "fe9", "fea", "feb"].contains(place.host.lowercased().prefix(3))
  }
}

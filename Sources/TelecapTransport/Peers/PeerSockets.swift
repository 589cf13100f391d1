import TelecapRecording

/// The sockets of a simulated peer, and the destinations to which it sends first.
public struct PeerSockets: Sendable {
  /// The address of its UDP socket; port 0 is a free one. Nil for none.
  public var udp: Endpoint?
  /// The address of the interface on which the UDP socket joins its multicast group. Nil where its address is none.
  public var interface: IPAddress?
  /// The listening TCP address; port 0 is a free one. Nil for none.
  public var listen: Endpoint?
  /// The server to which it connects over TCP. Nil for none.
  public var connect: Endpoint?
  /// The UDP destinations to which it sends first.
  public var destinations: [Endpoint]
  /// The policy for destinations.
  public var policy: DestinationPolicy

  /// These sockets; it sends to this machine only, unless the policy allows more.
  public init(
    udp: Endpoint? = nil, listen: Endpoint? = nil, connect: Endpoint? = nil, destinations: [Endpoint] = [],
    policy: DestinationPolicy = DestinationPolicy(.loopback)
  ) {
    self.udp = udp
    self.listen = listen
    self.connect = connect
    self.destinations = destinations
    self.policy = policy
  }

  /// A UDP socket that gets what is sent to a multicast group, on the interface with this address.
  public init(group: Endpoint, on interface: IPAddress) {
    self.init(udp: group)
    self.interface = interface
  }

  /// A free UDP port that can reach `destination`: on loopback if that is on loopback.
  public static func ephemeral(towards destination: Endpoint) -> Endpoint {
    let address = destination.address
    if address.isLoopback { return Endpoint(address.family == .v4 ? .loopback : address, port: 0) }
    return Endpoint(address.family == .v4 ? .any : IPAddress(v6High: 0, low: 0), port: 0)
  }
}

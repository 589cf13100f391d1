import TelecapRecording

/// The sockets that a simulated peer uses, and whom it will send to of its own accord.
public struct PeerSockets: Sendable {
  /// Where its UDP socket is bound; port 0 is one that is free. Nil for none.
  public var udp: Endpoint?
  /// Where it listens for TCP; port 0 is one that is free. Nil for none.
  public var listen: Endpoint?
  /// Whom it connects to over TCP. Nil for nobody.
  public var connect: Endpoint?
  /// Whom it sends to over UDP without having been spoken to.
  public var destinations: [Endpoint]
  /// Where it may send.
  public var policy: DestinationPolicy

  /// These sockets; sending stays on this machine unless the policy says otherwise.
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

  /// A free UDP port from which `destination` can be reached: on loopback when that is on loopback.
  public static func ephemeral(towards destination: Endpoint) -> Endpoint {
    let address = destination.address
    if address.isLoopback { return Endpoint(address.family == .v4 ? .loopback : address, port: 0) }
    return Endpoint(address.family == .v4 ? .any : IPAddress(v6High: 0, low: 0), port: 0)
  }
}

import CSockets
import TelecapRecording

/// The allowed destinations of packets. Sending is dangerous: a replay moves robots and pointers. So packets go to this
/// machine only, unless a person named another, and never to more than one machine at once.
public struct DestinationPolicy: Sendable {
  /// The reach of packets.
  public enum Reach: Sendable {
    /// Only 127.0.0.0/8 and ::1.
    case loopback
    /// Any single host that a person named.
    case anyHost
  }

  /// The reach of packets.
  public var reach: Reach
  /// The broadcast addresses of this machine's networks.
  public var broadcastAddresses: Set<IPAddress>

  /// A policy for these networks.
  public init(_ reach: Reach, broadcastAddresses: Set<IPAddress>) {
    self.reach = reach
    self.broadcastAddresses = broadcastAddresses
  }

  /// A policy for the current networks of this machine.
  public init(_ reach: Reach) {
    self.init(reach, broadcastAddresses: Set(BroadcastNetwork.ofThisMachine().map(\.broadcast)))
  }

  /// Throws unless packets may be sent to `destination`.
  public func check(_ destination: Endpoint) throws(DestinationError) {
    let address = destination.address.unmapped
    if destination.port == 0 { throw .noPort(destination) }
    if address.isAny { throw .noHost(destination) }
    if address.isMulticast { throw .multicast(destination) }
    if address.isLimitedBroadcast || address == Self.loopbackBroadcast || broadcastAddresses.contains(address) {
      throw .broadcast(destination)
    }
    if reach == .loopback, !address.isLoopback { throw .notLoopback(destination) }
  }

  /// 127.255.255.255, which no interface lists.
  private static let loopbackBroadcast = IPAddress(v4: 0x7fff_ffff)
}

extension IPAddress {
  /// 0.0.0.0 or ::.
  var isAny: Bool { high == 0 && low == 0 }

  /// The addresses of this machine's interfaces.
  static func ofThisMachine() -> Set<IPAddress> {
    var raw = [telecap_endpoint](repeating: telecap_endpoint(), count: 1_024)
    let count = telecap_own_addresses(&raw, Int32(raw.count))
    return Set(raw.prefix(Swift.max(0, Int(count))).compactMap { Endpoint($0)?.address.unmapped })
  }

  /// The IPv4 address in ::ffff:0:0/96 (RFC 4291 §2.5.5.2), which a kernel sends as IPv4; otherwise the address itself.
  var unmapped: IPAddress {
    family == .v6 && high == 0 && low >> 32 == 0xffff ? IPAddress(v4: UInt32(truncatingIfNeeded: low)) : self
  }
}

/// The reason why packets may not be sent to a destination, and what to do.
public enum DestinationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is another machine that was not named.
  case notLoopback(Endpoint)
  /// It is a multicast group.
  case multicast(Endpoint)
  /// It is a broadcast address.
  case broadcast(Endpoint)
  /// It is no host: 0.0.0.0 or ::.
  case noHost(Endpoint)
  /// Its port is 0.
  case noPort(Endpoint)

  /// The error message.
  public var description: String {
    switch self {
    case .notLoopback(let endpoint): "\(endpoint) is not this machine: to send there, name it with --to \(endpoint)"
    case .multicast(let endpoint): "\(endpoint) is a multicast group: send to one host, by its own address"
    case .broadcast(let endpoint): "\(endpoint) is a broadcast address: send to one host, by its own address"
    case .noHost(let endpoint): "\(endpoint) names no host: send to one host, as 127.0.0.1:\(endpoint.port)"
    case .noPort(let endpoint): "\(endpoint) has no port: a port is 1 to 65535"
    }
  }
}

import CSockets
import TelecapRecording

/// An IPv4 network that this machine is on.
struct BroadcastNetwork: Hashable, Sendable {
  /// This machine's address there.
  var own: IPAddress
  /// The address of all who are there.
  var broadcast: IPAddress

  /// Those that this machine is on now; the loopback is none.
  static func ofThisMachine() -> [BroadcastNetwork] {
    var own = [telecap_endpoint](repeating: telecap_endpoint(), count: 256)
    var broadcasts = own
    let count = telecap_broadcast_addresses(&own, &broadcasts, Int32(own.count))
    return zip(own, broadcasts).prefix(max(0, Int(count))).compactMap { own, broadcast in
      guard let own = Endpoint(own), let broadcast = Endpoint(broadcast) else { return nil }
      return BroadcastNetwork(own: own.address, broadcast: broadcast.address)
    }
  }
}

/// Where beacons go for what listens at an address: to all who can reach it, and to nobody else.
enum BeaconTargets {
  /// Everybody on this machine. Apple's loopback has no broadcast: there only who listens on its one address hears.
  #if canImport(Darwin)
    static let thisMachine = IPAddress.loopback
  #else
    static let thisMachine = IPAddress(v4: 0x7fff_ffff)
  #endif

  /// The addresses to send to; of 0.0.0.0 those of all networks.
  /// - Throws: `BeaconProblem` where nobody could be told.
  static func of(_ listen: IPAddress, in networks: [BroadcastNetwork]) throws(BeaconProblem) -> [IPAddress] {
    if listen.family != .v4 { throw .notIPv4(listen) }
    if listen.isLoopback { return [thisMachine] }
    let reached = networks.filter { $0.own == listen || listen == .any }.map(\.broadcast)
    if reached.isEmpty { throw .noBroadcast(listen) }
    return Set(reached).sorted { $0.low < $1.low }
  }
}

/// Why there can be no beacons for what listens at an address.
enum BeaconProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no broadcast in IPv6.
  case notIPv4(IPAddress)
  /// It is in no network that has a broadcast address.
  case noBroadcast(IPAddress)

  /// The error in words.
  var description: String {
    switch self {
    case .notIPv4(let address): "\(address) is IPv6, which has no broadcast: listen on an IPv4 address"
    case .noBroadcast(let address): "\(address) is in no network with a broadcast address"
    }
  }
}

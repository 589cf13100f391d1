import CSockets
import TelecapRecording

/// An IPv4 network of this machine.
struct BroadcastNetwork: Hashable, Sendable {
  /// This machine's address in it.
  var own: IPAddress
  /// Its broadcast address.
  var broadcast: IPAddress

  /// The current networks of this machine, without loopback.
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

/// The destinations of beacons for a listening address: all networks that can reach it, and no others.
enum BeaconTargets {
  /// All programs on this machine. Apple's loopback has no broadcast: only listeners on its one address receive
  /// beacons.
  #if canImport(Darwin)
    static let thisMachine = IPAddress.loopback
  #else
    static let thisMachine = IPAddress(v4: 0x7fff_ffff)
  #endif

  /// The addresses to send to; for 0.0.0.0 those of all networks.
  /// - Throws: `BeaconProblem` where there is none.
  static func of(_ listen: IPAddress, in networks: [BroadcastNetwork]) throws(BeaconProblem) -> [IPAddress] {
    if listen.family != .v4 { throw .notIPv4(listen) }
    if listen.isLoopback { return [thisMachine] }
    let reached = networks.filter { $0.own == listen || listen == .any }.map(\.broadcast)
    if reached.isEmpty { throw .noBroadcast(listen) }
    return Set(reached).sorted { $0.low < $1.low }
  }
}

/// The reason why there are no beacons for a listening address.
enum BeaconProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// IPv6 has no broadcast.
  case notIPv4(IPAddress)
  /// Its network has no broadcast address.
  case noBroadcast(IPAddress)

  /// The error message.
  var description: String {
    switch self {
    case .notIPv4(let address): "\(address) is IPv6, which has no broadcast: listen on an IPv4 address"
    case .noBroadcast(let address): "\(address) is in no network with a broadcast address"
    }
  }
}

import TelecapRecording
import TelecapWire

/// The destination of each flow of a recording.
public struct ReplayRoutes: Sendable {
  /// The routes by flow number.
  public let routes: [ReplayRoute]
  /// The policy for destinations.
  public let policy: DestinationPolicy

  /// Routes to a host: `udp` and `tcp` replace the recorded ports if they are given. A broadcast flow keeps its own.
  ///
  /// - Parameter keepsSource: whether to send from the recorded port if it is free.
  public init(
    _ flows: [Flow], ports: Ports, to address: IPAddress, udp: UInt16?, tcp: UInt16?,
    reach: DestinationPolicy.Reach = .loopback, keepsSource: Bool = false
  ) {
    var lanes: [Flow: Int] = [:]
    routes = flows.map { flow in
      // Without a socket for Bluetooth, keep the recorded addresses.
      if flow.carrier == .ble { return ReplayRoute(carrier: .ble, destination: flow.destination, lane: 0) }
      let recorded = flow.destination.port
      let isBroadcast = ports.isBroadcast(flow)
      let given = flow.carrier == .tcp ? tcp : isBroadcast ? nil : udp
      let destination = Endpoint(address, port: given ?? recorded)
      let own = keepsSource && !isBroadcast ? flow.source.port : 0
      let key = Flow(flow.carrier, from: flow.source, to: destination)
      let lane = lanes[key] ?? lanes.count
      lanes[key] = lane
      let any = address.family == .v4 ? IPAddress.any : IPAddress(v6High: 0, low: 0)
      let local = own == 0 ? nil : Endpoint(address.isLoopback ? address : any, port: own)
      return ReplayRoute(carrier: flow.carrier, destination: destination, local: local, lane: lane)
    }
    policy = DestinationPolicy(reach)
  }

  /// Checks that all destinations are allowed.
  ///
  /// - Throws: `DestinationError`
  public func check() throws {
    for route in routes where route.carrier != .ble { try policy.check(route.destination) }
  }

  /// The distinct destinations as text.
  public var destinations: String {
    var seen: [String] = []
    for route in routes {
      let text = "\(route.carrier.name) \(route.destination)"
      if !seen.contains(text) { seen.append(text) }
    }
    return seen.prefix(4).joined(separator: ", ") + (seen.count > 4 ? " and \(seen.count - 4) more" : "")
  }
}

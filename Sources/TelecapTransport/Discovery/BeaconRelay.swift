import TelecapRecording
import TelecapTele
import TelecapWire

/// Forwards the beacons of the hosts of TCP relays, rewritten to announce the relays. A phone that receives only these
/// finds a relay by its host's name. A phone on the network of the host receives both, since nothing can suppress the
/// host's own beacons.
public struct BeaconRelay: Sendable {
  private let beaconPort: UInt16
  private let tell: @Sendable (String) -> Void

  /// Receives beacons at the port in `ports`, and sends them to it. `tell` reports whose beacons are forwarded, and
  /// errors.
  public init(_ ports: Ports, tell: @escaping @Sendable (String) -> Void) {
    (beaconPort, self.tell) = (ports.teleBeacon, tell)
  }

  /// Forwards the beacons of the hosts of this controller's relays while `body` runs.
  ///
  /// - Throws: errors of `body`.
  public func follow<Value: Sendable>(_ desk: RelayController, during body: () async throws -> Value) async throws
    -> Value
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await run(desk.running()) }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  private func run(_ routes: [Relay.Route]) async {
    let leads = BeaconLeads(routes, own: IPAddress.ofThisMachine())
    for route in leads.routes { tell("beacons of \(route.target) are listened for at udp port \(beaconPort)") }
    // Drop beacons that come faster than they can be sent: the next ones repeat them.
    let (beacons, beacon) = AsyncStream.makeStream(of: Found.self, bufferingPolicy: .bufferingNewest(64))
    do {
      let ear = try await BeaconListener.open(at: beaconPort) { beacon.yield($0) }
      var ways: [Relay.Route: Ways] = [:]
      for await found in beacons {
        for route in leads.routes(of: found) { await pass(found, on: route, over: &ways[route, default: Ways()]) }
      }
      for ways in ways.values { for socket in ways.sockets { await socket.close() } }
      _ = await ear.close()
    } catch {
      if !Task.isCancelled { tell("beacons are not passed on: \(error)") }
    }
  }

  /// The sockets towards phones that can reach a relay; none before its first beacon, or without a network.
  private struct Ways {
    var sockets: [BeaconSocket] = []
    /// The last reported reason why there are none.
    var trouble: String?
  }

  private func pass(_ found: Found, on route: Relay.Route, over ways: inout Ways) async {
    // A beacon cannot carry this name.
    guard let bytes = try? Message.beacon(tcpPort: route.listen.port, name: found.name).bytes else { return }
    if ways.sockets.isEmpty { open(&ways, for: found, on: route) }
    for index in ways.sockets.indices { await ways.sockets[index].send(bytes) }
  }

  /// Opens the sockets. A missing network is reported once, and tried again with the next beacon.
  private func open(_ ways: inout Ways, for found: Found, on route: Relay.Route) {
    do {
      let targets = try BeaconTargets.of(route.listen.address, in: BroadcastNetwork.ofThisMachine())
      ways.sockets = targets.map {
        let target = Endpoint($0, port: beaconPort)
        tell("passing on the beacons of \(found.name) (\(found.place)) to \(target), tcp port \(route.listen.port)")
        return BeaconSocket(from: route.listen.address, to: target, tell: tell)
      }
    } catch {
      let trouble = "\(error)"
      if ways.trouble != trouble { tell("the beacons of \(found.name) are not passed on: \(trouble)") }
      ways.trouble = trouble
    }
  }
}

/// Matches beacons with the hosts of relays.
struct BeaconLeads {
  /// The relays whose hosts may send beacons: those over TCP.
  let routes: [Relay.Route]
  private let own: Set<IPAddress>

  /// - Parameter own: the addresses of this machine.
  init(_ routes: [Relay.Route], own: Set<IPAddress>) {
    self.routes = routes.filter { $0.spec.carrier == .tcp }
    self.own = own
  }

  /// The relays to the host of this beacon; none for one that announces a relay itself, like our own.
  func routes(of found: Found) -> [Relay.Route] {
    guard found.way == .beacon, let address = IPAddress(found.place.host), let port = found.place.port else {
      return []
    }
    let place = Endpoint(address, port: port)
    if routes.contains(where: { reaches($0.listen, place) }) { return [] }
    return routes.filter { reaches($0.target, place) }
  }

  /// Whether the listener at `end` may be the one that a beacon announces. A host on loopback may send its beacons from
  /// any address of this machine.
  private func reaches(_ end: Endpoint, _ place: Endpoint) -> Bool {
    guard end.port == place.port else { return false }
    let isHere = place.address.isLoopback || own.contains(place.address)
    return end.address == place.address || (end.address.isLoopback || end.address.isAny) && isHere
  }
}

import TelecapRecording
import TelecapWire

/// Makes something of all that a relay passes on, for as long as it runs.
public protocol RelayConsumer: AnyObject {
  /// Hears it.
  var observer: any RelayObserver { get }
  /// The relay runs, and may have passed on something already; `ports` tell the protocols apart.
  func begin(_ routes: [Relay.Route], _ ports: Ports) throws
  /// Called again and again while it runs: whether it is to go on, as far as this one is concerned.
  func goesOn(_ tallies: [RelayTally]) throws -> Bool
  /// The relay has ended.
  func end(_ tallies: [RelayTally]) throws
}

/// What one relay tells several.
struct RelayObservers: RelayObserver {
  private let observers: [any RelayObserver]

  init(_ observers: [any RelayObserver]) { self.observers = observers }

  func begins(_ spec: RelaySpec, to server: Endpoint) {
    for observer in observers { observer.begins(spec, to: server) }
  }

  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
    for observer in observers { observer.relayed(bytes, flow: flow, time: time) }
  }

  func passedOn(_ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp) {
    for observer in observers {
      observer.passedOn(bytes, number, flow: flow, by: local, cameAt: cameAt, time: time)
    }
  }

  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {
    for observer in observers { observer.connection(event, flow: flow, time: time) }
  }
}

extension Relay {
  /// Runs relays for these keepers until one of them has enough, or `isOver` says so.
  ///
  /// - Parameters:
  ///   - tell: is told where each listens.
  ///   - meanwhile: is called again and again while they run.
  /// - Returns: the relays, which have ended, and what each did.
  /// - Throws: as `start` does; what keepers and `meanwhile` throw.
  public static func run(
    _ specs: [RelaySpec], for keepers: [any RelayConsumer], ports: Ports, network: RelayNetwork?,
    desk: RelayController?,
    isOver: () -> Bool, tell: (Route) -> Void, meanwhile: () throws -> Void = {}
  ) async throws -> (routes: [Route], counts: [RelayCounts]) {
    let observers = RelayObservers(keepers.map(\.observer))
    let relay = try await start(specs, observer: observers, ports: ports, network: network, desk: desk)
    do {
      // Asked before anybody is told: from now on signals end the relay, where the flag is theirs.
      var goesOn = !isOver()
      for route in relay.routes { tell(route) }
      for keeper in keepers { try keeper.begin(relay.routes, ports) }
      while goesOn, !isOver() {
        try await Task.sleep(for: .milliseconds(20))
        try meanwhile()
        let tallies = try await relay.tallies()
        for keeper in keepers where try !keeper.goesOn(tallies) { goesOn = false }
      }
    } catch {
      await relay.stop()
      throw error
    }
    let counts = await relay.stop()
    let tallies = relay.tallies(of: counts)
    // What one cannot keep is no loss of another's.
    let ends = keepers.map { keeper in Result { try keeper.end(tallies) } }
    for end in ends { try end.get() }
    return (relay.routes, counts)
  }
}

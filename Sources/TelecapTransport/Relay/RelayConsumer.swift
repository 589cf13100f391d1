import TelecapRecording
import TelecapWire

/// A consumer of a relay's traffic, for example a recorder.
public protocol RelayConsumer: AnyObject {
  /// The observer of its events.
  var observer: any RelayObserver { get }
  /// Called once the relay runs, perhaps after the first traffic; `ports` identify the protocols.
  func begin(_ routes: [Relay.Route], _ ports: Ports) throws
  /// Called repeatedly while the relay runs: whether it is to continue, for this consumer.
  func goesOn(_ tallies: [RelayTally]) throws -> Bool
  /// Called after the relay has ended.
  func end(_ tallies: [RelayTally]) throws
}

/// Passes the events of one relay to several observers.
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
  /// Runs relays for these consumers until one of them ends it, or `isOver` does.
  ///
  /// - Parameters:
  ///   - tell: is called with each listening relay.
  ///   - meanwhile: is called repeatedly while they run.
  /// - Returns: the relays, which have ended, and their counts.
  /// - Throws: the errors of `start`, of consumers and of `meanwhile`.
  public static func run(
    _ specs: [RelaySpec], for keepers: [any RelayConsumer], ports: Ports, network: RelayNetwork?,
    desk: RelayController?,
    isOver: () -> Bool, tell: (Route) -> Void, meanwhile: () throws -> Void = {}
  ) async throws -> (routes: [Route], counts: [RelayCounts]) {
    let observers = RelayObservers(keepers.map(\.observer))
    let relay = try await start(specs, observer: observers, ports: ports, network: network, desk: desk)
    do {
      // Check before the first report: from now on signals end the relay, where the flag belongs to them.
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
    // One consumer failing must not discard another's result.
    let ends = keepers.map { keeper in Result { try keeper.end(tallies) } }
    for end in ends { try end.get() }
    return (relay.routes, counts)
  }
}

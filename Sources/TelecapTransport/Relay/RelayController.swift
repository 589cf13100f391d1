import TelecapPlatform
import TelecapRecording

/// Observes a running relay and changes its network, for example for a page.
public final class RelayController: Sendable {
  private let relay = Locked<Relay?>(nil)
  private let playing = Locked<RelayNetwork?>(nil)
  /// The counts after its end.
  private let last = Locked<[(route: Relay.Route, counts: RelayCounts)]?>(nil)

  /// A controller for a relay that has not started.
  public init() {}

  func take(over relay: Relay, _ network: RelayNetwork?) {
    playing.with { $0 = network }
    self.relay.with { $0 = relay }
  }

  /// The running relays; nil without any.
  public var routes: [Relay.Route]? { relay.with { $0?.routes } }

  /// Waits until the relays run; empty if the task is cancelled before.
  func running(by clock: any MonotonicClock = SystemMonotonicClock.shared) async -> [Relay.Route] {
    while !Task.isCancelled {
      if let routes { return routes }
      await clock.wait(for: 20_000_000)
    }
    return []
  }

  /// The current network; nil before a relay has started.
  public var network: RelayNetwork? { playing.with { $0 } }

  /// Handles the end of the relay with these counts.
  func leave(_ counts: [RelayCounts]) {
    let ended = relay.with { relay in
      defer { relay = nil }
      return relay?.routes
    }
    if let ended { last.with { $0 = Array(zip(ended, counts)) } }
  }

  /// The counts of each route so far, or of an ended relay; nil before a relay has started.
  public func counts() async throws -> [(route: Relay.Route, counts: RelayCounts)]? {
    guard let relay = relay.with({ $0 }) else { return last.with { $0 } }
    return Array(zip(relay.routes, try await relay.counts()))
  }

  /// Switches the relay to another network for new traffic: packets in flight keep their schedule.
  ///
  /// - Throws: `RelayDeskError`
  public func play(_ network: RelayNetwork) async throws {
    guard let relay = relay.with({ $0 }) else { throw RelayDeskError.notRunning }
    guard try await relay.play(network) else { throw RelayDeskError.tooManyChanges }
    playing.with { $0 = network }
  }
}

/// The reason why the network of a relay cannot be changed.
public enum RelayDeskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No relay runs.
  case notRunning
  /// Too many earlier networks have packets in flight.
  case tooManyChanges

  /// The error message.
  public var description: String {
    switch self {
    case .notRunning: "the relay does not run"
    case .tooManyChanges:
      "the network was changed too often: what is on its way through those of before must arrive first"
    }
  }
}

import TelecapPlatform
import TelecapRecording

/// From where a relay that runs is looked at and its network changed, such as by a page.
public final class RelayController: Sendable {
  private let relay = Locked<Relay?>(nil)
  private let playing = Locked<RelayNetwork?>(nil)
  /// What it came to, once it has ended.
  private let last = Locked<[(route: Relay.Route, counts: RelayCounts)]?>(nil)

  /// For a relay that is to start.
  public init() {}

  func take(over relay: Relay, _ network: RelayNetwork?) {
    playing.with { $0 = network }
    self.relay.with { $0 = relay }
  }

  /// The relays that run; nil while none does.
  public var routes: [Relay.Route]? { relay.with { $0?.routes } }

  /// Waits for the relays to run; none where the task is cancelled before.
  func running(by clock: any MonotonicClock = SystemMonotonicClock.shared) async -> [Relay.Route] {
    while !Task.isCancelled {
      if let routes { return routes }
      await clock.wait(for: 20_000_000)
    }
    return []
  }

  /// The network that it plays; nil where none has run yet.
  public var network: RelayNetwork? { playing.with { $0 } }

  /// The relay ends, having come to this.
  func leave(_ counts: [RelayCounts]) {
    let ended = relay.with { relay in
      defer { relay = nil }
      return relay?.routes
    }
    if let ended { last.with { $0 = Array(zip(ended, counts)) } }
  }

  /// What each route has done so far, or did until it ended; nil where none runs yet.
  public func counts() async throws -> [(route: Relay.Route, counts: RelayCounts)]? {
    guard let relay = relay.with({ $0 }) else { return last.with { $0 } }
    return Array(zip(relay.routes, try await relay.counts()))
  }

  /// Has the relay play another network for what comes from now on: what is on its way arrives as it was to.
  ///
  /// - Throws: `RelayDeskError`
  public func play(_ network: RelayNetwork) async throws {
    guard let relay = relay.with({ $0 }) else { throw RelayDeskError.notRunning }
    guard try await relay.play(network) else { throw RelayDeskError.tooManyChanges }
    playing.with { $0 = network }
  }
}

/// Why the network of a relay cannot be changed.
public enum RelayDeskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No relay runs.
  case notRunning
  /// Too many networks of before still have something on its way.
  case tooManyChanges

  /// The error in words.
  public var description: String {
    switch self {
    case .notRunning: "the relay does not run"
    case .tooManyChanges:
      "the network was changed too often: what is on its way through those of before must arrive first"
    }
  }
}

import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// A relay that plays a network between two living ends and keeps nothing of what they say.
public struct LiveRelay {
  private let specs: [RelaySpec]
  private let network: RelayNetwork
  private let ports: Ports
  private let limits: RecordingLimits
  private let tell: (String) -> Void
  /// From where it is looked at and changed; nil where it is not.
  public var desk: RelayDesk?

  /// Relays of these routes; `tell` is told what a person, or a script that waits for it, should know.
  public init(
    _ specs: [RelaySpec], _ network: RelayNetwork, ports: Ports, limits: RecordingLimits,
    tell: @escaping (String) -> Void
  ) {
    (self.specs, self.network, self.ports, self.limits, self.tell) = (specs, network, ports, limits, tell)
  }

  /// Passes on both ways until its time is over or a signal ends it.
  ///
  /// - Throws: `RelayError`, `ResolutionError`, `DestinationError`.
  public func run() async throws -> RelayAccount {
    let relays = try await Relay.start(specs, observer: Unheard(), ports: ports, network: network, desk: desk)
    for route in relays.routes { tell(route.told) }
    let began = ContinuousClock.now
    let duration = limits.duration.map { Duration.nanoseconds($0) }
    while !limits.stop.isRaised, duration.map({ ContinuousClock.now - began < $0 }) ?? true {
      try await Task.sleep(for: .milliseconds(20))
    }
    let counts = try await relays.counts()
    await relays.stop()
    return RelayAccount(relays.routes, counts)
  }
}

/// Hears and keeps nothing.
private struct Unheard: RelayObserver {
  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {}
  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {}
}

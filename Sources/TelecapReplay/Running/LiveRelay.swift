import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// A relay that plays a network between two living ends, and judges both by what they say.
public struct LiveRelay {
  private let specs: [RelaySpec]
  private let network: RelayNetwork
  private let ports: Ports
  private let suites: Suites
  private let limits: RecordingLimits
  private let tell: (String) -> Void
  /// From where it is looked at and changed; nil where it is not.
  public var desk: RelayController?

  /// Relays of these routes, whose ends are judged by these suites; `tell` is told what a person, or a script that waits for it, should know.
  public init(
    _ specs: [RelaySpec], _ network: RelayNetwork, ports: Ports, suites: Suites, limits: RecordingLimits,
    tell: @escaping (String) -> Void
  ) {
    (self.specs, self.network, self.ports, self.suites) = (specs, network, ports, suites)
    (self.limits, self.tell) = (limits, tell)
  }

  /// Passes on both ways until its time is over or a signal ends it.
  ///
  /// - Parameter recording: keeps what both ends send; nil where nobody does.
  /// - Returns: what the relays did, and what was said with each end.
  /// - Throws: `RelayError`, `ResolutionError`, `DestinationError`; what the recording throws.
  public func run(into recording: RelayRecording?) async throws -> (account: RelayAccount, heard: WireTap) {
    let heard = WireTap(ports) { [suites] role in
      suites.model(of: Part(role))?.judging.sending.isEmpty == false
    }
    let keepers = [recording as (any RelayConsumer)?, heard].compactMap(\.self)
    let relays = try await Relay.run(
      specs, for: keepers, ports: ports, network: network, desk: desk, isOver: limits.timer(), tell: { tell($0.told) })
    return (RelayAccount(relays.routes, relays.counts), heard)
  }
}

extension RecordingLimits {
  /// Says, from now on, whether the time is over or somebody has ended it.
  func timer() -> () -> Bool {
    let began = ContinuousClock.now
    let duration = duration.map { Duration.nanoseconds($0) }
    return { stop.isRaised || duration.map { ContinuousClock.now - began >= $0 } ?? false }
  }
}

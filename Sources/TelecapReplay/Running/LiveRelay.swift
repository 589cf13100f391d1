import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// A relay with a network between two live peers, which tests both by their traffic.
public struct LiveRelay {
  private let specs: [RelaySpec]
  private let network: RelayNetwork
  private let ports: Ports
  private let suites: Suites
  private let limits: RecordingLimits
  private let tell: (String) -> Void
  /// The controller; nil without one.
  public var desk: RelayController?

  /// Relays of these routes, whose peers are tested by these suites. `tell` is called with messages for the user, or
  /// for a script that waits for them.
  public init(
    _ specs: [RelaySpec], _ network: RelayNetwork, ports: Ports, suites: Suites, limits: RecordingLimits,
    tell: @escaping (String) -> Void
  ) {
    (self.specs, self.network, self.ports, self.suites) = (specs, network, ports, suites)
    (self.limits, self.tell) = (limits, tell)
  }

  /// Forwards in both directions until its time limit or a signal.
  ///
  /// - Parameter recording: the capture of both peers' traffic; nil without one.
  /// - Returns: the counts of the relays, and the traffic with each peer.
  /// - Throws: `RelayError`, `ResolutionError`, `DestinationError`; errors of the recording.
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
  /// Returns a function that checks, from now on, the duration and the stop flag.
  func timer() -> () -> Bool {
    let began = ContinuousClock.now
    let duration = duration.map { Duration.nanoseconds($0) }
    return { stop.isRaised || duration.map { ContinuousClock.now - began >= $0 } ?? false }
  }
}

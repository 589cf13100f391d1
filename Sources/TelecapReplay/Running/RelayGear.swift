import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// The configuration of a relay that records, tests or only forwards.
public struct RelayGear {
  /// The impairments of its traffic.
  public let network: RelayNetwork
  /// The ports that identify protocols.
  public let ports: Ports
  /// The controller.
  public let desk = RelayController()
  /// The current verdicts.
  public let verdicts = RelayVerdicts()
  /// Raised when the capture exists, which then grows.
  public let hasBegun = StopFlag()
  private let plans: RelayPlans
  private let limits: RecordingLimits
  private let tell: @Sendable (String) -> Void

  /// A relay with `network`, whose decisions are recorded as `plans`. `tell` is called with messages for the user, or
  /// for a script that waits for them.
  public init(
    _ network: RelayNetwork, _ ports: Ports, _ plans: RelayPlans, duration: Nanoseconds?,
    tell: @escaping @Sendable (String) -> Void
  ) {
    var network = network
    plans.keep(by: &network)
    (self.network, self.ports, self.plans, self.tell) = (network, ports, plans, tell)
    limits = RecordingLimits(duration: duration, stop: .signals)
  }

  /// A relay between two live peers, tested by these suites.
  public func live(_ specs: [RelaySpec], _ suites: Suites) -> LiveRelay {
    var relay = LiveRelay(specs, network, ports: ports, suites: suites, limits: limits, tell: tell)
    relay.desk = desk
    return relay
  }

  /// A capture of the relay's traffic.
  public func recording(
    into path: String, force: Bool, files: RecordingFiles, progress: any ProgressLine
  ) -> RelayRecording {
    var session = RecordingSession(
      into: path, force: force, ports: ports, limits: limits, files: files, progress: progress, tell: tell)
    (session.network, session.plans) = (network, plans)
    session.hasBegun = hasBegun
    return RelayRecording(session)
  }

  /// A relay to a program under test.
  ///
  /// - Parameters:
  ///   - recording: the capture of both peers' traffic; nil without one.
  ///   - isShown: whether verdicts are computed at run time.
  /// - Throws: the errors of `JudgedRelay`.
  public func judging(
    _ system: any SystemUnderTest, _ suites: Suites, code: String?, _ recording: RelayRecording?, isShown: Bool
  ) throws -> JudgedRelay {
    var judged = try JudgedRelay(system, network, suites: suites, ports: ports, code: code, limits: limits, tell: tell)
    (judged.desk, judged.recording) = (desk, recording)
    if isShown { judged.verdicts = verdicts }
    return judged
  }

  /// Announces the relay while `body` runs it, on request; changes its network by keys on a terminal, and reads it
  /// again on SIGHUP.
  ///
  /// - Parameters:
  ///   - beacons: forwards the beacons of the targets; nil without a request.
  ///   - ways: the directions to which a new network applies if there was none before.
  ///   - read: reads the network from its file for the argument nil; nil where SIGHUP is to end the relay.
  /// - Throws: errors of `body`.
  public func attended<Value: Sendable>(
    by advertisement: Advertisement?, _ beacons: BeaconRelay?, ways: (up: Bool, down: Bool),
    read: (@Sendable (Impairments?) throws -> RelayNetwork)?, during body: () async throws -> Value
  ) async throws -> Value {
    let keys = RelayKeys(
      desk: desk, ways: RelayKeys.Ways(up: ways.up, down: ways.down), protocols: ports.protocols, tell: tell)
    return try await keys.follow {
      try await passing(beacons) {
        guard let advertisement else { return try await readAnew(read, during: body) }
        return try await advertisement.follow(desk) { try await readAnew(read, during: body) }
      }
    }
  }

  private func passing<Value: Sendable>(
    _ beacons: BeaconRelay?, during body: () async throws -> Value
  ) async throws -> Value {
    guard let beacons else { return try await body() }
    return try await beacons.follow(desk, during: body)
  }

  private func readAnew<Value: Sendable>(
    _ read: (@Sendable (Impairments?) throws -> RelayNetwork)?, during body: () async throws -> Value
  ) async throws -> Value {
    guard let read else { return try await body() }
    return try await ReadNetwork(desk, read: { try read(nil) }, tell: tell).follow(during: body)
  }
}

import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapTransport
import TelecapWire

/// What a relay runs with, whether it keeps what passes, judges it or does neither.
public struct RelayGear {
  /// What it does to what it passes on.
  public let network: RelayNetwork
  /// What tells the protocols apart.
  public let ports: Ports
  /// From where it is looked at and changed.
  public let desk = RelayController()
  /// Where verdicts are left as they fall.
  public let verdicts = RelayVerdicts()
  /// Is raised when there is a capture, which from then on grows.
  public let hasBegun = StopFlag()
  private let plans: RelayPlans
  private let limits: RecordingLimits
  private let tell: @Sendable (String) -> Void

  /// A relay that plays `network`, and keeps what it did as `plans`.
  ///
  /// - Parameter tell: is told what a person, or a script that waits for it, should know.
  public init(
    _ network: RelayNetwork, _ ports: Ports, _ plans: RelayPlans, duration: Nanoseconds?,
    tell: @escaping @Sendable (String) -> Void
  ) {
    var network = network
    plans.keep(by: &network)
    (self.network, self.ports, self.plans, self.tell) = (network, ports, plans, tell)
    limits = RecordingLimits(duration: duration, stop: .signals)
  }

  /// A relay between two living ends, judged by these suites.
  public func live(_ specs: [RelaySpec], _ suites: Suites) -> LiveRelay {
    var relay = LiveRelay(specs, network, ports: ports, suites: suites, limits: limits, tell: tell)
    relay.desk = desk
    return relay
  }

  /// Records into a capture what a relay passes on.
  public func recording(
    into path: String, force: Bool, files: RecordingFiles, progress: any ProgressLine
  ) -> RelayRecording {
    var session = RecordingSession(
      into: path, force: force, ports: ports, limits: limits, files: files, progress: progress, tell: tell)
    (session.network, session.plans) = (network, plans)
    session.hasBegun = hasBegun
    return RelayRecording(session)
  }

  /// A relay to a program that is judged.
  ///
  /// - Parameters:
  ///   - recording: keeps what both ends send; nil where nobody does.
  ///   - isShown: whether its verdicts are left as they fall.
  /// - Throws: as `JudgedRelay` does.
  public func judging(
    _ system: any SystemUnderTest, _ suites: Suites, code: String?, _ recording: RelayRecording?, isShown: Bool
  ) throws -> JudgedRelay {
    var judged = try JudgedRelay(system, network, suites: suites, ports: ports, code: code, limits: limits, tell: tell)
    (judged.desk, judged.recording) = (desk, recording)
    if isShown { judged.verdicts = verdicts }
    return judged
  }

  /// Makes the relay known while `body` runs it, where that is asked for, and has its network changed by keys on a terminal and
  /// read anew on SIGHUP.
  ///
  /// - Parameters:
  ///   - beacons: passes on those of the targets; nil where nobody asked for that.
  ///   - ways: which ways a network strikes that comes after none.
  ///   - read: reads the network from its file where it is given none; nil where SIGHUP is to end the relay.
  /// - Throws: what `body` throws.
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

import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapSuites
import TelecapTransport
import TelecapWire

/// A relay to a program under test, which is judged by what it made of what living peers said, as it reached the program.
public struct JudgedRelay {
  /// The program.
  public let system: ProgramSystem
  /// From where the relay is looked at and changed; nil where it is not.
  public var desk: RelayDesk?
  private let network: RelayNetwork
  private let suites: Suites
  private let ports: Ports
  private let limits: RecordingLimits
  private let code: String
  private let tell: (String) -> Void

  /// A relay to this system, through this network.
  /// - Parameter code: the code that the program is told; nil for one that is chosen, or for its file's own.
  /// - Throws: `SystemError` when it is no program of a file; `ReplayProblem` when a code is given to one that has its own or is
  ///   told none.
  public init(
    _ system: any SystemUnderTest, _ network: RelayNetwork, suites: Suites, ports: Ports, code: String?,
    limits: RecordingLimits, tell: @escaping (String) -> Void
  ) throws {
    guard let program = system as? ProgramSystem else {
      throw SystemError("\(system.name) is no program that telecap starts: name a system file with a command")
    }
    if let code {
      if let own = program.code { throw ReplayProblem.otherCode(code, system: system.name, takes: own) }
      guard program.file.names(.code) else {
        throw ReplayProblem.cannotTake(system: system.name, reason: "--code \(code): its file names no $CODE")
      }
    }
    (self.system, self.network, self.suites, self.ports) = (program, network, suites, ports)
    (self.code, self.limits, self.tell) = (code ?? "ABC123", limits, tell)
  }

  /// Relays from these addresses until its time is over or a signal ends it, tells what the relays did, and judges.
  ///
  /// - Parameter tellResult: is told how each requirement came out.
  /// - Throws: `SystemError` when the program cannot be started; `RelayError`.
  public func run(_ listen: [RelaySpec], tell tellResult: (ScenarioResult) -> Void) async throws -> SuiteResult {
    if system.file.names(.code) { tell("code \(code): what the program is told") }
    let began = ContinuousClock.now
    let duration = limits.duration.map { Duration.nanoseconds($0) }
    let run = try await RelayedProgram(system, code: code).run(
      listen, network, ports: ports, desk: desk,
      isOver: { limits.stop.isRaised || duration.map { ContinuousClock.now - began >= $0 } ?? false },
      tell: { tell($0.told) })
    if run.isFull {
      tell("the relay ended: \(RelayedProgram.mostEvents) datagrams and events are all that one run is judged by")
    }
    RelayAccount(run.routes, run.counts).lines.forEach(tell)
    if run.counts.allSatisfy({ $0.clients == 0 }) {
      throw SystemError("nobody came to the relay: there is nothing to judge \(system.name) by")
    }
    let scenarios = Scenario.ofTraffic("", run.setup, .none, seed: network.seed, end: run.log.end, in: suites)
    let script = Script(
      actions: [], meant: [], plan: [], responder: .silent, setup: run.setup, end: run.log.end)
    var settlement = Settlement(nil)
    for result in Judge.judge(run.log, script, for: scenarios) { _ = settlement.take(result) }
    _ = settlement.finish()
    let result = settlement.result(of: system.name, duration: run.log.end.nanoseconds)
    result.scenarios.forEach(tellResult)
    return result
  }
}

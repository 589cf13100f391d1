import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapTransport
import TelecapWire

/// A relay to a program under test, which is tested with the traffic of live peers, as delivered to the program.
public struct JudgedRelay {
  /// The program.
  public let system: ProgramSystem
  /// The controller of the relay; nil without one.
  public var desk: RelayController?
  /// The capture of both peers' traffic; nil without one.
  public var recording: RelayRecording?
  /// Receives verdicts at run time; nil without a reader.
  public var verdicts: RelayVerdicts?
  private let network: RelayNetwork
  private let suites: Suites
  private let ports: Ports
  private let limits: RecordingLimits
  private let code: String
  private let tell: (String) -> Void

  /// A relay to this system, through this network.
  /// - Parameter code: the code for the program; nil for `ABC123`, or for its file's own.
  /// - Throws: `SystemError` when it is no program of a file; `ReplayProblem` when a code is given for one that has its
  ///   own or uses none.
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

  /// Relays from these addresses until its time limit or a signal, reports the counts of the relays, and tests the log.
  /// `tellResult` is called with each result.
  /// - Throws: `SystemError` when the program cannot be started; `RelayError`.
  public func run(_ listen: [RelaySpec], tell tellResult: (ScenarioResult) -> Void) async throws -> SuiteResult {
    if system.file.names(.code) { tell("code \(code), passed to the program") }
    let run = try await RelayedProgram(system, code: code).run(
      listen, network, ports: ports, desk: desk, keeper: recording, glance: glance, isOver: limits.timer(),
      tell: { tell($0.told) })
    if run.isFull {
      tell("the relay ended: \(EndLogs.mostEvents) datagrams and events are the most that one run is tested by")
    }
    RelayAccount(run.routes, run.counts).lines.forEach(tell)
    if run.counts.allSatisfy({ $0.clients == 0 }) {
      throw SystemError("no client used the relay: there is no traffic to test \(system.name) by")
    }
    let result = JudgedRelay.judged(run.log, of: system.name, run.setup, seed: network.seed, suites)
    verdicts?.tell(RelayStanding(result.scenarios, until: run.log.end, isFinal: true))
    result.scenarios.forEach(tellResult)
    return result
  }

  /// Reports verdicts at run time: the log so far is tested as if it had ended.
  private var glance: RelayGlance? {
    verdicts.map { [suites, seed = network.seed, name = system.name] verdicts in
      RelayGlance(isWanted: { verdicts.takeAsk() }) { log, setup in
        let result = JudgedRelay.judged(log, of: name, setup, seed: seed, suites)
        verdicts.tell(RelayStanding(result.scenarios, until: log.end, isFinal: false))
      }
    }
  }

  private static func judged(
    _ log: RunLog, of name: String, _ setup: Setup, seed: UInt64, _ suites: Suites
  ) -> SuiteResult {
    var result = SuiteResult(system: name, after: nil)
    for one in Judge.judge(traffic: log, setup, seed: seed, in: suites) { _ = result.take(one) }
    _ = result.finish()
    result.duration = log.end.nanoseconds
    return result
  }
}

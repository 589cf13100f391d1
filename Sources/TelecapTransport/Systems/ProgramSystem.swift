import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A real program as a system under test, described by a system file: started for each scenario in its own process
/// group, unless the file allows reuse.
public final class ProgramSystem: SystemUnderTest {
  /// Its system file.
  public let file: SystemFile
  public var name: String { file.name }
  public var parts: Set<Part> { [file.part] }
  public var code: String? { file.code }
  public var standsAlone: String? { file.standsAlone }
  /// The directory of its file, to which paths are relative.
  private let base: String
  /// The path of telecap, for `$TELECAP`.
  private let telecap: String
  /// The clock for pacing and time limits.
  let clock: any MonotonicClock
  let stop: StopFlag
  private let sessions: [Script]
  private let kept = Locked<Stage?>(nil)
  private let expiry: SessionExpiry
  /// The output of its check: the precision of its numbers, and the timing of its lines.
  private let known: Locked<MappingStatistics>

  /// The maximum number of repetitions of a run in which this machine was too busy to send on time, where the caller
  /// does not repeat it.
  public static let repeats = 2
  private let repeats: Int

  /// The system of `file` in `directory`.
  /// - Parameters:
  ///   - telecap: the path of telecap; runs end early when `stop` is raised.
  ///   - sessions: the sessions of its check.
  ///   - repeats: the maximum number of repetitions of a run in which this machine was too busy.
  ///   - clock: the clock for pacing and time limits.
  public init(
    _ file: SystemFile, directory: String, telecap: String, sessions: [Script] = [], stop: StopFlag = StopFlag(),
    repeats: Int = ProgramSystem.repeats, by clock: any MonotonicClock = SystemMonotonicClock.shared
  ) {
    (self.file, self.clock) = (file, clock)
    expiry = SessionExpiry(of: file.part, by: clock, stop: stop)
    self.repeats = repeats
    self.sessions = sessions
    known = Locked(MappingStatistics(file.rules, file: file.file))
    base = directory
    self.telecap = telecap
    self.stop = stop
  }

  public var pauseBetweenRuns: Nanoseconds? { file.isReused ? expiry.time : nil }

  public func unsupported(_ setup: Setup, actions: [Action]) -> String? {
    file.unsupported(setup, actions: actions) ?? SecondLoopback.problem(actions, towards: fixedAddress)
  }

  /// The program's address if its file has one; others get a loopback address.
  private var fixedAddress: Endpoint? {
    guard case .fixed(let text) = file.udp else { return nil }
    return try? HostPort(parsing: text).resolve().first
  }

  public func run(_ script: Script) async throws -> RunLog { try await run(script, repeats: repeats) }

  private func run(_ script: Script, repeats: Int) async throws -> RunLog {
    let script = code.map { script.replacingCode(with: $0) } ?? script
    var log = try await attempt(script)
    for _ in 0..<repeats where log.tooLate != nil && (log.broke == nil || log.stoodStill) && !stop.isRaised {
      log = try await attempt(script)
    }
    // A cancelled run proves nothing about the system.
    if stop.isRaised { throw CancellationError() }
    log.mapping?.ran(over: script.setup.carrier)
    return log
  }

  public func check() async throws -> SystemCheck? {
    var check = SystemCheck(MappingStatistics(file.rules, file: file.file))
    for script in sessions {
      let log = try await run(script, repeats: ProgramSystem.repeats)
      if log.wasNeverReady, let broke = log.broke { throw SystemError("\(name) cannot be started: \(broke.reason)") }
      let isRight = log.broke == nil && log.undone == nil
      if let mapping = log.mapping {
        check.add(mapping, over: script.setup.carrier, isRight: isRight)
        known.with { $0.mergeManner(of: mapping) }
      }
      check.broke = check.broke ?? log.broke?.reason
      check.undone = check.undone ?? log.undone ?? (log.wasNeverReady ? log.tooLate : nil)
      check.startup = max(check.startup, log.startup)
    }
    return sessions.isEmpty ? nil : check
  }

  /// Ends the program that was kept for the next scenario.
  public func close() async {
    guard
      let stage = kept.with({ kept in
        defer { kept = nil }
        return kept
      })
    else { return }
    await stage.program.end(by: file.ending.signal, withinNanoseconds: file.endsWithin)
  }

  // MARK: - One run

  /// A running program, and its addresses.
  private struct Stage: Sendable {
    let program: Program
    let output: ProgramOutput
    let place: SystemAddresses
  }

  /// The result of a run; without a log if the program was never ready.
  private struct Attempt: Sendable {
    var log: RunLog
    var begin: Nanoseconds
  }

  private func attempt(_ script: Script) async throws(SystemError) -> RunLog {
    var stage = kept.with { $0 }
    if stage?.program.ending != nil {
      await close()
      stage = nil
    }
    if stage != nil { await expiry.wait() }
    let gear: Locked<RunResources>
    let launch: Program.Launch
    let place: SystemAddresses
    do {
      let made = try RunResources(file, script, directory: directory, at: stage?.place)
      place = made.place
      launch = self.launch(script.setup, made.place)
      gear = Locked(made)
    } catch {
      throw SystemError("\(name): \(error)")
    }
    let isNew = stage == nil
    let running: Stage
    if let stage {
      running = stage
    } else {
      let output = ProgramOutput(limit: file.outputLimit, format: file.format, by: clock)
      running = Stage(program: try await Program.start(launch, into: output), output: output, place: place)
    }
    let outcome = await drive(script, running, gear, isNew: isNew)
    return await finish(outcome, running)
  }

  /// The readiness to wait for: a client that was kept sends its request again when it likes, and the run begins with it.
  private func readiness(isNew: Bool) -> SystemFile.Readiness? {
    if isNew { return file.readiness }
    return file.part.role?.side == .client && expiry.time > 0 ? .speaks : nil
  }

  /// Waits until the program is ready, and runs the script, on a thread that may block.
  private func drive(
    _ script: Script, _ stage: Stage, _ gear: Locked<RunResources>, isNew: Bool
  ) async -> Result<Attempt, any Error> {
    let (file, clock, stop, doing) = (file, clock, stop, doing(script.setup, stage.place))
    let readiness = readiness(isNew: isNew)
    let work = { @Sendable () throws -> Attempt in
      let started = clock.now()
      return try gear.with { gear in
        let watch = WallClockRun.Watch(
          program: stage.program, output: stage.output, feeds: gear.feeds, doing: doing)
        if let readiness {
          let delay = SchedulingDelay(of: stage.program.id)
          let reason = Readiness.wait(
            for: readiness, withinNanoseconds: file.readyWithin, gear.ends, tcp: stage.place.tcp, watch, by: clock,
            stop: stop
          )
          if let reason {
            let lateness = RunLateness(waited: delay.share(of: file.readyWithin))
            let log = ProgramSystem.neverReady(reason, stage.program, stage.output, lateness)
            return Attempt(log: log, begin: clock.now())
          }
        }
        let ready = clock.now()
        let run = WallClockRun(script, gear.ends, watch, shows: file.aspects, by: clock, stop: stop)
        // A program that is kept gets neutral values and the end of its session, however the run ended.
        defer { if file.isReused { run.leave() } }
        var log = try run.run()
        if isNew { log.startup = ready &- started }
        if script.setup.leaves, log.broke == nil {
          log = try run.hear(leaving: stage.program, by: file.ending.signal, withinNanoseconds: file.endsWithin)
        }
        return Attempt(log: log, begin: run.begin)
      }
    }
    do {
      return .success(try await RunThreads.run(work))
    } catch {
      return .failure(error)
    }
  }

  /// The log of a program that was not ready in time, which is a failure unless the machine was late.
  private static func neverReady(
    _ reason: String, _ program: Program, _ output: ProgramOutput, _ lateness: RunLateness
  ) -> RunLog {
    var log = RunLog(shows: [])
    log.wasNeverReady = true
    if program.ending == nil, !output.isFlood, lateness.worst > WallClockRun.latest {
      log.tooLate = "\(reason), and \(lateness.words)"
      return log
    }
    let tail = output.tail
    log.note(.broke(reason + (tail.isEmpty ? "; it printed nothing" : "; it printed: \(tail)")), at: .zero)
    return log
  }

  /// Ends the program, or keeps it for the next scenario, and adds its output to the log.
  private func finish(_ outcome: Result<Attempt, any Error>, _ stage: Stage) async -> RunLog {
    let isKept = file.isReused && stage.program.ending == nil && (try? outcome.get().log.broke) == nil
    var overtime: ShutdownTimeout?
    if isKept {
      expiry.begin()
      kept.with { $0 = stage }
    } else {
      kept.with { $0 = nil }
      let (probe, delay) = (LatenessProbe(), SchedulingDelay(of: stage.program.id))
      let isTimely = await stage.program.end(by: file.ending.signal, withinNanoseconds: file.endsWithin)
      let lateness = RunLateness(woke: probe.end(), waited: delay.share(of: file.endsWithin))
      if !isTimely, file.ending != .kill { overtime = ShutdownTimeout(past: file.endsWithin, lateness: lateness) }
    }
    let lines = stage.output.take(isLast: !isKept)
    switch outcome {
    case .success(let outcome):
      var log = RunLogBuilder.add(
        lines, since: outcome.begin, to: outcome.log, of: file, known: known.with { $0 })
      overtime?.note(in: &log)
      return log
    case .failure(let error):
      var log = RunLog(shows: [])
      log.note(.broke("\(error)"), at: .zero)
      return log
    }
  }

  // MARK: - Starting

  var directory: String { Self.path(file.directory, from: base) }

  static func path(_ path: String, from base: String) -> String {
    path.hasPrefix("/") ? path : path == "." ? base : base + "/" + path
  }

  /// The values of the variables in its file for a run.
  private func variables(_ setup: Setup, _ place: SystemAddresses) -> [SystemFile.Variable: String] {
    var variables: [SystemFile.Variable: String] = [
      .telecap: telecap, .code: setup.code, .events: "\(place.eventPort)", .http: "\(place.httpPort)",
    ]
    if let udp = place.udp { variables[.udp] = "\(udp.port)" }
    if let tcp = place.tcp { variables[.tcp] = "\(tcp.port)" }
    return variables
  }

  func launch(_ setup: Setup, _ place: SystemAddresses) -> Program.Launch {
    let variables = variables(setup, place)
    return launch(file.command(for: setup).map { SystemFile.expand($0, variables) }, variables, isTold: file.isTold)
  }

  /// The launch parameters of an expanded command of its file.
  private func launch(
    _ expanded: [String], _ variables: [SystemFile.Variable: String], isTold: Bool = false
  ) -> Program.Launch {
    var command = expanded
    if command[0].contains("/") { command[0] = Self.path(command[0], from: base) }
    return Program.Launch(
      command: command, environment: file.environment.mapValues { SystemFile.expand($0, variables) },
      directory: directory, showsOnStdout: file.sources.contains(.stdout),
      showsOnStderr: file.sources.contains(.stderr), isTold: isTold)
  }

  private func doing(_ setup: Setup, _ place: SystemAddresses) -> ActionDriver {
    let variables = variables(setup, place)
    return ActionDriver(deed: { self.file.deed(for: $0, variables) }, launch: { self.launch($0, variables) })
  }
}

extension ProgramSystem {
  /// A running program for live peers, which is ready.
  struct Living: Sendable {
    let program: Program
    let output: ProgramOutput
    let place: SystemAddresses
    fileprivate let gear: Locked<RunResources>

    /// Reads new output from sources other than stdout and stderr.
    func readFeeds() throws { try gear.with { try $0.feeds.read(into: output) } }
  }

  /// Starts the program as for a run of this script, and waits until it is ready.
  /// - Throws: `SystemError` when it cannot be started or never becomes ready.
  func start(_ script: Script) async throws(SystemError) -> Living {
    guard file.part.side == .host else {
      throw SystemError("\(name) is a \(file.part), which speaks first: a relay passes on to a host")
    }
    let gear: Locked<RunResources>
    let place: SystemAddresses
    do {
      let made = try RunResources(file, script, directory: directory, at: nil)
      (gear, place) = (Locked(made), made.place)
    } catch {
      throw SystemError("\(name): \(error)")
    }
    let output = ProgramOutput(limit: file.outputLimit, format: file.format, by: clock)
    let program = try await Program.start(launch(script.setup, place), into: output)
    let (file, clock, stop) = (file, clock, stop)
    let reason = try? await RunThreads.run { () -> String? in
      gear.with { gear in
        let watch = WallClockRun.Watch(program: program, output: output, feeds: gear.feeds)
        return Readiness.wait(
          for: file.readiness, withinNanoseconds: file.readyWithin, gear.ends, tcp: place.tcp, watch, by: clock,
          stop: stop)
      }
    }
    guard let why = reason else {
      return Living(program: program, output: output, place: place, gear: gear)
    }
    await program.end(by: file.ending.signal, withinNanoseconds: file.endsWithin)
    let tail = output.tail
    throw SystemError(
      "\(name) cannot be started: \(why)" + (tail.isEmpty ? "; it printed nothing" : "; it printed: \(tail)"))
  }
}

extension SystemFile.Ending {
  /// The number of the signal.
  var signal: Int32 {
    switch self {
    case .term: SIGTERM
    case .int: SIGINT
    case .kill: SIGKILL
    }
  }
}

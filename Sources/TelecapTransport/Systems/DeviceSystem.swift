import CSockets
import TelecapConformance
import TelecapPlatform
import TelecapRecording

/// A device as a program under test: started for each run in its own process group, with all events on its standard
/// input, and tested by the times in its output. It exits by itself.
public final class DeviceSystem: SystemUnderTest {
  /// Its system file.
  public let file: SystemFile
  public var name: String { file.name }
  public var parts: Set<Part> { [file.part] }
  /// The directory of its file, to which paths are relative.
  private let base: String
  /// The path of telecap, for `$TELECAP`.
  private let telecap: String
  private let stop: StopFlag
  private let sessions: [Script]
  /// The mapping statistics of its check.
  private let known = Locked<MappingStatistics?>(nil)

  /// The system of `file` in `directory`.
  /// - Parameters:
  ///   - telecap: the path of telecap; runs end early when `stop` is raised.
  ///   - sessions: the sessions of its check.
  public init(
    _ file: SystemFile, directory: String, telecap: String, sessions: [Script] = [], stop: StopFlag = StopFlag()
  ) {
    (self.file, base, self.telecap, self.sessions, self.stop) = (file, directory, telecap, sessions, stop)
  }

  public func unsupported(_ setup: Setup, actions: [Action]) -> String? { file.unsupported(setup, actions: actions) }

  public func check() async throws -> SystemCheck? {
    var check = SystemCheck(MappingStatistics(file.rules, file: file.file))
    for script in sessions {
      let log = try await run(script)
      if let mapping = log.mapping { check.mapping.merge(mapping) }
      known.with { $0 = check.mapping }
      check.broke = check.broke ?? log.broke?.reason
    }
    return check
  }

  public func run(_ script: Script) async throws -> RunLog {
    guard let device = file.part.program else { throw SystemError("\(name): a \(file.part) is no device") }
    let stimulus = try StimulusFile(device.stimulus(of: script))
    defer { stimulus.remove() }
    let output = ProgramOutput(limit: file.outputLimit, format: file.format)
    let program = try await Program.start(launch(script.setup, stimulus.path), into: output)
    let ended = await wait(for: program, output)
    await program.end(by: SystemFile.Ending.kill.signal, withinNanoseconds: 0)
    if stop.isRaised { throw CancellationError() }
    let isFlood = output.isFlood
    let lines = output.take().map { (text: $0.text, isShown: $0.isShown) }
    let flood =
      "it printed more than \(file.outputLimit) bytes, each line counted with \(ProgramOutput.lineCost) in addition to its text"
    return DeviceReading.log(
      lines, of: script, by: file, broke: isFlood ? flood : ended, known: known.with { $0 })
  }

  /// The maximum number of extensions of its time limit on a busy machine.
  private static let extensions = 3

  /// Waits until it has exited; returns its failure, nil without one.
  private func wait(for program: Program, _ output: ProgramOutput) async -> String? {
    var isLate = true
    for _ in 0...DeviceSystem.extensions where isLate {
      let (probe, delay) = (LatenessProbe(), SchedulingDelay(of: program.id))
      let deadline = telecap_monotonic_ns() &+ file.endsWithin
      while program.ending == nil, !stop.isRaised, !output.isFlood, telecap_monotonic_ns() < deadline {
        await Program.pause()
      }
      let lateness = max(probe.end(), delay.worst)
      isLate = telecap_monotonic_ns() >= deadline && lateness > WallClockRun.latest
    }
    if program.hasSucceeded { return nil }
    let how = program.ending ?? "it hung: it did not end within \(file.endsWithin / 1_000_000) ms"
    let tail = output.tail
    return how + (tail.isEmpty ? "; it printed nothing" : "; it printed: \(tail)")
  }

  private func launch(_ setup: Setup, _ stimulus: String) -> Program.Launch {
    let values: [SystemFile.Variable: String] = [.telecap: telecap, .code: setup.code, .stimulus: stimulus]
    var command = file.command.map { SystemFile.expand($0, values) }
    if command[0].contains("/") { command[0] = ProgramSystem.path(command[0], from: base) }
    return Program.Launch(
      command: command, environment: file.environment.mapValues { SystemFile.expand($0, values) },
      directory: ProgramSystem.path(file.directory, from: base), showsOnStdout: file.sources.contains(.stdout),
      showsOnStderr: file.sources.contains(.stderr), input: stimulus)
  }
}

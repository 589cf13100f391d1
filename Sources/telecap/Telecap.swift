import ArgumentParser
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapReplay
import TelecapReport
import TelecapTransport

/// The command line: parses it, runs a command, and exits with the command's status.
@main
struct Telecap: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "telecap",
    abstract:
      "Record, inspect, replay and conformance-test small real-time protocols, built in or described in one YAML file.",
    discussion: """
      Two protocols are built in: TELE carries a phone's pose to a robot and haptic
      strength back; the iPhone mouse sends movement and clicks. A YAML file
      describes any other protocol: see telecap help protocols.

      telecap captures the packets of a protocol, decodes and validates every byte,
      replays them through an impaired network, and tests the receiver against the
      protocol's requirements.

      Example:
        telecap record -o session.telecap
        telecap dissect session.telecap --summary
        telecap replay session.telecap --role phone --loss 5%

      A project file telecap.yaml, in this folder or one above, has defaults for
      protocols, ports, the system under test and reports.

      Exit status: 0 done; 1 a check failed; 64 usage, 65 bad data, 66 no such
      input, 69 unavailable, 73 cannot create, 74 I/O, 77 not permitted.
      """,
    version: Telecap.versionText,
    groupedSubcommands: [
      CommandGroup(name: "Capture", subcommands: [Record.self, Import.self, Export.self, Discover.self, Doctor.self]),
      CommandGroup(
        name: "Inspect",
        subcommands: [
          Info.self, Dissect.self, View.self, Report.self, Wireshark.self, ProtocolsCommand.self,
          PageServerCommand.self,
        ]),
      CommandGroup(name: "Impair", subcommands: [Replay.self, Plan.self, RelayCommand.self, Simulate.self]),
      CommandGroup(name: "Test", subcommands: [Conform.self, Learn.self]),
      CommandGroup(name: "Haptics", subcommands: [Ahap.self, Sync.self, Senses.self, Touch.self]),
    ])

  /// The version of this tool, also written into captures.
  static let versionText = "0.1.0"
  /// The name of the writer in files.
  static let tool = "telecap \(versionText)"

  /// An empty report that starts now.
  ///
  /// - Parameter repeatsWhole: whether the command that reproduces a failure is the whole command, not one case of it.
  static func report(
    on system: String, command: [String], isStrict: Bool = false, repeatsWhole: Bool = false
  ) -> SuiteReport {
    SuiteReport(
      SuiteResult(system: system, scenarios: []), isStrict: isStrict, command: command, repeatsWhole: repeatsWhole,
      began: WallClock.now(), host: Machine.name, tool: versionText)
  }

  static func main() async {
    Descriptor.isStopped = { StopFlag.signal != nil }
    OrphanReaper.areEnded = true
    let given = Given.words
    if !CaptureRights.areNeeded(by: given) { CaptureRights.drop() }
    let path = CommandPath(given)
    do {
      try DescriptorLimit.raise()
      try ProjectDefaults.check()
      try Loaded.check()
      try CommandPath.checkHelp(given)
      Given.line.notices.forEach(Console.say)
      let shell = given.count > 1 ? CompletionShell(rawValue: given[1]) : .autodetected()
      if given.first == "--generate-completion-script", shell == .bash {
        return try Output.write(BashCompletion.whole(completionScript(for: .bash)), to: "-")
      }
      let words = expanded(given, for: path)
      try await Given.$options.withValue(try Given.names(in: words)) {
        let (whole, note) = ProjectDefaults.extended(words, for: path)
        var command = try parsed(whole, path)
        if let note { Console.say(note) }
        try Resources.check()
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      }
    } catch let end {
      let error = printed(end)
      if let status = ExitStatus.ofSignal(error) { exit(withError: ExitCode(status)) }
      if let error = error as? YAMLFileError, given.contains("--github") {
        try? Output.write(SuiteGitHub.text(error), to: "-")
      }
      let (status, message) = outcome(of: error, path)
      if !message.isEmpty { Console.say(message) }
      exit(withError: ExitCode(status))
    }
  }

  /// Parses and validates a command line without running it.
  ///
  /// - Returns: the exit status and the message of a usage error; nil where the command would run.
  static func refusal(of arguments: [String]) -> (status: Int32, message: String)? {
    let given = CurrentWords(arguments).words
    let path = CommandPath(given)
    do {
      try CommandPath.checkHelp(given)
      let words = expanded(given, for: path)
      try Given.$options.withValue(try Given.names(in: words)) { _ = try parsed(words, path) }
      return nil
    } catch {
      return outcome(of: error, path)
    }
  }

  /// Parses a command line. Names the commands that have an option if this one does not: ArgumentParser knows only the
  /// options of one command, and takes the value of an unknown one for an argument.
  private static func parsed(_ words: [String], _ path: CommandPath) throws -> any ParsableCommand {
    do {
      return try parseAsRoot(words)
    } catch {
      let status = exitCode(for: error)
      guard !status.isSuccess, Failure(error) == nil else { throw error }
      if status == .validationFailure, let stray = path.strayOption(in: words) { throw stray }
      throw UsageError(status: status.rawValue, message: path.message(of: error))
    }
  }

  /// ArgumentParser's refusal of a command line. Its status and its message take as long as parsing, so they are made once.
  private struct UsageError: Error {
    let status: Int32
    let message: String
  }

  /// The exit status of an error and its message; the message is empty if nothing failed.
  private static func outcome(of error: any Error, _ path: CommandPath) -> (status: Int32, message: String) {
    if let error = error as? UsageError { return (error.status, error.message) }
    guard let failure = Failure(error) else { return (exitCode(for: error).rawValue, path.message(of: error)) }
    return (failure.status.rawValue, failure.status == .done ? "" : "telecap: \(failure)")
  }

  /// Prints help and the version here, because ArgumentParser's own `exit` ignores a failed write.
  private static func printed(_ error: any Error) -> any Error {
    guard !(error is UsageError), Failure(error) == nil, exitCode(for: error).isSuccess else { return error }
    let text = fullMessage(for: error)
    guard !text.isEmpty else { return error }
    do { try Output.write(text + "\n", to: "-") } catch { return error }
    return ExitCode.success
  }

  /// The words with each port option, such as `--tele-udp`, as `--port`, if the command has `--port`. Otherwise the
  /// words stay, so that the error for an unknown option names the option that was given.
  private static func expanded(_ given: [String], for path: CommandPath) -> [String] {
    // Without a subcommand there are no ports, and no need to make the protocols.
    guard given.first?.hasPrefix("-") == false else { return given }
    let words = PortOptions.expanded(given)
    return words == given || path.takes("port") ? words : given
  }
}

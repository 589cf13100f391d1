import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapTransport

/// `telecap learn`: generates the system file of a program.
struct Learn: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a program, detect its output format, and write its system file.",
    discussion: """
      Examples:
        telecap learn --role host -o robot.yaml -- python3 robot.py \\
            --port '$UDP' --code '$CODE'
        telecap learn --role host --code XYZ789 -- ./robotd
        telecap learn --role phone -- ./app --host '127.0.0.1:$UDP'
        telecap learn --repair robot.yaml -o mended.yaml

      A system file describes how to start and reach a program, and how to read its
      output. telecap conform --sut FILE tests the program with it
      (Documentation/reference/system-file.md).

      telecap starts the program, waits until it answers, and sends a short session
      of values that occur nowhere else. It searches for these values on stdout and
      stderr, in growing files of the working directory, and in datagrams to $EVENTS.
      telecap replaces $UDP, $TCP, $CODE and $EVENTS: quote them for the shell. If a
      host takes no port, telecap finds the port on which it listens. Then it writes
      the file, checks its rules, and runs a few scenarios.

      Exit status: 0 learned, and each rule reads the right values; 1 a rule does
      not, or no rule was found; 69 the program cannot be started or reached.
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("The program's role: host, phone, mouse-host, or a side of --protocol.", valueName: "role"))
  var role: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Check this system file, and repair the rules that read wrong values.", valueName: "file"))
  var repair: String?

  @OptionGroup var output: OutputOptions

  @OptionGroup var project: ProjectOption

  @Option(name: .long, help: ArgumentHelp("The program's pairing code, if it does not take $CODE.", valueName: "code"))
  var code: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The UDP port of this machine to which the program sends its events, if it does not take $EVENTS.",
      valueName: "port"))
  var events: UInt16?

  @Option(
    name: .long, help: ArgumentHelp("The maximum time to start. (default: 30s)", valueName: "time"),
    transform: Parsers.interval)
  var within: Interval = .seconds(30)

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("A protocol file, or the name of one of Scenarios/protocols.", valueName: "file"))
  var protocols: [String] = []

  @Flag(name: .long, help: "Write and check the file; run no scenario.")
  var noTrial = false

  @OptionGroup var color: ColorOption

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("After --: the program and its arguments.", valueName: "program"))
  var program: [String] = []

  func validate() throws {
    guard repair == nil || (role == nil && program.isEmpty) else {
      throw ValidationError("--repair names a system file: leave out --role and the program after --")
    }
    guard repair != nil || role != nil else {
      throw ValidationError("give --role and the program, or --repair and a system file")
    }
    try Given.refuseSame([], to: [("--output", output.output)])
    try Given.refuse(("color", noTrial, "requires scenarios, whose verdicts are coloured: leave out --no-trial"))
    try Given.refuse(("code events", repair != nil, "is in the system file of --repair: leave it out"))
    if let code { try PairingCodeText.check(code) }
    if events == 0 { throw ValidationError("--events is a port from 1 to 65535") }
  }

  func run() async throws {
    // Check the output path first, so that a bad path fails before the program starts.
    try PendingFile.check(output.output, force: output.force)
    let learned = try await learn()
    try Output.write(learned.text, to: output.output, force: output.force)
    let choice = SystemChoice(learned, named: output.output, Loaded.suites, stop: .signals)
    let scenarios = ScenarioFolder(nil, Loaded.suites).withThoseOfSuites { Console.say("no scenario is run: \($0)") }
    try tell(
      LearnedText(learned, output.output, inconclusive: Loaded.suites.undecided(by: learned.file, scenarios)).lines)
    let check = try await MappingCheck.run(choice.system)
    if !check.isRight { try tell(MappingText(check).lines.filter { !$0.contains(": matched ") }) }
    if !noTrial { try await trial(choice, scenarios.filter { $0.setup.part == learned.file.part }) }
    let isFound = !learned.learned.rules.isEmpty && check.isRight
    throw ExitCode(isFound ? ExitStatus.done.rawValue : ExitStatus.failed.rawValue)
  }

  /// Runs the program and infers its system file.
  private func learn() async throws -> LearnedFile {
    if let repair {
      let request = try MendRequest(repair, within: within.nanoseconds, suites: Loaded.suites, stop: .signals)
      return try await request.run(Console.say)
    }
    var request = try LearnRequest(
      program, role: role ?? "", output: output.output, within: within.nanoseconds, suites: Loaded.suites,
      stop: .signals)
    (request.code, request.eventPort) = (code, events)
    return try await request.run(Console.say)
  }

  /// Runs a few scenarios with the learned file.
  private func trial(_ choice: SystemChoice, _ scenarios: [Scenario]) async throws {
    let chosen = Loaded.suites.trials(among: scenarios)
    guard !chosen.isEmpty else { return }
    let cases = try ChosenCases(chosen, for: choice, one: nil, budget: .seconds(60), seeds: 1)
    let path = isTalk ? "FILE.yaml" : output.output
    let open = Telecap.report(
      on: choice.system.name,
      command: ["telecap", "conform", "--sut", path] + protocols.flatMap { ["--protocol", $0] })
    let followUp = FollowUp(artifacts: nil, shrinkRuns: nil, budget: nil, tool: Telecap.tool, ports: Loaded.ports)
    let reporting = SuiteReporting(
      [], followUp, isJSON: false, style: color.style(for: isTalk ? 2 : 1), verbosity: .verbose
    ) {
      try tell([$0])
    }
    _ = try await reporting.judging(choice.system, open) { try await cases.run(against: choice, $0) }
  }

  /// Whether log lines go to stderr, because the file itself goes to stdout.
  private var isTalk: Bool { output.output == "-" }

  private func tell(_ lines: [String]) throws {
    if isTalk { return lines.forEach(Console.say) }
    try Output.write(lines.map { $0 + "\n" }.joined(), to: "-")
  }
}

import ArgumentParser
import TelecapImpairment
import TelecapReplay

/// The options for sending through an impaired network: the same for `replay` and `ahap play`.
struct SendingOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("How many times to send the packets; 0 repeats until Ctrl-C.", valueName: "n"))
  var loop = 1

  @Flag(name: .long, help: "List the packets that would be sent; send nothing.")
  var dryRun = false

  @Option(
    name: .long, help: ArgumentHelp("Record the sent and received packets in this pcapng file.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Exit with status 1 if a packet was sent later than this after its due time: 2ms.", valueName: "time"),
    transform: Parsers.interval)
  var failIfLate: Interval?

  @Option(
    name: .long, help: ArgumentHelp("How long to wait for replies after the last packet.", valueName: "time"),
    transform: Parsers.interval)
  var wait = Interval.milliseconds(200)

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "If sending ends early (Ctrl-C, an error, a damaged recording), send neutral values and close sessions.")
  var neutral = true

  func validate() throws {
    if loop < 0 { throw ValidationError("--loop is a number of times, or 0 for until Ctrl-C") }
    try OutputOptions.checkCapture("record", record, isPcapng: true)
    try Given.refuse(
      (VerbosityOption.names + " color", dryRun, "cannot be combined with --dry-run, which only lists"),
      (
        "loop record force fail-if-late wait neutral no-neutral", dryRun,
        "cannot be combined with --dry-run, which sends nothing"
      ),
      ("force", record == nil, "requires --record"),
      ("wait", loop == 0, "requires an end: --loop 0 goes on until Ctrl-C"))
  }

  /// Throws if these options cannot be combined with the receiver, or with the format of the report.
  func check(_ to: ReplayTarget, _ format: StyledFormatOption) throws {
    try Given.refuse(
      (VerbosityOption.names, format.format == .json, "requires --format text: JSON is complete in any case"),
      (
        "dry-run", to.receiver != nil || to.isSystem,
        "lists destinations, which are unknown until the receiver of --to runs: leave out --to"
      ),
      (
        "loop record fail-if-late wait", to.isModel,
        "requires sockets and a clock, which a model does not have: give simulate:ROLE"
      ),
      (
        "neutral no-neutral", to.receiver != nil || to.isSystem,
        "requires an address in --to: a receiver that telecap starts ends with it"
      ),
      (
        "verbose", to.isModel || to.isSystem,
        "shows the send timing error: it requires an address or simulate:ROLE"
      ),
      ("loop", to.isSystem, "cannot be combined with a system under test, which is tested by one run"),
      ("record", to.isSystem, "cannot be combined with a system under test: --artifacts keeps its traffic"),
      (
        "fail-if-late", to.isSystem,
        "cannot be combined with a system under test: a run that was sent too late has no verdict"
      ))
  }
}

import ArgumentParser
import TelecapImpairment
import TelecapReplay

/// The options for sending through an impaired network: the same for `replay` and `ahap play`.
struct SendingOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("How often; 0 goes on until Ctrl-C.", valueName: "n"))
  var loop = 1

  @Flag(name: .long, help: "Print what would be sent, and send nothing.")
  var dryRun = false

  @Option(name: .long, help: ArgumentHelp("Write what was sent and what came back as pcapng.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @Option(
    name: .long, help: ArgumentHelp("Exit with 1 when a packet was later than this: 2ms.", valueName: "time"),
    transform: Parsers.interval)
  var maxLate: Interval?

  @Option(
    name: .long, help: ArgumentHelp("How long to wait for replies behind the last packet.", valueName: "time"),
    transform: Parsers.interval)
  var wait = Interval.milliseconds(200)

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "When it ends early (Ctrl-C, an error, a damaged recording), send neutral values and close sessions.")
  var neutral = true

  @OptionGroup var format: FormatOption

  func validate() throws {
    if loop < 0 { throw ValidationError("--loop takes a number of times, or 0 for without end") }
    try OutputOptions.checkCapture("record", record, isPcapng: true)
    try Given.refuse(
      (
        "loop record force max-late wait neutral no-neutral", dryRun,
        "cannot be combined with --dry-run, which sends nothing"
      ),
      ("force", record == nil, "requires --record"),
      ("wait", loop == 0, "requires an end: --loop 0 goes on until Ctrl-C"))
  }

  /// Throws if these options cannot be combined with the receiver.
  func check(_ to: ReplayTarget) throws {
    try Given.refuse(
      (
        "dry-run", to.receiver != nil || to.isSystem,
        "lists where packets go, which --to tells only when it runs: leave out --to"
      ),
      ("loop record max-late wait", to.isModel, "needs sockets and a clock, which a model has not: give simulate:ROLE"),
      (
        "neutral no-neutral", to.receiver != nil || to.isSystem,
        "requires an address in --to: a receiver that telecap starts ends with it"
      ),
      ("loop", to.isSystem, "cannot be combined with a system under test, which is judged by one run"),
      ("record", to.isSystem, "cannot be combined with a system under test: --artifacts keeps its traffic"),
      (
        "max-late", to.isSystem,
        "cannot be combined with a system under test: a run that was sent too late is no verdict"
      ))
  }
}

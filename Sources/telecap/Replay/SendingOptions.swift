import ArgumentParser
import TelecapImpairment

/// How something is sent through a worse network: the same options for `replay` and `ahap play`.
struct SendingOptions: ParsableArguments {
  @OptionGroup(title: "Impairments") var impairments: ImpairmentOptions

  @Option(
    name: .long, help: ArgumentHelp("Where TCP streams go, where --to names a port for datagrams.", valueName: "port"))
  var tcpPort: UInt16?

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

  @OptionGroup var format: FormatOption

  func validate() throws {
    if loop < 0 { throw ValidationError("--loop takes a number of times, or 0 for without end") }
    if dryRun, loop != 1 || record != nil {
      throw ValidationError("--dry-run sends nothing: leave out --loop and --record")
    }
  }

  /// Throws where these options and the receiver exclude each other.
  func check(_ to: ReplayTarget) throws {
    if case .model = to, loop != 1 || record != nil || maxLate != nil {
      throw ValidationError("a model has no sockets and no clock: leave out --loop, --record and --max-late")
    }
    guard case .system = to else { return }
    let refusals: [(Bool, String)] = [
      (dryRun, "--dry-run: where a system under test takes packets is known only when it runs; leave out --to"),
      (loop != 1, "--loop: a system under test is judged by one run; leave it out"),
      (record != nil, "--record: --artifacts keeps the traffic of a system under test"),
      (tcpPort != nil, "--tcp-port: the system file says where streams go, or udp://HOST:PORT?tcp=PORT"),
      (maxLate != nil, "--max-late: a run that was sent too late is no verdict; leave it out"),
    ]
    if let (_, words) = refusals.first(where: \.0) { throw ValidationError(words) }
  }
}

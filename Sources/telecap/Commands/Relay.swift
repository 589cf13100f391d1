import ArgumentParser
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapTransport
import TelecapWire

/// `telecap relay`: a worse network between two living ends.
struct RelayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay",
    abstract: "Stand between two living ends, and be a worse network for them.",
    discussion: """
      Example:
        telecap relay udp:50001=192.168.1.20:50000 --loss 5% --delay 40ms --jitter 15ms
        telecap relay udp:50001=127.0.0.1:50000 --hostile 10% --down --record seen.telecap

      Listens on loopback unless an address of this machine stands before the port.
      Impairments strike datagrams, both ways or only --up or --down; what goes over
      TCP is passed on as it is. Ctrl-C ends it.
      """)

  @Argument(
    help: ArgumentHelp(
      "What to listen on and pass on to: udp:50001=HOST:PORT or tcp:50001=HOST:PORT; several are one relay.",
      valueName: "relay"), transform: Parsers.relay)
  var relays: [RelaySpec]

  @Option(
    name: .long, help: ArgumentHelp("Record what both ends send into this capture.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the capture if it exists.")
  var force = false

  @Flag(name: .long, help: "Only what goes to the targets suffers.")
  var up = false

  @Flag(name: .long, help: "Only what comes from the targets suffers.")
  var down = false

  @Option(
    name: .long, help: ArgumentHelp("End after so long, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @OptionGroup var network: NetworkOptions
  @OptionGroup var format: FormatOption
  @OptionGroup var ports: PortOptions

  func validate() throws {
    let isIdle = network.isUnimpaired
    if up, down { throw ValidationError("--up and --down are both ways: leave them out") }
    try Given.refuseSame(("--record", record))
    try Given.refuse(
      ("up down seed", isIdle, "goes with an impairment: give one, or leave it out"),
      (
        ListedImpairmentOptions.names, !relays.contains { $0.carrier == .udp },
        "strikes datagrams: no udp relay is asked for"
      ),
      ("force", record == nil, "goes with --record FILE"),
      ("record", record == "-", OutputOptions.noStream))
  }

  func run() async throws {
    let (ports, seed) = (try ports.ports, network.chosenSeed())
    let asked = try network.impairments
    let network = try RelayNetwork(
      up: down ? .none : asked, down: up ? .none : asked, seed: seed, ports.protocols)
    let limits = RecordingLimits(duration: duration?.nanoseconds, stop: .signals)
    if asked.isRandom { Console.say("seed \(seed)") }
    guard let record else {
      let account = try await LiveRelay(relays, network, ports: ports, limits: limits, tell: Console.say).run()
      return try format.format.print(account)
    }
    var session = RecordingSession(
      into: record, force: force, ports: ports, limits: limits, files: Loaded.files, progress: Progress(),
      tell: Console.say)
    session.network = network
    let (summary, account) = try await session.relay(relays)
    let findings = try Loaded.files.deriveOrCount(record)
    findings.notes.forEach(Console.say)
    try format.format.print(account)
    try format.format.print(summary.text(of: record, findings, style: Console.style(for: 1))) {
      summary.write(of: record, to: &$0)
    }
  }
}

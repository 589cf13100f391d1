import ArgumentParser
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapTransport
import TelecapWeb
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
        telecap relay udp:50001=my-host.yaml --code ABC123 --network lte
        telecap relay udp:50001=192.168.1.20:50000 --view

      A system file names a program that is started and judged by what reaches it.
      Listens on loopback unless an address of this machine stands before the port.
      Impairments strike both ways, or only --up or --down. TCP keeps every byte in
      its order: streams have delay, jitter, rate and stall, and connections are
      broken by --reset and --half-open. With --advertise phones that search find it.
      The page of --view shows what it does, with sliders for its network; SIGHUP
      reads --network anew, Ctrl-C ends it.
      """)

  @Argument(
    help: ArgumentHelp(
      "What to listen on and pass on to: udp:50001=HOST:PORT, tcp:50001=HOST:PORT, or =FILE.yaml; several are one relay.",
      valueName: "relay"), transform: Parsers.relayTarget)
  var targets: [RelayTarget]

  @Option(name: .long, help: ArgumentHelp("The code that a program of a system file is to take.", valueName: "code"))
  var code: String?

  @Option(
    name: .long, help: ArgumentHelp("Record what both ends send into this capture.", valueName: "file"))
  var record: String?

  @Option(name: .long, help: ArgumentHelp("Keep what became of datagrams to the target as a plan.", valueName: "file"))
  var planUp: String?

  @Option(name: .long, help: ArgumentHelp("The same for those from the target.", valueName: "file"))
  var planDown: String?

  @Flag(name: .long, help: "Replace the capture and the plans if they exist.")
  var force = false

  @Flag(name: .long, help: "Only what goes to the targets suffers.")
  var up = false

  @Flag(name: .long, help: "Only what comes from the targets suffers.")
  var down = false

  @Option(
    name: .long, help: ArgumentHelp("End after so long, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @Option(
    name: .long, help: ArgumentHelp("Reset each TCP connection so long after it was opened: 5s.", valueName: "time"),
    transform: Parsers.interval)
  var reset: Interval?

  @Option(
    name: .long,
    help: ArgumentHelp("So long after it was opened, what comes over TCP goes nowhere.", valueName: "time"),
    transform: Parsers.interval)
  var halfOpen: Interval?

  @OptionGroup var advertise: AdvertiseOptions
  @OptionGroup var page: PageOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var format: FormatOption
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup var ports: PortOptions

  private var relays: [RelaySpec] { targets.map(\.spec) }
  private var files: Set<String> { Set(targets.compactMap(\.file)) }

  func validate() throws {
    if let code { try PairingCodeText.check(code) }
    if up, down { throw ValidationError("--up and --down are both ways: leave them out") }
    if files.count > 1 || files.count == 1 && targets.contains(where: { $0.file == nil }) {
      throw ValidationError("all relays go to one program, or all to addresses")
    }
    try Given.refuseSame(
      ("--record", record), ("--plan-up", planUp), ("--plan-down", planDown), ("the system", files.first), and: reports)
    try Given.refuse(
      ("\(ReportOptions.names) code", files.isEmpty, "goes with a system file, whose program is judged"),
      ("shrink shrink-runs", true, "goes without a relay: what living peers said is not said again"),
      ("record", !files.isEmpty, "goes with an address; of a program's failures --artifacts keeps the traffic"),
      ("seed", network.isUnimpaired, "goes with an impairment: give one, or leave it out"),
      ("up down", network.isUnimpaired && halfOpen == nil, "goes with an impairment: give one, or leave it out"),
      (
        ListedImpairmentOptions.namesOfDatagrams, !relays.contains { $0.carrier == .udp },
        "strikes datagrams: no udp relay is asked for"
      ),
      ("reset half-open", !relays.contains { $0.carrier == .tcp }, "breaks connections: no tcp relay is asked for"),
      (
        "advertise", Advertisement.disturbs(relays, try ports.ports),
        "sends beacons to a port where a relay listens: let that listen on another"
      ),
      ("plan-up plan-down", record == nil, "goes with --record FILE: replay sends again what is recorded there"),
      (
        "plan-up plan-down", relays.map(\.carrier) != [.udp],
        "goes with one udp relay, of whose datagrams it is the plan"
      ),
      ("plan-up plan-down", [planUp, planDown].contains("-"), "goes with a file: standard output is the account's"),
      ("force", record == nil, "goes with --record FILE"),
      ("record", record == "-", OutputOptions.noStream))
  }

  func run() async throws {
    let running = try begin()
    guard page.isAsked else { return try await run(running) }
    let server = try server(of: running)
    try await page.serve(server) { try await run(running) }
  }

  /// What is asked for, said where it has something to say.
  private func begin() throws -> Running {
    let (ports, seed, options, up, down) = (try ports.ports, network.chosenSeed(), network, up, down)
    let faults = StreamFaults(reset: reset, halfOpen: halfOpen, up: !down, down: !up)
    let read = { @Sendable () throws -> RelayNetwork in
      let asked = try options.impairments
      return try RelayNetwork(
        up: down ? .none : asked, down: up ? .none : asked, seed: seed, ports.protocols, faults: faults)
    }
    let (asked, plans) = (try options.impairments, try RelayPlans(up: planUp, down: planDown, force: force))
    var network = try read()
    plans.keep(by: &network)
    if asked.isRandom { Console.say("seed \(seed)") }
    for note in RelayAccount.notes(on: asked, relays) { Console.say(note) }
    let limits = RecordingLimits(duration: duration?.nanoseconds, stop: .signals)
    return Running(network: network, read: read, plans: plans, ports: ports, limits: limits)
  }

  private func server(of running: Running) throws -> PageServer {
    let shown = ShownRelay(
      relays.map(\.description).joined(separator: ", "), running.desk, running.network, running.ports.protocols,
      verdicts: files.isEmpty ? nil : running.verdicts, tell: { Console.say($0) })
    let capture = record.map { ShownCapture.recorded(into: $0, running.ports, since: running.hasBegun) }
    return try PageServer(shown, capture, at: PageOptions.address, suites: Loaded.suites, tool: Telecap.tool)
  }

  /// What a relay runs with.
  private struct Running {
    let network: RelayNetwork
    let read: @Sendable () throws -> RelayNetwork
    let plans: RelayPlans
    let ports: Ports
    let limits: RecordingLimits
    let desk = RelayDesk()
    let verdicts = RelayVerdicts()
    let hasBegun = StopFlag()
  }

  private func run(_ running: Running) async throws {
    guard let advertisement = advertise.advertisement(running.ports) else { return try await followed(running) }
    try await advertisement.follow(running.desk) { try await followed(running) }
  }

  /// Relays, and reads the network anew when asked.
  private func followed(_ running: Running) async throws {
    guard network.network != nil else { return try await relay(running) }
    try await ReadNetwork(running.desk, read: running.read, tell: { Console.say($0) }).follow {
      try await relay(running)
    }
  }

  private func relay(_ running: Running) async throws {
    if let file = files.first { return try await judge(file, running) }
    guard let record else {
      var relay = LiveRelay(relays, running.network, ports: running.ports, limits: running.limits, tell: Console.say)
      relay.desk = running.desk
      return try await format.format.print(relay.run())
    }
    var session = RecordingSession(
      into: record, force: force, ports: running.ports, limits: running.limits, files: Loaded.files,
      progress: Progress(), tell: Console.say)
    (session.network, session.plans) = (running.network, running.plans)
    (session.desk, session.hasBegun) = (running.desk, running.hasBegun)
    let (summary, account) = try await session.relay(relays)
    try format.format.print(account)
    try format.print(summary, of: record)
  }

  /// Starts the program of a system file, relays to it, and judges it.
  private func judge(_ file: String, _ running: Running) async throws {
    let system = try SystemChoice(file, Loaded.suites, stop: .signals).system
    var judged = try JudgedRelay(
      system, running.network, suites: Loaded.suites, ports: running.ports, code: code, limits: running.limits,
      tell: Console.say)
    judged.desk = running.desk
    if page.isAsked { judged.verdicts = running.verdicts }
    let relay = judged
    let command = ["telecap"] + CommandLine.arguments.dropFirst()
    let open = Telecap.report(on: system, command: command, repeatsWhole: true)
    let reporting = reports.reporting(format.format, within: nil)
    let result = try await reporting.judging(system, open) { try await relay.run(relays, tell: $0) }
    if result.failsReplay { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

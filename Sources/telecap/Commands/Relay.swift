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

/// `telecap relay`: an impairment proxy between two live peers.
struct RelayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay",
    abstract: "Relay live traffic between two peers and impair it.",
    discussion: """
      Example:
        telecap relay udp:50001=192.168.1.20:50000 --loss 5% --delay 40ms \\
            --jitter 15ms
        telecap relay udp:50001=127.0.0.1:50000 --hostile 10% --down \\
            --record seen.telecap
        telecap relay udp:50001=my-host.yaml --code ABC123 --network lte
        telecap relay udp:50001=192.168.1.20:50000 --view

      With a system file in place of an address, telecap starts its program and tests
      it with the live traffic. With an address, telecap tests both peers from their
      traffic, if it knows the protocol. The relay listens on loopback, unless an
      address of this machine precedes the port: udp:0.0.0.0:50001=HOST:PORT.

      Impairments apply to both directions, or to one with --up or --down. TCP keeps
      every byte in order: only delay, jitter, rate and stall apply to streams, and
      --reset and --half-open break connections. With --advertise, phones that
      search find the relay.

      The network can be changed while the relay runs: by keys on a terminal, by the
      sliders of the --view page, and by SIGHUP, which reads --network again. Ctrl-C
      ends the relay.
      """)

  @Argument(
    help: ArgumentHelp(
      "The port to listen on and its target: udp:50001=HOST:PORT, tcp:50001=HOST:PORT, or =FILE.yaml. Several run as one relay.",
      valueName: "relay"), transform: Parsers.relayTarget)
  var targets: [RelayTarget]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The host's pairing code: for the program of a system file, or for the QR code of --advertise.", valueName: "code"
    ))
  var code: String?

  @Option(name: .long, help: ArgumentHelp("Record the traffic of both peers into this capture.", valueName: "file"))
  var record: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Write a plan with the fate of each datagram sent to the target.", valueName: "file"))
  var writePlanUp: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Write a plan with the fate of each datagram that the target sent.", valueName: "file"))
  var writePlanDown: String?

  @Flag(name: .long, help: "Replace the capture and the plans if they exist.")
  var force = false

  @Flag(name: .long, help: "Impair only traffic to the targets.")
  var up = false

  @Flag(name: .long, help: "Impair only traffic from the targets.")
  var down = false

  @Option(
    name: .long, help: ArgumentHelp("Stop after this time, such as 10s.", valueName: "time"),
    transform: Parsers.interval)
  var duration: Interval?

  @Option(
    name: .long, help: ArgumentHelp("Reset each TCP connection this time after it opened: 5s.", valueName: "time"),
    transform: Parsers.interval)
  var reset: Interval?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Black-hole each TCP connection this time after it opened: it stays open, and its data is dropped.",
      valueName: "time"),
    transform: Parsers.interval)
  var halfOpen: Interval?

  @OptionGroup var advertise: AdvertiseOptions
  @Flag(
    name: .long,
    help: "Forward the target's own beacons with the relay's port, so that clients find the relay under their name.")
  var passBeacons = false
  @OptionGroup var page: PageOptions
  @OptionGroup(title: "Impairments") var network: NetworkOptions
  @OptionGroup var format: StyledFormatOption
  @OptionGroup(title: "Reports") var reports: ReportOptions
  @OptionGroup var ports: PortOptions

  private var relays: [RelaySpec] { targets.map(\.spec) }
  private var faults: StreamFaults { StreamFaults(reset: reset, halfOpen: halfOpen, up: !down, down: !up) }
  private var files: Set<String> { Set(targets.compactMap(\.file)) }

  func validate() throws {
    if let code { try PairingCodeText.check(code) }
    if up, down { throw ValidationError("--up and --down are both ways: leave them out") }
    if files.count > 1 || files.count == 1 && targets.contains(where: { $0.file == nil }) {
      throw ValidationError("give one system file for all relays, or an address for each")
    }
    try Given.refuseSame(
      [("the system", files.first)],
      to: [("--record", record), ("--write-plan-up", writePlanUp), ("--write-plan-down", writePlanDown)] + reports.named
    )
    try Given.refuse(
      (ReportOptions.names, files.isEmpty, "requires a system file, whose program is tested"),
      ("code", files.isEmpty && advertise.name == nil, "requires a system file, or --advertise for its QR code"),
      ("seed", network.isUnimpaired, "requires an impairment: give one, or leave it out"),
      ("up down", network.isUnimpaired && halfOpen == nil, "requires an impairment: give one, or leave it out"),
      (
        NetworkOptions.namesOfDatagrams, !relays.contains { $0.carrier == .udp },
        "applies to datagrams: it requires a udp relay"
      ),
      ("reset half-open pass-beacons", !relays.contains { $0.carrier == .tcp }, "requires a tcp relay"),
      (
        faults.idleOption(within: duration) ?? "", true,
        "has no effect: --duration or --reset ends the connection first"
      ),
      (
        "advertise pass-beacons", Advertisement.disturbs(relays, try ports.ports),
        "sends beacons to a port on which a relay listens: give the relay another port"
      ),
      (
        "write-plan-up write-plan-down", record == nil,
        "requires --record FILE: a replay of the plan needs that recording"
      ),
      (
        "write-plan-up write-plan-down", relays.map(\.carrier) != [.udp],
        "requires exactly one udp relay, whose datagrams the plan describes"
      ),
      (
        "write-plan-up write-plan-down", [writePlanUp, writePlanDown].contains("-"),
        "requires a file: standard output has the relay's report"
      ),
      ("force", record == nil, "requires --record FILE"))
    try OutputOptions.checkCapture("record", record)
  }

  func run() async throws {
    let (ports, seed, asked) = (try ports.ports, network.chosenSeed(), try network.impairments)
    let read = reading(ports, seed)
    let plans = try RelayPlans(up: writePlanUp, down: writePlanDown, force: force)
    let gear = RelayGear(try read(asked), ports, plans, duration: duration?.nanoseconds) { Console.say($0) }
    if asked.isRandom { Console.say("seed \(seed)") }
    for note in RelayAccount.notes(on: asked, relays) { Console.say(note) }
    let (notice, again) = (advertise.advertisement(ports, code: code), network.network == nil ? nil : read)
    let beacons = passBeacons ? BeaconRelay(ports) { Console.say($0) } : nil
    let attended = {
      try await gear.attended(by: notice, beacons, ways: (!down, !up), read: again) { try await relay(gear) }
    }
    guard page.isAsked else { return try await attended() }
    try await page.serve(pages(gear), reading: self.ports.words, during: attended)
  }

  /// Reads the network that the options describe. Without given impairments it reads the files again.
  private func reading(_ ports: Ports, _ seed: UInt64) -> @Sendable (Impairments?) throws -> RelayNetwork {
    let (options, up, down, faults) = (network, up, down, faults)
    return { given in
      let asked = try given ?? options.impairments
      return try RelayNetwork(
        up: down ? .none : asked, down: up ? .none : asked, seed: seed, ports.protocols, faults: faults)
    }
  }

  private func pages(_ gear: RelayGear) -> LivePages {
    let shown = ShownRelay(
      relays.map(\.description).joined(separator: ", "), gear.desk, gear.network, gear.ports.protocols,
      verdicts: files.isEmpty ? nil : gear.verdicts, tell: { Console.say($0) })
    return LivePages(shown, recording: record.map { ($0, gear.hasBegun) }, tool: Telecap.tool)
  }

  private func relay(_ gear: RelayGear) async throws {
    let recording = record.map { gear.recording(into: $0, force: force, files: Loaded.files, progress: Progress()) }
    if let file = files.first { return try await judge(file, gear, recording) }
    let isRight = try await StopFlag.holdingSecond {
      let (account, heard) = try await gear.live(relays, Loaded.suites).run(into: recording)
      try format.format.print(account)
      return try HeardVerdicts(heard, seed: gear.network.seed, Loaded.suites).print(
        isJSON: format.format == .json, style: format.style(for: 1), report, OutputFormat.print(line:),
        tell: Console.say)
    }
    if let record, let summary = recording?.summary { try format.print(summary, of: record) }
    try recording?.check()
    if !isRight { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func report(on system: String) -> SuiteReport {
    Telecap.report(on: system, command: ["telecap"] + Given.words, repeatsWhole: true)
  }

  /// Starts the program of a system file, relays traffic to it, and tests it.
  private func judge(_ file: String, _ gear: RelayGear, _ recording: RelayRecording?) async throws {
    let system = try SystemChoice(file, Loaded.suites, stop: .signals).system
    let relay = try gear.judging(system, Loaded.suites, code: code, recording, isShown: page.isAsked)
    let reporting = reports.reporting(
      format, .verbose, shrinkRuns: nil, within: nil, of: Loaded.suites.requirements.map(\.id))
    let result = try await StopFlag.holdingSecond {
      try await reporting.judging(system, report(on: system.name)) { try await relay.run(relays, tell: $0) }
    }
    try recording?.lines().forEach(Console.say)
    if result.failsReplay { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

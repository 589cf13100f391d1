import ArgumentParser
import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapTele
import TelecapTransport
import TelecapWire

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

/// What is sent, where to, and how: a replay, ready to be run.
struct Sending {
  /// The recording.
  let replay: ReplaySource
  let to: ReplayTarget
  let options: SendingOptions
  var speed: Speed?
  var timeline = Timeline(speed: .recorded)
  /// A saved plan to carry out instead of making one.
  var plan: String?
  var rewriting = Rewriting()
  /// What a judged system leaves behind.
  var reports = ReportOptions()

  /// Sends it all, prints the report, and judges.
  func run() async throws {
    try to.check(replay.role)
    let survey = try Survey(replay)
    for note in survey.notes(replay.role) { Console.say(note) }
    let feeder = try feeder(survey)
    let run = ReplayRun(
      feeder: feeder, survey: survey, rewriting: rewriting, ports: replay.ports, format: options.format.format)
    if options.dryRun { return try run.dryRun(try routes(survey)) }
    let (report, damage): (ReplayReport, Damage?)
    switch to {
    case .system(let text):
      let judged = JudgedReplay(
        text: text, feeder: feeder, survey: survey, rewriting: rewriting, reports: reports, options: options)
      return try await judged.run()
    case .model: (report, damage) = try run.againstModel()
    case .simulate:
      (report, damage) = try await run.againstPeer(
        times: options.loop, wait: options.wait, recorder: try recorder(feeder))
    case .recorded, .address:
      (report, damage) = try run.overSockets(
        try routes(survey), times: options.loop, wait: options.wait, recorder: try recorder(feeder), judged: nil)
    }
    try report.print(options.format.format)
    if let damage { throw damage }
    try judge(report)
  }

  private func judge(_ report: ReplayReport) throws {
    if let maxLate = options.maxLate, let late = report.sending?.latest, late > maxLate.nanoseconds {
      Console.say("telecap: a packet was \(Interval(nanoseconds: late)) late; --max-late allows \(maxLate)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    if report.oracle?.verdict() == .fail { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func feeder(_ survey: Survey) throws -> UnitFeeder {
    let header: PlanHeader
    if let file = try SavedPlan.opening(plan) {
      try file.check(survey.digest, of: replay.name)
      header = file.header
    } else {
      header = options.impairments.header(speed, survey)
    }
    return UnitFeeder(
      source: replay, header: header, planPath: plan, timeline: timeline,
      selection: try options.impairments.selection(of: replay), lastPacket: survey.reading.lastPacket)
  }

  private func recorder(_ feeder: UnitFeeder) throws -> ReplayRecorder? {
    guard let record = options.record else { return nil }
    let comment =
      "\(replay.name) as \(replay.role.rawValue), seed \(feeder.header.seed) \(feeder.header.impairments)"
    if !options.force, Folders.exists(record) {
      throw Failure(.cannotCreate, "\(record): exists already", advice: "give another name, or --force to replace it")
    }
    do {
      return try ReplayRecorder(path: record, tool: "telecap \(Telecap.versionText)", comment: comment)
    } catch {
      throw Failure(.cannotCreate, "\(error)")
    }
  }

  private func routes(_ survey: Survey) throws -> ReplayRoutes {
    var address = IPAddress.loopback
    var port: UInt16?
    var reach = DestinationPolicy.Reach.loopback
    if case .address(let named) = to {
      guard let first = try named.resolve().first else { throw Failure(.unavailable, "\(named) has no address") }
      address = first.address
      port = named.port
      reach = .anyHost
    }
    let isStreamOnly = survey.datagrams == 0
    let routes = ReplayRoutes(
      survey.reading.flows, ports: replay.ports, to: address, udp: port,
      tcp: options.tcpPort ?? (isStreamOnly ? port : nil),
      reach: reach, keepsSource: replay.role == .host)
    try routes.check()
    return routes
  }
}

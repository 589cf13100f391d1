import ArgumentParser
import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapTransport
import TelecapWire

/// `telecap replay`: sends a recording again, under a worse network.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send a recording again under a worse network, and judge the receiver when it is one of ours.",
    discussion: """
      Examples:
        telecap replay session.telecap --as phone --loss 5% --seed 7
        telecap replay session.pcapng --as host --delay 20ms --jitter 10ms \\
            --to 192.0.2.7:50000
        telecap replay session.pcapng --to simulate:host --loss 30%
        telecap replay session.pcapng --to model:host --reorder 5%,3
        telecap replay session.pcapng --plan worse.plan --record sent.pcapng

      Packets go to this machine unless --to names another; broadcast and multicast
      addresses are refused. Impairments apply to datagrams; streams over TCP are
      opened anew, and every byte is sent in its order at its recorded time.
      Payloads are sent as they were recorded, malformed ones too, unless --code,
      --session-id or --restamp say otherwise.

      --to simulate:host (phone, mouse-host) starts one of our own peers and replays
      into it over real sockets; --to model:host does the same in virtual time. Both
      end with verdicts; a failed one makes the exit status 1.
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup(title: "Impairments") var impairments: ImpairmentOptions

  @Option(
    name: .long, help: ArgumentHelp("Where to: HOST, HOST:PORT, simulate:ROLE or model:ROLE.", valueName: "target"),
    transform: ReplayTarget.parse)
  var to: ReplayTarget = .recorded

  @Option(
    name: .long, help: ArgumentHelp("Where TCP streams go, where --to names a port for datagrams.", valueName: "port"))
  var tcpPort: UInt16?

  @Option(
    name: .long,
    help: ArgumentHelp("Carry out this plan, as telecap plan wrote it and you edited it.", valueName: "file"))
  var plan: String?

  @Option(name: .long, help: ArgumentHelp("How often; 0 goes on until Ctrl-C.", valueName: "n"))
  var loop = 1

  @Flag(name: .long, help: "Print what would be sent, and send nothing.")
  var dryRun = false

  @Option(name: .long, help: ArgumentHelp("Write what was sent and what came back as pcapng.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @Option(name: .long, help: ArgumentHelp("Put this code into every HELLO: six of A-Z and 0-9.", valueName: "code"))
  var code: String?

  @Option(name: .long, help: ArgumentHelp("Put this session_id into every HELLO and BYE.", valueName: "n"))
  var sessionId: UInt32?

  @Flag(name: .long, help: "Number the poses anew from 0, and time them from the start of this run.")
  var restamp = false

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
    if plan != nil, !impairments.isEmpty || source.speed != nil || source.maxGap != nil {
      throw ValidationError("a plan decides what happens and when: leave out the impairments, --speed and --max-gap")
    }
    if loop < 0 { throw ValidationError("--loop takes a number of times, or 0 for without end") }
    if source.speed == .max, maxLate != nil {
      throw ValidationError("with --speed max everything is due at once: --max-late means nothing")
    }
    if let code {
      do throws(WireError) { _ = try Message.hello(sessionID: 0, code: code) } catch {
        throw ValidationError("--code \(code): a code is six of A-Z and 0-9")
      }
    }
    if case .model = to, loop != 1 || record != nil || maxLate != nil {
      throw ValidationError("a model has no sockets and no clock: leave out --loop, --record and --max-late")
    }
    if dryRun, loop != 1 || record != nil {
      throw ValidationError("--dry-run sends nothing: leave out --loop and --record")
    }
  }

  func run() async throws {
    let replay = try ReplaySource(source)
    try to.check(replay.role)
    let survey = try Survey(replay)
    for note in survey.notes(replay.role) { Console.say(note) }
    let feeder = try feeder(replay, survey)
    let run = ReplayRun(
      feeder: feeder, survey: survey, rewriting: rewriting, ports: source.ports.ports, format: format.format)
    if dryRun { return try run.dryRun(try routes(survey, replay.role)) }
    let report =
      switch to {
      case .model: try run.againstModel()
      case .simulate: try await run.againstPeer(times: loop, wait: wait, recorder: try recorder(feeder))
      case .recorded, .address:
        try run.overSockets(
          try routes(survey, replay.role), times: loop, wait: wait, recorder: try recorder(feeder), judged: nil)
      }
    try report.print(format.format)
    try judge(report)
  }

  /// The exit status: what broke the input goes before what a check says.
  private func judge(_ report: ReplayReport) throws {
    if let damage = report.fed.damage { throw damage }
    if let maxLate, let late = report.sending?.lateness.max, late > maxLate.nanoseconds {
      Console.say("telecap: a packet was \(Interval(nanoseconds: late)) late; --max-late allows \(maxLate)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    if report.oracle?.verdict() == .fail { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  // MARK: From options to what they mean

  private var rewriting: Rewriting {
    Rewriting(code: code.map { Array($0.utf8) }, sessionID: sessionId, restamps: restamp)
  }

  private func feeder(_ replay: ReplaySource, _ survey: Survey) throws -> UnitFeeder {
    let file = try PlanFile.opening(plan)
    try file?.check(survey.digest, replay)
    let header = try file?.header() ?? impairments.header(source, survey)
    return UnitFeeder(
      source: replay, header: header, planPath: plan, timeline: source.timeline,
      selection: try impairments.selection(of: source), lastPacket: survey.reading.lastPacket)
  }

  private func recorder(_ feeder: UnitFeeder) throws -> ReplayRecorder? {
    guard let record else { return nil }
    let comment =
      "\(source.input) as \(feeder.source.role.rawValue), seed \(feeder.header.seed) \(feeder.header.impairments)"
    return try ReplayRecorder(path: record, force: force, comment: comment)
  }

  private func routes(_ survey: Survey, _ role: Role) throws -> ReplayRoutes {
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
      survey.reading.flows, ports: source.ports.ports, to: address, udp: port,
      tcp: tcpPort ?? (isStreamOnly ? port : nil),
      reach: reach, keepsSource: role == .host)
    try routes.check()
    return routes
  }
}

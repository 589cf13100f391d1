import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapRecording
import TelecapReport
import TelecapTele
import TelecapTransport
import TelecapWire

/// Joins the reading thread with whoever takes the packets: sockets, one of our peers, a model, or a list.
struct ReplayRun {
  let feeder: UnitFeeder
  let survey: Survey
  let rewriting: Rewriting
  let ports: Ports
  let format: OutputFormat

  private var role: Role { feeder.source.role }
  /// What the receiver is held to.
  private var streams: [JudgedStream] { Loaded.suites.model(of: Part(role.receiver))?.judging.streams ?? [] }

  /// Reads on one thread and calls `send` on this one; what the reading came to.
  private func feeding(
    _ rewriter: Locked<MessageRewriter?>, _ send: (ReplayFeed) throws -> Void
  ) throws -> UnitFeeder.Fed {
    let result = Locked(UnitFeeder.Fed())
    let feeder = feeder
    try ReplayFeed.run(
      reading: { writer in
        let fed = try rewriter.with { try feeder.feed(&writer, &$0) }
        result.with { $0 = fed }
      }, sending: send)
    return result.with { $0 }
  }

  private var newRewriter: Locked<MessageRewriter?> {
    Locked(rewriting.isNeeded ? MessageRewriter(rewriting) : nil)
  }

  /// Prints what would be sent.
  func dryRun(_ routes: ReplayRoutes) throws {
    var printer = DryRunPrinter(routes, flows: survey.reading.flows, ports: ports, format: format)
    let fed = try feeding(newRewriter) { feed in try VirtualReplay.list(feed) { try printer.print($0, $1, $2, $3) } }
    try printer.finish()
    Console.say("plan \(fed.planDigest?.description ?? "?"), seed \(feeder.header.seed): nothing was sent")
    for rate in fed.rates.account(of: feeder.header.impairments) { Console.say("  \(rate)") }
    if let damage = fed.damage { throw damage }
  }

  /// Runs the plan against a model in virtual time.
  func againstModel() throws -> (ReplayReport, Damage?) {
    let oracle = Oracle(streams)
    let observer = ReplayWatcher(
      ReplyCounts(to: role, Loaded.protocols), recorder: nil, judged: nil, total: survey.units)
    let flows = survey.reading.flows
    var result: (ending: VirtualReplay.Ending, oracle: Oracle)?
    let fed = try feeding(newRewriter) { feed in
      func run(_ model: some Peer) throws {
        var loop = Loop(model, judgedBy: oracle)
        let ending = try VirtualReplay.run(
          feed, to: role.receiver, flows: flows, observer: observer, stop: StopFlag.signals
        ) { loop.take($0, $1, at: $2) }
        loop.finish(at: ending.time)
        result = (ending, loop.oracle)
      }
      switch role.receiver {
      case .phone: try run(try Self.phone(of: flows[0].source))
      case .mouseHost: try run(MouseHostModel())
      default: if survey.datagrams > 0 { try run(HostModel()) } else { try run(HostStreamModel()) }
      }
    }
    try observer.finish()
    var report = report(to: "our \(role.receiver.rawValue) in virtual time")
    report.take(fed)
    if let (ending, oracle) = result {
      report.packets = ending.packets
      report.isStopped = ending.outcome == .stopped
      report.oracle = oracle
      report.staleness = oracle.staleness
    }
    return (report, fed.damage)
  }

  /// Starts one of our peers and replays into it.
  func againstPeer(times: Int, wait: Interval, recorder: ReplayRecorder?) async throws -> (ReplayReport, Damage?) {
    let host = survey.reading.flows[0].source
    let judged =
      switch role.receiver {
      case .phone:
        try await JudgedPeer.start(try Self.phone(of: host), receiver: .phone, streams, alias: host, listens: false)
      case .mouseHost: try await JudgedPeer.start(MouseHostModel(), receiver: .mouseHost, streams, listens: true)
      default:
        if survey.datagrams > 0 {
          try await JudgedPeer.start(HostModel(), receiver: .host, streams, listens: false)
        } else {
          try await JudgedPeer.start(HostStreamModel(), receiver: .host, streams, listens: true)
        }
      }
    let routes = ReplayRoutes(
      survey.reading.flows, ports: ports, to: .loopback, udp: judged.udp?.port, tcp: judged.listening?.port)
    for (flow, route) in zip(survey.reading.flows, routes.routes) {
      recorder?.aliases[route.destination] = Endpoint(route.destination.address, port: flow.destination.port)
    }
    var (report, damage) = try overSockets(
      routes, times: times, wait: max(wait, .milliseconds(100)), recorder: recorder, judged: judged)
    report.destination = "our \(role.receiver.rawValue) at \(routes.destinations)"
    let judgement = try await judged.finish()
    report.oracle = judgement.oracle
    report.staleness = judgement.staleness
    return (report, damage)
  }

  /// Sends over real sockets on the wall clock.
  func overSockets(
    _ routes: ReplayRoutes, times: Int, wait: Interval, recorder: ReplayRecorder?, judged: JudgedPeer?
  ) throws -> (ReplayReport, Damage?) {
    let stop = StopFlag.signals
    let observer = ReplayWatcher(
      ReplyCounts(to: role, Loaded.protocols), recorder: recorder, judged: judged, total: survey.units)
    let replayer = try Replayer(routes.routes, policy: routes.policy, observer: observer, stop: stop)
    for route in replayer.unboundRoutes {
      Console.say(
        "port \(route.local?.port ?? 0) is taken, so packets come from another: a phone may not listen to it")
    }
    var report = report(to: routes.destinations)
    var damage: Damage?
    let rewriter = newRewriter
    report.runs = 0
    while times == 0 || report.runs < times, !report.isStopped {
      let fed = try feeding(rewriter) { report.isStopped = try replayer.run($0) == .stopped }
      report.runs += 1
      if report.isStopped, report.runs > 1 { break }
      report.take(fed)
      damage = fed.damage
    }
    if !report.isStopped { try replayer.receive(forNanoseconds: wait.nanoseconds) }
    try observer.finish()
    report.packets = replayer.packets
    report.sending = SendingReport(replayer)
    report.replies = observer.replies.named
    return (report, damage)
  }

  private func report(to destination: String) -> ReplayReport {
    ReplayReport(feeder.source.name, as: role, feeder.header, to: destination)
  }

  /// A phone that listens to this host.
  private static func phone(of host: Endpoint) throws -> PhoneModel {
    try PhoneModel(PhoneModel.Settings(host: host, code: "TELCAP", sessionID: 1))
  }
}

import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapImpairment
import TelecapLoop
import TelecapModels
import TelecapMouse
import TelecapPlatform
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapSuites
import TelecapTele
import TelecapText
import TelecapTransport
import TelecapWire

/// A replay that is ready to run: connects the reading thread with the target of the packets: sockets, one of our
/// peers, a model, or a list.
public struct ReplayRun {
  /// Reads, rewrites and plans the packets.
  public let feeder: UnitFeeder
  /// The scan of the recording.
  public let survey: RecordingScan
  /// The changes to messages before they are sent.
  public let rewriting: Rewriting
  /// The suites for receivers.
  public let suites: Suites
  private let progress: any ProgressLine
  /// The reason why the requested network has no effect; nil where it may have one.
  private let idle: ReplayProblem?

  /// The report on a replay, and the damage of the recording: the packets before it were sent.
  public typealias Result = (report: ReplayReport, damage: Damage?)

  /// A replay of `source` by a saved plan, or by a new one from `header`.
  ///
  /// - Parameters:
  ///   - plan: the path of a saved plan, which has its own time; nil to make one.
  ///   - condition: selects the messages to impair by SQL.
  ///   - suites: the suites for receivers.
  ///   - tell: is called with notes on the recording before it is sent.
  ///   - header: makes the parameters of a plan from the scan.
  /// - Throws: `ReplayProblem.nothing`; `FieldProblem` when a field is to be set that no message has; `SavedPlanError`,
  ///   also when the plan was made for another recording; errors of reading.
  public init(
    of source: ReplaySource, by plan: String? = nil, _ timeline: Timeline = Timeline(speed: .recorded),
    where condition: String? = nil, _ rewriting: Rewriting = Rewriting(), suites: Suites = .all,
    progress: any ProgressLine = NoProgress(), tell: (String) -> Void = { _ in }, header: (RecordingScan) -> PlanHeader
  ) throws {
    survey = try RecordingScan(source)
    for note in survey.notes { tell(note) }
    var saved: PlanHeader?
    if let file = try SavedPlan.opening(plan, MessageChanger.names(of: source.ports.protocols)) {
      try file.check(survey.digest, of: source.name)
      saved = file.header
    }
    let chosen = try condition.map { try source.recording.packets(where: $0) }
    feeder = try UnitFeeder(
      source: source, survey, header: saved ?? header(survey), planPath: plan, timeline: saved?.timeline ?? timeline,
      selection: { number in chosen?.contains(number) ?? true })
    idle = chosen?.count == 0 ? .choosesNothing(condition ?? "") : nil
    (self.rewriting, self.suites, self.progress) = (rewriting, suites.including(source.role.owner), progress)
  }

  /// The same replay with another plan, from `header`; the recording is not scanned again.
  ///
  /// - Throws: `FieldProblem` when a field is to be set that no message has.
  public func again(_ header: PlanHeader) throws(FieldProblem) -> ReplayRun { try ReplayRun(self, header) }

  private init(_ other: ReplayRun, _ header: PlanHeader) throws(FieldProblem) {
    (survey, rewriting, suites, progress) = (other.survey, other.rewriting, other.suites, NoProgress())
    idle = other.idle
    feeder = try UnitFeeder(
      source: other.feeder.source, survey, header: header, timeline: other.feeder.timeline,
      selection: other.feeder.selection)
  }

  /// Throws where the requested network would have no effect on the recording.
  public func refuseIdle() throws(ReplayProblem) {
    if let idle { throw idle }
    if isStreamOnly, feeder.header.impairments != .none { throw .streamsOnly(source.role) }
  }

  /// Creates the file that records sent and received packets. It appears with the first packets, or at the end; its
  /// removal is detected.
  ///
  /// - Throws: `FileError` when an existing file may not be replaced, `CaptureFileError` when it cannot be created.
  public func recorder(_ path: String, force: Bool, tool: String) throws -> ReplayRecorder {
    let comment =
      "\(source.name) as \(source.role), seed \(feeder.header.seed) \(feeder.header.impairments)"
    let file = try PendingFile(at: path, force: force)
    return try ReplayRecorder(
      path: path, at: file.workingPath, tool: tool, comment: comment, ports: source.ports.moved
    ) { try file.keep() }
  }

  private var source: ReplaySource { feeder.source }
  private var receiver: Role { source.role.receiver }
  private var flows: [Flow] { survey.reading.flows }
  /// The streams of the receiver with their requirements.
  public var streams: [JudgedStream] { suites.model(of: Part(receiver))?.judging.streams ?? [] }
  private var isStreamOnly: Bool { survey.datagrams == 0 }

  // MARK: - Dry run

  /// Passes on the packets that would be sent, in order.
  ///
  /// - Throws: errors of reading and of `body`.
  public func list(
    _ routes: ReplayRoutes, _ body: (DryRun.Delivery, RawSpan) throws -> Void
  ) throws -> UnitFeeder.Fed {
    try feeding(newRewriter) { feed in
      try VirtualReplay.list(feed) { due, packet, pieces, bytes in
        guard packet.flow < routes.routes.count else { throw ReplayError.unknownFlow(packet.number) }
        let delivery = DryRun.Delivery(
          due: due, packet: packet.number, flow: packet.flow, carrier: packet.carrier,
          to: routes.routes[packet.flow].destination, pieces: pieces)
        try body(delivery, bytes)
      }
    }
  }

  /// Writes each delivery as a line of text or a JSON object.
  ///
  /// - Throws: errors of reading; `FileError` for errors of the output.
  public func list(_ routes: ReplayRoutes, isJSON: Bool, to output: inout Output) throws -> UnitFeeder.Fed {
    var list = DryRun(source.dialects(of: flows))
    var json = JSONWriter()
    let fed = try self.list(routes) { delivery, bytes in
      guard isJSON else { return try output.line(list.line(delivery, bytes)) }
      list.write(delivery, bytes, to: &json)
      try output.take(&json)
    }
    try output.flush()
    return fed
  }

  // MARK: - A model

  /// Runs the plan against a model in virtual time.
  ///
  /// - Parameters:
  ///   - log: observes all events in addition to the oracle; nil for none.
  ///   - plan: observes the plan, on another thread.
  /// - Throws: errors of reading.
  public func againstModel(
    telling log: WatchedOracle.Watcher? = nil, plan: UnitFeeder.Watcher? = nil
  ) throws -> Result {
    let watcher = watcher()
    let isOverLink = try isOverLink
    var ended: (ending: VirtualReplay.Ending, oracle: Oracle)?
    let fed = try feeding(newRewriter, telling: plan) { feed in
      // One call for each type of model, so that the loop is specialised for it.
      switch receiver {
      case .phone where isOverLink: ended = try run(feed, try PhoneLinkModel(phoneSettings), watcher, log)
      case .host where isOverLink: ended = try run(feed, try HostLinkModel(), watcher, log)
      case .phone: ended = try run(feed, try phone, watcher, log)
      case .mouseHost: ended = try run(feed, MouseHostModel(), watcher, log)
      case .host:
        ended =
          isStreamOnly
          ? try run(feed, try HostStreamModel(), watcher, log) : try run(feed, HostModel(), watcher, log)
      default: ended = try run(feed, try declaredModel, watcher, log)
      }
    }
    try watcher.finish()
    var report = report(to: "our \(receiver) in virtual time", fed)
    if let (ending, oracle) = ended {
      report.packets = ending.packets
      report.isStopped = ending.outcome == .stopped
      (report.oracle, report.staleness) = (oracle, oracle.staleness)
    }
    return (report, fed.damage)
  }

  private func run(
    _ feed: ReplayFeed, _ model: some Peer, _ watcher: ReplayWatcher, _ log: WatchedOracle.Watcher?
  ) throws -> (VirtualReplay.Ending, Oracle) {
    if let log { return try run(feed, model, watcher, telling: log) }
    var loop = Loop(model, judgedBy: Oracle(streams, countsMessages: true))
    let ending = try VirtualReplay.run(feed, to: receiver, flows: flows, observer: watcher, stop: .signals) {
      loop.take($0, $1, at: $2)
    }
    loop.finish(at: ending.time)
    return (ending, loop.oracle)
  }

  private func run(
    _ feed: ReplayFeed, _ model: some Peer, _ watcher: ReplayWatcher, telling log: @escaping WatchedOracle.Watcher
  ) throws -> (VirtualReplay.Ending, Oracle) {
    var loop = Loop(model, WatchedOracle(Oracle(streams, countsMessages: true), log), side: SilentSide())
    let ending = try VirtualReplay.run(feed, to: receiver, flows: flows, observer: watcher, stop: .signals) {
      loop.take($0, $1, at: $2)
    }
    loop.pass(to: ending.time)
    loop.reader.oracle.finish(at: ending.time)
    return (ending, loop.reader.oracle)
  }

  // MARK: - One of our peers

  /// Starts one of our peers and replays to it over real sockets.
  ///
  /// - Parameters:
  ///   - times: the number of repetitions; 0 for no limit.
  ///   - wait: the time to wait for replies after the last packet.
  ///   - recorder: records sent and received packets.
  /// - Throws: errors of reading, the sockets and the recorder.
  public func againstPeer(times: Int = 1, wait: Interval, recorder: ReplayRecorder? = nil) async throws -> Result {
    try checkCarriers()
    let judged = try await startPeer()
    let routes = ReplayRoutes(
      flows, ports: source.ports, to: .loopback, udp: judged.udp?.port, tcp: judged.listening?.port)
    for (flow, route) in zip(flows, routes.routes) {
      recorder?.aliases[route.destination] = Endpoint(route.destination.address, port: flow.destination.port)
    }
    var (report, damage) = try overSockets(
      routes, times: times, wait: max(wait, .milliseconds(100)), recorder: recorder, judged: judged, teardowns: nil
    ) { _ in }
    report.destination = "our \(receiver) at \(routes.destinations)"
    (report.oracle, report.staleness, report.droppedByKernel) = try await judged.finish()
    return (report, damage)
  }

  private func startPeer() async throws -> JudgedPeer {
    switch receiver {
    case .phone:
      try await JudgedPeer.start(try phone, receiver: .phone, streams, alias: flows[0].source, listens: false)
    case .mouseHost: try await JudgedPeer.start(MouseHostModel(), receiver: .mouseHost, streams, listens: true)
    case .host:
      if isStreamOnly {
        try await JudgedPeer.start(try HostStreamModel(), receiver: .host, streams, listens: true)
      } else {
        try await JudgedPeer.start(HostModel(), receiver: .host, streams, listens: false)
      }
    default:
      try await JudgedPeer.start(
        try declaredModel, receiver: receiver, streams, alias: receiver.side == .client ? VirtualAddresses.host : nil,
        listens: receiver.side == .host)
    }
  }

  /// The model of a receiver whose protocol is declared in a file.
  private var declaredModel: any DrivenPeer {
    get throws {
      let part = Part(receiver)
      guard let model = suites.model(of: part) else { throw ReplayProblem.nothingToJudge(receiver) }
      return try model.model(Setup(part: part))
    }
  }

  /// A phone whose peer is the recorded host.
  private var phone: PhoneModel {
    get throws { try PhoneModel(phoneSettings) }
  }

  private var phoneSettings: PhoneModel.Settings {
    PhoneModel.Settings(host: flows[0].source, code: "TELCAP", sessionID: 1)
  }

  // MARK: - Bluetooth

  /// Checks that a model supports the whole recording.
  ///
  /// - Throws: `ReplayProblem`.
  public func checkModel() throws(ReplayProblem) {
    _ = try isOverLink
    guard suites.model(of: Part(receiver)) != nil else { throw .nothingToJudge(receiver) }
  }

  /// Whether it is a recording of Bluetooth; no model receives other traffic in addition.
  private var isOverLink: Bool {
    get throws(ReplayProblem) {
      let links = flows.filter { $0.carrier == .ble }.count
      guard links == 0 || links == flows.count else { throw .mixed(recording: source.name, source.role) }
      return links > 0
    }
  }

  private func checkCarriers() throws(ReplayProblem) {
    if flows.contains(where: { $0.carrier == .ble }) { throw .overBluetooth(source.role) }
  }

  // MARK: - Sockets

  /// Sends over real sockets on the wall clock.
  ///
  /// - Parameters:
  ///   - tearsDown: whether a replay that ends early sets its streams to neutral and closes its sessions first
  ///     (`Teardown`).
  ///   - tell: receives the messages for the user, before the run begins and when it ends early.
  /// - Throws: errors of reading, the sockets and the recorder.
  public func overSockets(
    _ routes: ReplayRoutes, times: Int = 1, wait: Interval, recorder: ReplayRecorder? = nil, tearsDown: Bool = true,
    tell: (String) -> Void = { _ in }
  ) throws -> Result {
    try overSockets(
      routes, times: times, wait: wait, recorder: recorder, judged: nil, teardowns: tearsDown ? teardowns : nil,
      tell: tell)
  }

  /// The teardown of each flow, by flow number; empty where the sender's protocol declares none.
  private var teardowns: [Teardown?] {
    guard Teardown.isDeclared(for: source.role) else { return [] }
    return zip(source.dialects(of: flows), flows).map { dialect, flow in
      dialect.map { Teardown($0, over: flow.carrier) }
    }
  }

  /// Reports how a replay that ended early left its receiver.
  private func tellTeardown(_ replayer: Replayer, _ tell: (String) -> Void) {
    let (sent, problems) = replayer.tornDown
    let names = sent.map(\.kind.name)
    let counts = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .map { name in "\(names.count { $0 == name }) \(name)" }
    if !sent.isEmpty { tell("ended early; sent before the end: \(counts.list(or: false))") }
    for problem in problems { tell("ended early; neutral values not sent: \(problem)") }
    if !Teardown.isDeclared(for: source.role) {
      tell(
        "ended early; neutral values not sent: \(source.role.owner.name) declares neither neutral values for a \(source.role) nor a "
          + "message that closes a session; the receiver keeps the last values (add \"neutral\" or \"closed-by\" to the protocol file)"
      )
    }
  }

  private func overSockets(
    _ routes: ReplayRoutes, times: Int, wait: Interval, recorder: ReplayRecorder?, judged: JudgedPeer?,
    teardowns: [Teardown?]?, tell: (String) -> Void
  ) throws -> Result {
    try checkCarriers()
    let watcher = watcher(recorder, judged)
    let replayer = try Replayer(
      routes.routes, policy: routes.policy, observer: watcher, stop: .signals, teardowns: teardowns ?? [])
    for route in replayer.unboundRoutes {
      tell("port \(route.local?.port ?? 0) is taken, so packets come from another: a phone may not listen to it")
    }
    var (runs, isStopped, fed) = (0, false, UnitFeeder.Fed())
    var messages = PlannedMessages(of: source.role.owner)
    let rewriter = newRewriter
    while times == 0 || runs < times, !isStopped {
      let ended: UnitFeeder.Fed
      do {
        ended = try feeding(rewriter) { isStopped = try replayer.run($0) == .stopped }
      } catch {
        // Report the teardown for any reason of the end.
        if teardowns != nil { tellTeardown(replayer, tell) }
        throw error
      }
      runs += 1
      if let more = ended.messages { messages.add(more) }
      if isStopped, runs > 1 { break }
      fed = ended
    }
    let isCut = isStopped || fed.damage != nil
    if isCut, teardowns != nil { tellTeardown(replayer, tell) }
    if !isStopped { try replayer.receive(forNanoseconds: wait.nanoseconds) }
    try watcher.finish()
    var report = report(to: routes.destinations, fed)
    (report.runs, report.isStopped, report.packets) = (runs, isStopped, replayer.packets)
    report.messages = messages
    (report.sending, report.replies) = (SendingReport(replayer), watcher.replies.named)
    return (report, fed.damage)
  }

  // MARK: - Parts

  /// Reads on one thread and calls `send` on this one; returns the result of the reading.
  private func feeding(
    _ rewriter: Locked<MessageRewriter?>, telling plan: UnitFeeder.Watcher? = nil,
    _ send: (ReplayFeed) throws -> Void
  ) throws -> UnitFeeder.Fed {
    let result = Locked(UnitFeeder.Fed())
    let feeder = feeder
    try ReplayFeed.run(
      reading: { writer in
        let fed = try rewriter.with { try feeder.feed(&writer, &$0, telling: plan, countsMessages: true) }
        if fed.damage != nil { writer.cut() }
        result.with { $0 = fed }
      }, sending: send)
    return result.with { $0 }
  }

  private var newRewriter: Locked<MessageRewriter?> {
    Locked(rewriting.isNeeded ? MessageRewriter(rewriting) : nil)
  }

  private func watcher(_ recorder: ReplayRecorder? = nil, _ judged: JudgedPeer? = nil) -> ReplayWatcher {
    ReplayWatcher(
      ReplyCounts(to: source.role), total: survey.units, progress: progress,
      recorder: recorder, judged: judged)
  }

  private func report(to destination: String, _ fed: UnitFeeder.Fed) -> ReplayReport {
    var report = ReplayReport(source.name, as: source.role, feeder.header, to: destination)
    (report.rates, report.planDigest, report.idle) = (fed.rates, fed.planDigest, fed.idle)
    report.messages = fed.messages
    return report
  }
}

extension SendingReport {
  /// The counts of this replay's sockets.
  fileprivate init(_ replayer: Replayer) {
    self.init()
    let counts = replayer.datagrams
    (sent, bytes, failed) = (counts.sent, counts.bytes, counts.failed)
    if failed > 0 { lastFailure = SocketError.words(for: counts.lastError) }
    (refused, unreachable) = (counts.refused, counts.unreachable)
    (streams, streamBytes) = replayer.streams
    streamErrors = replayer.streamErrors.map(\.description)
    let late = replayer.lateness
    (p50, p95, p99, latest, driftPPM) = (late.p50, late.p95, late.p99, late.max, late.driftPPM)
    time = replayer.sendingTime
  }
}

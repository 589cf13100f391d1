import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// Runs a script over real sockets, each action at its time, and logs the sent and received messages: the same script
/// as for a model in virtual time. Blocks its thread for the duration of the script.
final class WallClockRun {
  /// The sources of information on the system other than its sockets.
  struct Watch {
    /// The program; nil for one that telecap did not start.
    var program: Program?
    /// Its output.
    var output: ProgramOutput?
    /// Its other sources of output.
    var feeds: EventFeeds?
    /// The driver of its user's actions.
    var doing = ActionDriver()
  }

  /// The time in ns that a system has to show the right value (semantics, Latest value wins).
  static let settle: Nanoseconds = 50_000_000
  /// The additional time before a check, in ns: the response time of a right program varies by this between runs.
  static let margin: Nanoseconds = 25_000_000
  /// The lateness in ns, of the sender or of this machine's wake-ups, above which a run proves nothing.
  static let latest: Nanoseconds = 50_000_000

  /// The lateness of a wake-up in ns from which telecap was stopped: no busy machine is as late.
  static let standstill: Nanoseconds = 1_000_000_000

  private let script: Script
  private let ends: PeerEnds
  private let watch: Watch
  private let clock: any MonotonicClock
  private let stop: StopFlag
  /// Raised when the system failed, so that the run cannot continue.
  private let enough = StopFlag()
  private var responder: Responder
  private var log: RunLog
  private var next = 0
  private var meant = 0
  private var loaded: [Int] = []
  private var lastLook: Nanoseconds = 0
  /// The time for which the script was paused while the system performed actions, in ns.
  private var held: Nanoseconds = 0
  /// The origin on the monotonic clock and by the time of day.
  private var origin: (monotonic: Nanoseconds, wall: Timestamp) = (0, .zero)
  /// The difference between the system clock and that of timestamps at the beginning, in ns.
  private let shift = WallClock.shift()
  /// The teardown of each peer, by transport.
  private var teardowns: [PeerName: [Carrier: Teardown]] = [:]

  init(
    _ script: Script, _ ends: PeerEnds, _ watch: Watch, shows: Set<Observable>,
    by clock: any MonotonicClock = SystemMonotonicClock.shared, stop: StopFlag
  ) {
    (self.script, self.clock) = (script, clock)
    self.ends = ends
    self.watch = watch
    self.stop = stop
    responder = script.responder
    log = RunLog(shows: shows, settle: WallClockRun.settle)
    log.entries.reserveCapacity(script.meant.count * 4)
  }

  /// The start of the run, on the monotonic clock in ns.
  var begin: Nanoseconds { origin.monotonic }

  /// Runs the script, and returns the sent and received messages in order of time.
  /// - Throws: `SocketError` or `DestinationError`.
  func run() throws -> RunLog { try run(pacedBy: clock) }

  private func run(pacedBy clock: some MonotonicClock) throws -> RunLog {
    clock.prepareThread()
    // 2 ms between polls of replies: our answers are late by that at most.
    var pacer = Pacer(clock: clock, stop: enough, timing: PacerTiming(slice: 2_000_000))
    let lead = PacerTiming.standard.lead
    for (peer, end) in ends.endpoints { log.peers.put(peer, at: end) }
    let start = WallClock.moment { clock.now() }
    origin = (start.steady &+ lead, start.wall.advanced(byNanoseconds: lead))
    log.probes = ends.probes.map {
      ReadinessProbe(peer: $0.peer, carrier: $0.carrier, before: max(0, begin &- $0.time))
    }
    for probe in log.probes { note(.output("(\(probe.words))"), at: 0) }
    // Measure with the machine's clock, not with that of the run: only it shows late wake-ups.
    let probe = LatenessProbe()
    defer { probe.end() }
    let delay = (watch.program?.id).map { SchedulingDelay(of: $0) }
    var work = Work(run: self)
    // Receive from a system that speaks first before sending: its address is unknown before.
    try look(at: 0)
    _ = try pacer.run(&work)
    try look(at: now)
    let lateness = RunLateness(woke: max(pacer.lateness.summary.max, probe.end()), waited: delay?.end() ?? 0)
    log.end = min(script.end.advanced(byNanoseconds: held), Timestamp(nanoseconds: now))
    if let ended = log.ended { log.end = min(log.end, ended.time) }
    log.note(lateness: lateness)
    log.clockJump = WallClockRun.jump(since: shift, lasting: now)
    if let jump = log.clockJump { log.tooLate = jump }
    return log
  }

  /// Returns an error message if the system clock jumped during a run, since the system under test may use it; nil if
  /// it did not.
  ///
  /// NTP slews a clock by at most 500 ns per ms (adjtimex(2), `ADJ_OFFSET`), which is no jump: twice as much is
  /// allowed.
  ///
  /// - Parameters:
  ///   - before: the difference between it and the clock of timestamps at the start of the run, in ns.
  ///   - now: the difference at its end.
  ///   - duration: the duration of the run, in ns.
  static func jump(since before: Nanoseconds, now: Nanoseconds = WallClock.shift(), lasting duration: Nanoseconds)
    -> String?
  {
    let corrected = duration / 1_000
    let jump = now &- before
    guard jump.magnitude >= ClockWatch.smallest.magnitude + corrected.magnitude else { return nil }
    return
      "the system clock was set by \(jump / 1_000_000) ms during the run: no verdict, since the system under test may depend on it; "
      + "run it again"
  }

  /// Tears down the sessions with a system that keeps running: resets values of peers to neutral, and closes sessions.
  func leave() {
    for (peer, carriers) in teardowns.sorted(by: { $0.key < $1.key }) {
      for teardown in [Carrier.udp, .tcp].compactMap({ carriers[$0] }) where !teardown.isWithinMessage {
        for message in teardown.owed() {
          _ = try? ends.send(teardown.framed(message), from: peer, over: teardown.carrier)
        }
      }
    }
  }

  /// Asks the program to exit, and logs its messages until it has; its output meanwhile is not part of the run.
  /// - Throws: `SocketError`.
  func hear(leaving program: Program, by signal: Int32, withinNanoseconds limit: Nanoseconds) throws -> RunLog {
    log.left = Timestamp(nanoseconds: now)
    program.ask(toEndBy: signal)
    let deadline = now + limit
    while program.ending == nil, now < deadline {
      try take(at: now)
      clock.sleep(for: 2_000_000)
    }
    try take(at: now)
    return log
  }

  private var now: Nanoseconds { clock.now() &- origin.monotonic }

  // MARK: - Sending

  /// The script's actions, followed by its end, which has no action.
  private struct Work: PacedWork {
    let run: WallClockRun

    mutating func nextDue() -> Nanoseconds? {
      if run.next < run.script.actions.count { return run.script.actions[run.next].time.nanoseconds + run.held }
      return run.next == run.script.actions.count ? run.script.end.nanoseconds + run.held : nil
    }

    mutating func load() -> Bool {
      run.loaded.append(run.next)
      run.next += 1
      return true
    }

    mutating func send(at time: Nanoseconds) throws {
      for index in run.loaded where index < run.script.actions.count { try run.carryOut(run.script.actions[index]) }
      run.loaded.removeAll(keepingCapacity: true)
    }

    mutating func idle() throws { try run.look(at: run.now) }
  }

  private func carryOut(_ action: Action) throws {
    let time = max(0, now)
    noteMeant(until: action.time.nanoseconds + held)
    switch action.work {
    case .send(let bytes, let carrier):
      if carrier == .tcp { try connect(action.peer, at: time) }
      try deliver(bytes, action.packet, from: action.peer, over: carrier, sentAt: action.sentAt, at: time)
    case .open: try connect(action.peer, at: time)
    case .close: if ends.close(action.peer) { note(.closed(action.peer), at: time) }
    case .reset: if ends.close(action.peer, byReset: true) { note(.closed(action.peer), at: time) }
    case .endSession(let carrier):
      guard let closing = responder.closing else { return }
      try deliver(closing, 0, from: action.peer, over: carrier, sentAt: Timestamp(nanoseconds: time), at: time)
    case .ask(let action): try ask(action, at: time)
    }
  }

  /// Makes the program perform an action of its user. The script pauses until that is done, since a command takes time
  /// to start.
  private func ask(_ action: any UserAction, at time: Nanoseconds) throws {
    guard let deed = watch.doing.deed(action), let program = watch.program, let output = watch.output else { return }
    note(.asked(action), at: time)
    let began = clock.now()
    let problem = try watch.doing.carryOut(deed, program, output) {
      clock.sleep(for: 2_000_000)
      try look(at: now)
      return !stop.isRaised && log.broke == nil
    }
    held += clock.now() &- began
    guard let problem else { return }
    note(.output("(\(deed.words): \(problem))"), at: now)
    log.failedDeeds.append(
      (
        Timestamp(nanoseconds: max(0, time)), "it could not be made to \(action.words): \(deed.words): \(problem)"
      ))
  }

  private func connect(_ peer: PeerName, at time: Nanoseconds) throws {
    guard !ends.isConnected(peer) else { return }
    teardowns[peer]?[.tcp] = nil
    do {
      try ends.connect(peer)
    } catch let error as SocketError {
      note(.output("(\(error))"), at: time)
      note(.disconnected(peer), at: time)
      return
    }
    guard ends.isConnected(peer) else { return }
    opened(peer, at: time)
  }

  /// Handles a new connection of a peer. A peer with another address for datagrams is identified by that one, unless
  /// everything is sent over TCP.
  private func opened(_ peer: PeerName, at time: Nanoseconds) {
    let since = Timestamp(nanoseconds: max(0, time))
    let isCalledByIt = script.setup.carrier == .tcp || log.peers.endpoint(of: peer, at: since) == nil
    if isCalledByIt, let end = ends.streamEndpoint(of: peer) { log.peers.put(peer, at: end, since: since) }
    note(.opened(peer), at: time)
  }

  private func deliver(
    _ bytes: [UInt8], _ packet: Int, from peer: PeerName, over carrier: Carrier, sentAt: Timestamp, at time: Int64
  ) throws {
    do {
      guard try ends.send(bytes, from: peer, over: carrier) else { return }
    } catch let error as SocketError {
      if carrier == .tcp, ends.close(peer) { note(.disconnected(peer), at: time) }
      return note(.output("(\(error))"), at: time)
    }
    noteSent(bytes.span.bytes, by: peer, over: carrier)
    note(.delivered(bytes, packet: packet, from: peer, over: carrier, sentAt: sentAt), at: time)
  }

  /// Updates the teardown of this peer.
  private func noteSent(_ bytes: RawSpan, by peer: PeerName, over carrier: Carrier) {
    guard let dialect = script.setup.part.role?.owner.dialect(over: carrier) else { return }
    teardowns[peer, default: [:]][carrier, default: Teardown(dialect, over: carrier)].sent(bytes)
  }

  private func noteMeant(until time: Nanoseconds) {
    while meant < script.meant.count, script.meant[meant].time.nanoseconds + held <= time {
      let action = script.meant[meant]
      meant += 1
      guard case .send(let bytes, let carrier) = action.work else { continue }
      note(.sent(bytes, packet: action.packet, by: action.peer, over: carrier), at: action.time.nanoseconds + held)
    }
  }

  private func note(_ what: RunLog.What, at time: Nanoseconds) {
    log.note(what, at: Timestamp(nanoseconds: max(0, time)))
  }

  // MARK: - Receiving

  /// Handles received data, answers it, and checks whether the system is alive.
  private func look(at time: Nanoseconds) throws {
    try take(at: time)
    if let output = watch.output { try watch.feeds?.read(into: output) }
    if stop.isRaised { enough.raise() }
    guard time &- lastLook > 5_000_000, log.broke == nil else { return }
    lastLook = time
    if let program = watch.program, let ending = program.ending {
      // Handle its last messages and the ends of its connections before its exit.
      try take(at: now)
      leave(program, ending, at: time)
    } else if watch.output?.isFlood == true {
      broke("it flooded its output", at: time)
    }
  }

  /// Handles received data, and answers it.
  private func take(at time: Nanoseconds) throws {
    noteMeant(until: min(time, script.end.nanoseconds + held))
    try ends.receive { arrival, bytes in
      switch arrival {
      case .bytes(let peer, let carrier, let wall):
        let copy = bytes.withUnsafeBytes { Array($0) }
        let came = min(now, max(0, wall.nanoseconds(since: origin.wall)))
        if answersProbe(peer, at: came) {
          note(.output("(\(copy.count) bytes to \(peer), in reply to the readiness probe)"), at: came)
          return
        }
        note(.replied(copy, to: peer, over: carrier), at: came)
        for answer in responder.answers(to: bytes, over: carrier, at: Timestamp(nanoseconds: max(0, now))) {
          let sent = max(0, now)
          try deliver(answer, 0, from: peer, over: carrier, sentAt: Timestamp(nanoseconds: sent), at: sent)
        }
      case .opened(let peer): opened(peer, at: now)
      case .disconnected(let peer): note(.disconnected(peer), at: now)
      }
    }
  }

  /// Whether a message can only be the answer to a probe, since nothing else was delivered.
  private func answersProbe(_ peer: PeerName, at time: Nanoseconds) -> Bool {
    guard let end = log.probesEnd, time < end.nanoseconds, log.probes.contains(where: { $0.peer == peer }) else {
      return false
    }
    return !log.entries.contains { entry in
      if case .delivered = entry.what { return true }
      return false
    }
  }

  /// Handles the exit of the program: normal if its session was closed, otherwise a failure.
  private func leave(_ program: Program, _ ending: String, at time: Nanoseconds) {
    guard program.hasSucceeded, let role = script.setup.part.role, let why = log.sessionEnd(of: role) else {
      return broke(ending, at: time)
    }
    let reason = "\(ending) after \(why): the rest was not exercised"
    log.ended = (Timestamp(nanoseconds: max(0, time)), reason)
    note(.output("(\(reason))"), at: time)
    enough.raise()
  }

  private func broke(_ reason: String, at time: Nanoseconds) {
    note(.broke(reason), at: time)
    enough.raise()
  }
}

extension RunLog {
  /// Sets the worst lateness of the machine, in ns: the settle time grows by it, and with too much no verdict depends
  /// on times.
  mutating func note(lateness: RunLateness) {
    self.lateness = lateness.worst
    settle = WallClockRun.settle + WallClockRun.margin + lateness.worst
    guard lateness.worst > WallClockRun.latest else { return }
    stoodStill = lateness.woke >= WallClockRun.standstill
    tooLate = lateness.words
  }
}

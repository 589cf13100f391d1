import CSockets
import NIOPosix
import TelecapConformance
import TelecapRecording
import TelecapWire

/// A program under test to which a relay passes on what living peers say: it is started for one run, which lasts until
/// somebody ends it, and what reached it and what it showed are kept as the log of any other run.
public struct RelayedProgram: Sendable {
  /// What a run came to.
  public struct Run: Sendable {
    /// All that happened.
    public var log: RunLog
    /// The relays, and what they did.
    public var routes: [Relay.Route]
    /// What each did.
    public var counts: [RelayCounts]
    /// How the program was set up.
    public var setup: Setup
    /// It ended since its log was full: `RelayedProgram.mostEvents`.
    public var isFull: Bool
  }

  /// How many datagrams, in and out, and events of connections a run keeps, to be judged by at its end; some two hours of a phone.
  public static let mostEvents = 1_000_000

  private let system: ProgramSystem
  private let setup: Setup

  /// The program of this system, which takes this code unless its file says its own.
  public init(_ system: ProgramSystem, code: String) {
    self.system = system
    setup = Setup(part: system.file.part, code: system.code ?? code)
  }

  /// Starts the program, and relays to it from these addresses until `isOver` says so or the program ends.
  ///
  /// - Parameters:
  ///   - listen: what to listen on; where to pass on to is the program's own address.
  ///   - desk: from where the relay is looked at and changed.
  ///   - glance: who looks at the log meanwhile.
  ///   - tell: is told where it listens once the program is ready.
  /// - Throws: `SystemError` when the program cannot be started or speaks over none of these carriers; `RelayError`.
  public func run(
    _ listen: [RelaySpec], _ network: RelayNetwork?, ports: Ports, desk: RelayDesk? = nil, glance: RelayGlance? = nil,
    isOver: () -> Bool, tell: (Relay.Route) -> Void
  ) async throws -> Run {
    let script = Script(
      actions: [], meant: [Action(time: .zero, peer: "probe", work: .open)], plan: [], responder: .silent, setup: setup,
      end: .zero)
    let stage = try await system.start(script)
    let log = LivingLog(shows: system.file.aspects, owner: setup.part.role?.owner)
    do {
      var ports = ports
      let specs = try listen.map { spec throws(SystemError) in
        guard let address = spec.carrier == .udp ? stage.place.udp : stage.place.tcp else {
          throw SystemError("\(system.name) speaks no \(spec.carrier.name): its file names no address for it")
        }
        var spec = spec
        spec.target = HostPort(host: address.address.description, port: address.port)
        // What it speaks is known by its file, at whatever port it is.
        for entry in ports.entries
        where entry.dialect.owner === setup.part.role?.owner && entry.row.carrier == spec.carrier
          && entry.row.end != .listener
        {
          ports[entry.row.id] = address.port
        }
        return spec
      }
      let probe = LatenessProbe()
      log.begin()
      let relay = try await Relay.start(specs, observer: log, ports: ports, network: network, desk: desk)
      log.know(relay.routes.map(\.recorded))
      for route in relay.routes { tell(route) }
      var (glances, sofar) = (RelayGlances(glance, setup), RunLog(shows: system.file.aspects, settle: 0))
      while !isOver(), stage.program.ending == nil, !stage.output.isFlood, !log.isFull {
        try await Task.sleep(for: .milliseconds(20))
        try stage.readFeeds()
        glances.offer {
          log.add(to: &sofar, lateness: probe.worst)
          return RunLogBuilder.add(stage.output.lines, since: log.beginning, to: sofar, of: system.file)
        }
      }
      await glances.end()
      let counts = try await relay.counts()
      await relay.stop()
      try stage.readFeeds()
      var finished = log.finish(lateness: probe.end())
      if let ending = stage.program.ending {
        finished.note(.broke(ending), at: finished.end)
      } else if stage.output.isFlood {
        finished.note(.broke("it flooded its output"), at: finished.end)
      }
      await stage.program.end(by: system.file.ending.signal, withinNanoseconds: system.file.endsWithin)
      let all = RunLogBuilder.add(stage.output.take(), since: log.beginning, to: finished, of: system.file)
      return Run(log: all, routes: relay.routes, counts: counts, setup: setup, isFull: log.isFull)
    } catch {
      await stage.program.end(by: system.file.ending.signal, withinNanoseconds: system.file.endsWithin)
      throw error
    }
  }
}

/// What living peers and a program said to each other, as the log of a run. Called on the relay's one thread; asked by others
/// when it is over.
private final class LivingLog: RelayObserver {
  private struct State {
    var log: RunLog
    var names: [Endpoint: PeerName] = [:]
    /// The server's ends in flows.
    var servers: Set<Endpoint> = []
    var ups = 0
    var origin: (monotonic: Nanoseconds, wall: Timestamp) = (0, .zero)
  }

  private let state: Locked<State>
  /// Peers that speak over several carriers are known by their address alone.
  private let mixesCarriers: Bool

  init(shows: Set<Aspect>, owner: WireProtocol?) {
    mixesCarriers = owner?.mixesCarriers ?? false
    state = Locked(State(log: RunLog(shows: shows, settle: WallClockRun.settle)))
  }

  /// The run begins now.
  func begin() {
    let moment = WallClock.moment()
    state.with { $0.origin = (moment.steady, moment.wall) }
  }

  /// Where the server is in flows: known before anybody is told where to send to.
  func know(_ servers: [Endpoint]) { state.with { $0.servers = Set(servers) } }

  /// When the run began, on the monotonic clock in ns.
  var beginning: Nanoseconds { state.with { $0.origin.monotonic } }

  /// Whether no more is kept.
  var isFull: Bool { state.with { $0.log.entries.count >= RelayedProgram.mostEvents } }

  /// Adds what happened since the log was added to last: no more of it is copied while the relay works.
  func add(to log: inout RunLog, lateness: Nanoseconds) {
    let now = WallClock.moment().steady
    state.with { state in
      log.entries += state.log.entries[log.entries.count...]
      log.peers = state.log.peers
      log.end = Timestamp(nanoseconds: now &- state.origin.monotonic)
    }
    log.note(lateness: lateness)
  }

  /// The run is over.
  func finish(lateness: Nanoseconds) -> RunLog {
    let moment = WallClock.moment()
    return state.with { state in
      state.log.end = Timestamp(nanoseconds: moment.steady &- state.origin.monotonic)
      state.log.note(lateness: lateness)
      state.log.clockJump = WallClockRun.jump(
        wall: moment.wall.nanoseconds(since: state.origin.wall), steady: moment.steady &- state.origin.monotonic)
      if let jump = state.log.clockJump { state.log.tooLate = jump }
      return state.log
    }
  }

  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
    let copy = bytes.array
    state.with { state in
      let at = LivingLog.time(time, state)
      if state.servers.contains(flow.source) {
        return state.log.note(.replied(copy, to: name(of: flow.destination, &state), over: flow.carrier), at: at)
      }
      let peer = name(of: flow.source, &state)
      if flow.carrier == .udp { state.ups += 1 }
      let number = flow.carrier == .udp ? state.ups : 0
      state.log.note(.sent(copy, packet: number, by: peer, over: flow.carrier), at: at)
    }
  }

  func passedOn(_ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp) {
    guard let local else { return }
    let copy = bytes.array
    state.with { state in
      let peer = name(of: flow.source, &state)
      let at = LivingLog.time(time, state)
      if flow.carrier == .udp, state.log.peers.endpoint(of: peer, at: at) != local {
        state.log.peers.put(peer, at: local, since: at)
      }
      state.log.note(
        .delivered(copy, packet: number, from: peer, over: flow.carrier, sentAt: LivingLog.time(cameAt, state)), at: at)
    }
  }

  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {
    state.with { state in
      let at = LivingLog.time(time, state)
      switch event {
      case .opened: state.log.note(.opened(name(of: flow.source, &state)), at: at)
      case .closed: state.log.note(.closed(name(of: flow.source, &state)), at: at)
      case .finished:
        guard state.servers.contains(flow.source) else { return }
        state.log.note(.disconnected(name(of: flow.destination, &state)), at: at)
      case .failed: return
      }
    }
  }

  private func key(_ end: Endpoint) -> Endpoint { mixesCarriers ? Endpoint(end.address, port: 0) : end }

  /// `a`, `b`, `c` … in the order in which they are met.
  private func name(of end: Endpoint, _ state: inout State) -> PeerName {
    if let name = state.names[key(end)] { return name }
    let name = PeerName.ofClient(state.names.count)
    state.names[key(end)] = name
    return name
  }

  private static func time(_ wall: Timestamp, _ state: State) -> Timestamp {
    Timestamp(nanoseconds: max(0, wall.nanoseconds(since: state.origin.wall)))
  }
}

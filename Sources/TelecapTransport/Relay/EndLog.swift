import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// What was said with one end of a relay, as the log of a run in which that end is the system under test.
public struct EndLog: Sendable {
  /// All that happened.
  public internal(set) var log: RunLog
  /// What the end is; nil where its protocol is not known.
  public let role: Role?
  /// Where it is: the server's recorded address, or the client's own.
  public let end: Endpoint
  private var names: [PeerPlace: PeerName] = [:]
  /// How many peers were met.
  private var met = 0
  /// Those of whom a connection was up.
  private var connected: Set<PeerPlace> = []

  init(_ role: Role?, at end: Endpoint, shows: Set<Observable>) {
    (self.role, self.end) = (role, end)
    log = RunLog(shows: shows, settle: WallClockRun.settle)
  }

  private var isServer: Bool { role?.side != .client }

  /// A payload came to the relay from a client, or from the server. `number` is its own among the datagrams of its way.
  mutating func came(
    _ bytes: [UInt8], _ number: Int, of client: Endpoint, isUp: Bool, _ carrier: Carrier, at: Timestamp
  ) {
    let peer = name(of: client, over: carrier)
    note(
      isUp == isServer
        ? .sent(bytes, packet: number, by: peer, over: carrier) : .replied(bytes, to: peer, over: carrier), at: at)
  }

  /// A payload left the relay; to the server from `local`.
  mutating func left(
    _ bytes: [UInt8], _ number: Int, of client: Endpoint, isUp: Bool, _ carrier: Carrier, by local: Endpoint?,
    cameAt: Timestamp, at: Timestamp
  ) {
    guard isUp == isServer else { return }
    let peer = name(of: client, over: carrier)
    if let local, carrier == .udp, log.peers.endpoint(of: peer, at: at) != local {
      log.peers.put(peer, at: local, since: at)
    }
    note(.delivered(bytes, packet: number, from: peer, over: carrier, sentAt: cameAt), at: at)
  }

  /// Something happened to a client's connection; `isUp` where the client did it.
  mutating func connection(_ event: RelayConnectionEvent, of client: Endpoint, isUp: Bool, at: Timestamp) {
    if event == .failed { return }
    if event == .opened { meetAnew(client) }
    let peer = name(of: client, over: .tcp)
    switch event {
    case .opened: note(.opened(peer), at: at)
    case .closed: note(.closed(peer), at: at)
    case .finished: if isUp != isServer { note(.disconnected(peer), at: at) }
    case .failed: break
    }
  }

  /// Appends an entry, also one that a relay reports a little later than what follows it: `EndLogs.add` copies the new entries into the
  /// program's log, in order of time.
  private mutating func note(_ what: RunLog.What, at time: Timestamp) { log.entries.append(RunLog.Entry(time, what)) }

  /// Who connects from a port that another connection came from before is somebody else: ports are used again. A peer that speaks over
  /// several carriers connects anew.
  private mutating func meetAnew(_ client: Endpoint) {
    let place = place(of: client, over: .tcp)
    if place.carrier != nil, !connected.insert(place).inserted { names[place] = nil }
  }

  private func place(of client: Endpoint, over carrier: Carrier) -> PeerPlace {
    PeerPlace(client, over: carrier, of: role?.owner)
  }

  /// Of a server's peers `a`, `b`, `c` … in the order in which they are met. Peers that speak over several carriers are known by
  /// their address alone.
  private mutating func name(of client: Endpoint, over carrier: Carrier) -> PeerName {
    guard isServer else { return "host" }
    let place = place(of: client, over: carrier)
    if let name = names[place] { return name }
    let name = PeerName.ofClient(met)
    met += 1
    names[place] = name
    return name
  }
}

/// The logs of the ends of relays: of one program that all of them pass on to, or of every end that there is. Called on the relay's
/// one thread; asked by others.
public final class EndLogs: RelayObserver {
  private struct Server {
    /// What it speaks; nil for the program.
    var owner: WireProtocol?
    /// Nil where nothing that it says is judged.
    var log: Int?
  }

  private struct Client: Hashable {
    var server: Endpoint
    var place: PeerPlace
  }

  private struct State {
    var logs: [EndLog] = []
    /// Those of whom, or of whose clients, there are logs: by their ends in flows.
    var servers: [Endpoint: Server] = [:]
    var clients: [Client: Int] = [:]
    /// How many datagrams came from clients and from servers, by the servers' ends.
    var numbers: [Endpoint: (up: Int, down: Int)] = [:]
    var origin: (monotonic: Nanoseconds, wall: Timestamp) = (0, .zero)
    /// How far the system clock was set from that of timestamps when the run began, in ns.
    var shift: Nanoseconds = 0
    var events = 0
    var unheard: Set<Endpoint> = []
    /// What came last.
    var last: [UInt8] = []
    /// Whether it is known what any server speaks.
    var knowsProtocol = false
  }

  /// How many datagrams, in and out, and events of connections are kept, to be judged by at the end; some two hours of a phone.
  public static let mostEvents = 1_000_000
  /// The logs of so many clients are kept, where there is one of each.
  public static let mostClients = 16

  private let state = Locked(State())
  /// What tells the protocols of servers apart; nil where all relays pass on to one program.
  private let ports: Ports?
  private let judges: @Sendable (Role) -> Bool

  /// Every end has a log of which `judges` says that it is judged by what it says, from now on; what each server speaks, `ports` say.
  init(_ ports: Ports, judges: @escaping @Sendable (Role) -> Bool) {
    (self.ports, self.judges) = (ports, judges)
    begin()
  }

  /// The program of this role is what all relays pass on to, and nothing else has a log. The run begins now.
  init(program role: Role?, shows: Set<Observable>) {
    (ports, judges) = (nil, { _ in true })
    state.with { $0.logs = [EndLog(role, at: Endpoint(.loopback, port: 0), shows: shows)] }
    begin()
  }

  private func begin() {
    let moment = WallClock.moment()
    let shift = WallClock.shift()
    state.with { ($0.origin, $0.shift) = ((moment.steady, moment.wall), shift) }
  }

  public func begins(_ spec: RelaySpec, to server: Endpoint) {
    state.with { state in
      guard let ports else {
        state.servers[server] = Server(owner: nil, log: 0)
        return
      }
      guard let owner = ports.dialect(of: server, over: spec.carrier)?.owner else { return }
      state.knowsProtocol = true
      let role = Role(owner, .host)
      // What a protocol mixes comes to one server over several carriers.
      let peer = PeerPlace(server, over: spec.carrier, of: owner).end
      guard judges(role) || judges(Role(owner, .client)) else { return }
      var place = state.logs.firstIndex { log in
        log.role == role && PeerPlace(log.end, over: spec.carrier, of: owner).end == peer
      }
      if place == nil, judges(role) {
        place = state.logs.count
        state.logs.append(EndLog(role, at: server, shows: []))
      }
      state.servers[server] = Server(owner: owner, log: place)
    }
  }

  /// When the run began, on the monotonic clock in ns.
  var beginning: Nanoseconds { state.with { $0.origin.monotonic } }

  /// Whether it is known what any server speaks.
  var knowsProtocol: Bool { state.with { $0.knowsProtocol } }

  /// Whether any of the ends is judged by what it says.
  var isJudged: Bool { state.with { !$0.servers.isEmpty } }

  /// Whether no more is kept.
  var isFull: Bool { state.with { $0.events >= EndLogs.mostEvents } }

  /// Adds what happened to the program since the log was added to last: no more of it is copied while the relay works.
  func add(to log: inout RunLog, lateness: RunLateness) {
    let now = WallClock.moment().steady
    state.with { state in
      log.entries += state.logs[0].log.entries[log.entries.count...]
      log.peers = state.logs[0].log.peers
      log.end = Timestamp(nanoseconds: now &- state.origin.monotonic)
    }
    log.note(lateness: lateness)
  }

  /// The run is over: the logs, and how many clients more there were.
  func finish(lateness: RunLateness) -> (logs: [EndLog], unheard: Int) {
    let moment = WallClock.moment()
    return state.with { state in
      let steady = moment.steady &- state.origin.monotonic
      let jump = WallClockRun.jump(since: state.shift, lasting: steady)
      // Behind the last that was kept nothing is known.
      let last = state.logs.compactMap { $0.log.entries.last?.time }.max() ?? .zero
      let end = state.events >= EndLogs.mostEvents ? last : Timestamp(nanoseconds: steady)
      for place in state.logs.indices {
        state.logs[place].log.end = end
        state.logs[place].log.note(lateness: lateness)
        state.logs[place].log.clockJump = jump
        if let jump { state.logs[place].log.tooLate = jump }
      }
      return (state.logs, state.unheard.count)
    }
  }

  // MARK: - What happens

  public func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
    guard keeps(flow) else { return }
    let copy = bytes.array
    note(flow) { state, way in
      state.last = copy
      var number = 0
      if flow.carrier == .udp {
        var numbers = state.numbers[way.server, default: (0, 0)]
        if way.isUp { numbers.up += 1 } else { numbers.down += 1 }
        state.numbers[way.server] = numbers
        number = way.isUp ? numbers.up : numbers.down
      }
      let at = EndLogs.time(time, state)
      for place in way.logs {
        state.logs[place].came(copy, number, of: way.client, isUp: way.isUp, flow.carrier, at: at)
      }
    }
  }

  public func passedOn(
    _ bytes: RawSpan, _ number: Int, flow: Flow, by local: Endpoint?, cameAt: Timestamp, time: Timestamp
  ) {
    guard keeps(flow) else { return }
    note(flow) { state, way in
      // What leaves at once as it came is kept once.
      let copy = bytes.isSame(as: state.last) ? state.last : bytes.array
      let (came, at) = (EndLogs.time(cameAt, state), EndLogs.time(time, state))
      for place in way.logs {
        state.logs[place].left(
          copy, number, of: way.client, isUp: way.isUp, flow.carrier, by: local, cameAt: came, at: at)
      }
    }
  }

  public func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {
    note(flow) { state, way in
      let at = EndLogs.time(time, state)
      for place in way.logs { state.logs[place].connection(event, of: way.client, isUp: way.isUp, at: at) }
    }
  }

  /// A flow between a client and a server, and the logs of both.
  private struct Way {
    let client: Endpoint
    let server: Endpoint
    let isUp: Bool
    var logs: [Int]
  }

  /// Whether there is a log of this flow that has room: of no other anything is copied.
  private func keeps(_ flow: Flow) -> Bool {
    state.with { state in
      state.events < EndLogs.mostEvents && (state.servers[flow.source] ?? state.servers[flow.destination]) != nil
    }
  }

  private func note(_ flow: Flow, _ body: (inout State, Way) -> Void) {
    state.with { state in
      let isUp = state.servers[flow.source] == nil
      let (client, server) = isUp ? (flow.source, flow.destination) : (flow.destination, flow.source)
      guard state.events < EndLogs.mostEvents, let known = state.servers[server] else { return }
      let own = log(of: client, over: flow.carrier, server, known.owner, &state)
      let logs = [known.log, own].compactMap(\.self)
      if logs.isEmpty { return }
      state.events += 1
      body(&state, Way(client: client, server: server, isUp: isUp, logs: logs))
    }
  }

  /// The place of a client's log, which is made where there is none; nil for those that are too many, and where it is not judged.
  private func log(
    of client: Endpoint, over carrier: Carrier, _ server: Endpoint, _ owner: WireProtocol?, _ state: inout State
  ) -> Int? {
    guard let owner, judges(Role(owner, .client)) else { return nil }
    let key = Client(
      server: PeerPlace(server, over: carrier, of: owner).end, place: PeerPlace(client, over: carrier, of: owner))
    if let place = state.clients[key] { return place }
    guard state.clients.count < EndLogs.mostClients else {
      if state.unheard.count < EndLogs.mostEvents { state.unheard.insert(key.place.end) }
      return nil
    }
    state.clients[key] = state.logs.count
    state.logs.append(EndLog(Role(owner, .client), at: client, shows: []))
    return state.logs.count - 1
  }

  private static func time(_ wall: Timestamp, _ state: State) -> Timestamp {
    Timestamp(nanoseconds: max(0, wall.nanoseconds(since: state.origin.wall)))
  }
}

extension RawSpan {
  /// Whether these are the same bytes.
  fileprivate func isSame(as bytes: [UInt8]) -> Bool {
    byteCount == bytes.count && withUnsafeBytes { $0.elementsEqual(bytes) }
  }
}

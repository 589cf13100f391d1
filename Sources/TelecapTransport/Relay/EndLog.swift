import TelecapConformance
import TelecapModels
import TelecapPlatform
import TelecapRecording
import TelecapWire

/// The traffic with one peer of a relay, as the log of a run with that peer as the system under test.
public struct EndLog: Sendable {
  /// The log.
  public internal(set) var log: RunLog
  /// The role of the peer; nil where its protocol is unknown.
  public let role: Role?
  /// Its address: the server's recorded one, or the client's own.
  public let end: Endpoint
  private var names: [PeerPlace: PeerName] = [:]
  /// The number of peers seen.
  private var met = 0
  /// The peers whose connection was opened.
  private var connected: Set<PeerPlace> = []

  init(_ role: Role?, at end: Endpoint, shows: Set<Observable>) {
    (self.role, self.end) = (role, end)
    log = RunLog(shows: shows, settle: WallClockRun.settle)
  }

  private var isServer: Bool { role?.side != .client }

  /// Adds a payload that reached the relay from a client or from the server. `number` is its index among the datagrams
  /// of its direction.
  mutating func came(
    _ bytes: [UInt8], _ number: Int, of client: Endpoint, isUp: Bool, _ carrier: Carrier, at: Timestamp
  ) {
    let peer = name(of: client, over: carrier)
    note(
      isUp == isServer
        ? .sent(bytes, packet: number, by: peer, over: carrier) : .replied(bytes, to: peer, over: carrier), at: at)
  }

  /// Adds a payload that left the relay; to the server from `local`.
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

  /// Adds an event of a client's connection; `isUp` where the client caused it.
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

  /// Appends an entry, even one that a relay reports a little late: `EndLogs.add` inserts new entries into the
  /// program's log in order of time.
  private mutating func note(_ what: RunLog.What, at time: Timestamp) { log.entries.append(RunLog.Entry(time, what)) }

  /// Gives a new name to a client whose port an earlier connection used, since ports are reused. A peer with several
  /// transports only reconnects.
  private mutating func meetAnew(_ client: Endpoint) {
    let place = place(of: client, over: .tcp)
    if place.carrier != nil, !connected.insert(place).inserted { names[place] = nil }
  }

  private func place(of client: Endpoint, over carrier: Carrier) -> PeerPlace {
    PeerPlace(client, over: carrier, of: role?.owner)
  }

  /// The names of a server's peers are `a`, `b`, `c` … in order of appearance. Peers with several transports are
  /// identified by their address only.
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

/// The logs of relay peers: of one program to which all of them forward, or of every peer. The relay's thread calls it;
/// others read it.
public final class EndLogs: RelayObserver {
  private struct Server {
    /// Its protocol; nil for the program.
    var owner: WireProtocol?
    /// Nil where its traffic is not tested.
    var log: Int?
  }

  private struct Client: Hashable {
    var server: Endpoint
    var place: PeerPlace
  }

  private struct State {
    var logs: [EndLog] = []
    /// The peers with a log, and servers whose clients have one, by their addresses in flows.
    var servers: [Endpoint: Server] = [:]
    var clients: [Client: Int] = [:]
    /// The number of datagrams from clients and from servers, by the servers' addresses.
    var numbers: [Endpoint: (up: Int, down: Int)] = [:]
    var origin: (monotonic: Nanoseconds, wall: Timestamp) = (0, .zero)
    /// The difference between the system clock and that of timestamps when the run began, in ns.
    var shift: Nanoseconds = 0
    var events = 0
    var unheard: Set<Endpoint> = []
    /// The last received bytes.
    var last: [UInt8] = []
    /// Whether the protocol of any server is known.
    var knowsProtocol = false
  }

  /// The maximum number of datagrams, in and out, and of connection events that are kept for the verdicts; some two
  /// hours of a phone.
  public static let mostEvents = 1_000_000
  /// The maximum number of clients with a log, where each has its own.
  public static let mostClients = 16

  private let state = Locked(State())
  /// The ports that identify the protocols of servers; nil where all relays forward to one program.
  private let ports: Ports?
  private let judges: @Sendable (Role) -> Bool

  /// Starts a log for every peer whose role `judges` selects, from now on. `ports` identify the protocol of each
  /// server.
  init(_ ports: Ports, judges: @escaping @Sendable (Role) -> Bool) {
    (self.ports, self.judges) = (ports, judges)
    begin()
  }

  /// Starts the only log for the program of this role, to which all relays forward. The run begins now.
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
      // A protocol that mixes transports has one server over several of them.
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

  /// The start of the run, on the monotonic clock in ns.
  var beginning: Nanoseconds { state.with { $0.origin.monotonic } }

  /// Whether the protocol of any server is known.
  var knowsProtocol: Bool { state.with { $0.knowsProtocol } }

  /// Whether the traffic of any peer is tested.
  var isJudged: Bool { state.with { !$0.servers.isEmpty } }

  /// Whether the maximum number of events is reached.
  var isFull: Bool { state.with { $0.events >= EndLogs.mostEvents } }

  /// Adds the events since the last call to the program's log. Copies no others while the relay works.
  func add(to log: inout RunLog, lateness: RunLateness) {
    let now = WallClock.moment().steady
    state.with { state in
      log.entries += state.logs[0].log.entries[log.entries.count...]
      log.peers = state.logs[0].log.peers
      log.end = Timestamp(nanoseconds: now &- state.origin.monotonic)
    }
    log.note(lateness: lateness)
  }

  /// Ends the run; returns the logs and the number of further clients.
  func finish(lateness: RunLateness) -> (logs: [EndLog], unheard: Int) {
    let moment = WallClock.moment()
    return state.with { state in
      let steady = moment.steady &- state.origin.monotonic
      let jump = WallClockRun.jump(since: state.shift, lasting: steady)
      // The log ends with the last event that was kept.
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

  // MARK: - Events

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
      // Store bytes once if they leave unchanged right after they came.
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

  /// Whether this flow has a log with room. Other flows are not copied.
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

  /// The index of a client's log, which is created if it is missing; nil for too many clients and for untested ones.
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
  /// Whether the bytes are equal.
  fileprivate func isSame(as bytes: [UInt8]) -> Bool {
    byteCount == bytes.count && withUnsafeBytes { $0.elementsEqual(bytes) }
  }
}

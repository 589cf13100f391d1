import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapWire

/// A recording as a stimulus for any system: the packets that one side sent, with their own numbers, and the
/// impairments of the network. Kept in memory like the log of a run.
public struct RecordedStimulus: Sendable {
  /// The sent packets in order of time.
  public private(set) var meant: [Action] = []
  /// The network's plan: one line for each packet.
  public private(set) var plan: [PlanLine] = []
  /// The origin of the plan, with the recording's fingerprint.
  public let header: PlanHeader
  /// The code of the first session request with one; nil without one.
  public private(set) var code: String?
  /// Applies the field changes of the plan.
  let changer: MessageChanger?
  /// The number of skipped packets: beacons, which are broadcast.
  public private(set) var leftOut = 0

  /// By the numbers of flows; nil for skipped ones.
  private let peers: [PeerName?]
  private let receiver: Role
  private var framers: [Int: MessageFramer] = [:]
  /// The flow of each peer's open link: a later flow is a new link.
  private var links: [PeerName: Int] = [:]

  /// An empty stimulus for `receiver`; `flows` are those of the recording, by number.
  public init(
    _ header: PlanHeader, to receiver: Role, flows: [Flow], ports: Ports, changer: MessageChanger? = nil
  ) {
    self.changer = changer
    self.header = header
    self.receiver = receiver
    peers = RecordedStimulus.names(flows, receiver, ports)
  }

  /// Adds the next packet, which would be sent at `time` over a perfect network.
  public mutating func add(_ unit: ReplayUnit, _ pieces: [StreamPiece], _ bytes: RawSpan, at time: Timestamp) {
    guard unit.carrier == .tcp else {
      guard let peer = peer(of: unit.flow) else {
        leftOut += 1
        return
      }
      note(bytes, over: unit.carrier)
      if unit.carrier == .ble { link(peer, unit.flow, time) }
      return add(.send(bytes.withUnsafeBytes { Array($0) }, over: unit.carrier), unit.packet, peer, time)
    }
    var start = 0
    for piece in pieces {
      guard let peer = peer(of: piece.flow) else { continue }
      switch piece.kind {
      case .open: add(.open, 0, peer, time)
      case .close: add(.close, 0, peer, time)
      case .send(let count):
        let part = bytes.extracting(start..<start + count)
        start += count
        noteStream(part, piece.stream)
        add(.send(part.withUnsafeBytes { Array($0) }, over: .tcp), unit.packet, peer, time)
      }
    }
  }

  /// Adds the plan line of an added packet.
  public mutating func add(_ line: PlanLine) { plan.append(line) }

  /// Delays the packets with the chosen numbers by this time, in ns.
  public mutating func delay(by delay: Nanoseconds, where chooses: (Int) -> Bool) {
    for index in plan.indices where plan[index].due.count == 1 && chooses(plan[index].packet) {
      plan[index].due = [plan[index].due[0] + delay]
    }
  }

  /// The setup that a system under test needs to receive this.
  public func setup(code: String?) -> Setup {
    let isStream = !receiver.owner.mixesCarriers && !meant.contains(where: \.isDatagram)
    let carrier: Carrier = !links.isEmpty ? .ble : isStream ? .tcp : .udp
    return Setup(part: Part(receiver), code: code ?? self.code ?? "ABC123", carrier: carrier)
  }

  /// A scenario for each requirement on a receiver's streams and on its messages. All have the same steps, so one run
  /// serves all.
  public func scenarios(
    of name: String, _ setup: Setup, wait: Interval, in suites: Suites
  ) -> [Scenario] {
    let impairments = header.impairments
    let last = meant.last?.time ?? .zero
    return Scenario.ofTraffic(
      name, setup, impairments, seed: header.seed, end: last.advanced(byNanoseconds: wait.nanoseconds), in: suites
    ).map { scenario in
      var scenario = scenario
      scenario.recorded = self
      if let changer { scenario.changers = [impairments: changer] }
      return scenario
    }
  }

  // MARK: - Peers

  private func peer(of flow: Int) -> PeerName? { peers.indices.contains(flow) ? peers[flow] : nil }

  private mutating func link(_ peer: PeerName, _ flow: Int, _ time: Timestamp) {
    let current = links[peer]
    guard flow > current ?? -1 else { return }
    links[peer] = flow
    if current != nil { add(.close, 0, peer, time) }
    add(.open, 0, peer, time)
  }

  private mutating func add(_ work: Action.Work, _ packet: Int, _ peer: PeerName, _ time: Timestamp) {
    meant.append(Action(time: time, peer: peer, work: work, packet: packet))
  }

  /// The names: `host` for a host; `a`, `b`, `c` … for others in order of appearance.
  private static func names(_ flows: [Flow], _ receiver: Role, _ ports: Ports) -> [PeerName?] {
    var names: [PeerPlace: PeerName] = [:]
    return flows.map { flow in
      if ports.isBroadcast(flow) { return nil }
      if receiver.side == .client { return "host" }
      let key = PeerPlace(flow.source, over: flow.carrier, of: receiver.owner)
      let name = names[key] ?? PeerName.ofClient(names.count)
      names[key] = name
      return name
    }
  }

  // MARK: - The code

  private mutating func noteStream(_ bytes: RawSpan, _ stream: Int) {
    guard wantsCode, let dialect = receiver.owner.dialect(over: .tcp) else { return }
    var found: String?
    var framer = framers.removeValue(forKey: stream) ?? MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message, found == nil { found = RecordedStimulus.code(in: frame, dialect) }
    }
    framers[stream] = framer
    code = found
  }

  private mutating func note(_ bytes: RawSpan, over carrier: Carrier) {
    guard wantsCode, let dialect = receiver.owner.dialect(over: carrier) else { return }
    var found: String?
    dialect.eachMessage(of: bytes) { found = found ?? RecordedStimulus.code(in: $0, dialect) }
    code = found
  }

  /// Whether the receiver needs a code and none is known yet.
  private var wantsCode: Bool { code == nil && receiver.side == .host && receiver.owner.asking?.code != nil }

  fileprivate static func code(in bytes: RawSpan, _ dialect: Dialect) -> String? {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    guard error == nil, kind.asks, let row = dialect.owner.asking?.code.flatMap({ kind.layout[$0] }),
      case .text(let code)? = row.value(in: bytes)
    else { return nil }
    return code
  }
}

extension RunLog {
  /// The code of the first session request with one, of any peer, in datagrams or byte streams; nil without one.
  public func code(of owner: WireProtocol) -> String? {
    guard owner.asking?.code != nil else { return nil }
    let decoded = DecodedLog(self, owner)
    return (decoded.delivered + decoded.replies).filter(\.kind.asks).min { $0.entry < $1.entry }.flatMap { message in
      owner.dialect(over: message.carrier).flatMap { RecordedStimulus.code(in: message.bytes.span.bytes, $0) }
    }
  }
}

extension PeerName {
  /// The name of a host's client, by its index from 0: `a`, `b`, `c` …
  public static func ofClient(_ number: Int) -> PeerName {
    number < 26 ? String(UnicodeScalar(UInt8(97 + number))) : "p\(number)"
  }
}

extension Scenario {
  /// A scenario for each requirement on the streams that this part receives and on its messages, to test foreign
  /// traffic: a recording, or that of live peers.
  public static func ofTraffic(
    _ name: String, _ setup: Setup, _ impairments: Impairments, seed: UInt64, end: Timestamp, in suites: Suites
  ) -> [Scenario] {
    let judging = suites.model(of: setup.part)?.judging ?? StreamJudging()
    let timed = Set(judging.streams.flatMap(\.requirements).filter(\.aspect.restsOnTime).map(\.requirement.id))
      .union(judging.sending.filter(\.restsOnTime).map(\.requirement.id))
    let received = Oracle(judging.streams).results.map { ($0.requirement, WireExpectation.stream($0.requirement.id)) }
    let sent = judging.sending.map { ($0.requirement, WireExpectation.sends($0.requirement.id)) }
    let apply = (received + sent).filter { requirement, _ in
      setup.carrier == .ble ? requirement.carriers.contains(.ble) : requirement.carriers != [.ble]
    }
    return apply.map { requirement, expectation in
      var scenario = Scenario(
        id: requirement.id, path: name, sentence: requirement.sentence, requirement: requirement, setup: setup,
        steps: [], acknowledges: [], impairments: impairments, suffering: [], combinations: [impairments], pieces: [],
        seeds: 1, onlySeed: seed, expectations: [expectation], end: end, judging: judging)
      scenario.timeUse = timed.contains(requirement.id) ? .judges : .none
      return scenario
    }
  }
}

extension Judge {
  /// The results of one run for scenarios with the same steps. Requirements that were not exercised are left out,
  /// unless all are; those for which the machine was too busy are included.
  public static func judge(_ log: RunLog, _ script: Script, for scenarios: [Scenario]) -> [ScenarioResult] {
    guard let run = scenarios.first.map({ JudgedRun(log, script, $0) }) else { return [] }
    let results = scenarios.flatMap { scenario in
      scenario.cases().prefix(1).map { one in ScenarioResult(scenario, judge(run, of: one, in: scenario)) }
    }
    let decided = results.filter { $0.verdict != .inconclusive || $0.shown.isTooLate }
    return decided.isEmpty ? results : decided
  }

  /// The results for the traffic of live peers, which has no script.
  public static func judge(traffic log: RunLog, _ setup: Setup, seed: UInt64, in suites: Suites) -> [ScenarioResult] {
    let script = Script(actions: [], meant: [], plan: [], responder: .silent, setup: setup, end: log.end)
    return judge(log, script, for: Scenario.ofTraffic("", setup, .none, seed: seed, end: log.end, in: suites))
  }
}

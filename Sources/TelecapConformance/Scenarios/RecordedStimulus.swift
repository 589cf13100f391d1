import TelecapImpairment
import TelecapLoop
import TelecapRecording
import TelecapWire

/// A recording as a stimulus for any system: what one side of it sent, under the packets' own numbers, and what the
/// network makes of it. All of it is kept, as the log of a run is.
public struct RecordedStimulus: Sendable {
  /// What was sent, in order of time.
  public private(set) var meant: [Action] = []
  /// The network's plan: one line for each packet.
  public private(set) var plan: [PlanLine] = []
  /// What the plan was made from: the recording's fingerprint is in it.
  public let header: PlanHeader
  /// The code of the first message that asks for a session with one; nil where there is none.
  public private(set) var code: String?
  /// Does what the plan says of fields.
  let changer: MessageChanger?
  /// Packets that are left out: beacons, which are for nobody in particular.
  public private(set) var leftOut = 0

  /// By the flows' numbers; nil for those that are left out.
  private let peers: [PeerName?]
  private let receiver: Role
  private var framers: [Int: MessageFramer] = [:]
  /// The flow by which each peer's link is up: a later one is a link that began anew.
  private var links: [PeerName: Int] = [:]

  /// Nothing yet of what is for `receiver`; `flows` are those of the recording, by their numbers.
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

  /// Adds the line of a packet that was added before.
  public mutating func add(_ line: PlanLine) { plan.append(line) }

  /// Packets that this chooses by their numbers are due so many ns later.
  public mutating func delay(by delay: Nanoseconds, where chooses: (Int) -> Bool) {
    for index in plan.indices where plan[index].due.count == 1 && chooses(plan[index].packet) {
      plan[index].due = [plan[index].due[0] + delay]
    }
  }

  /// What a system under test needs to be set up with to receive this.
  public func setup(code: String?) -> Setup {
    let isStream = !receiver.owner.mixesCarriers && !meant.contains(where: \.isDatagram)
    let carrier: Carrier = !links.isEmpty ? .ble : isStream ? .tcp : .udp
    return Setup(part: Part(receiver), code: code ?? self.code ?? "ABC123", carrier: carrier)
  }

  /// A scenario for each requirement on the streams that a receiver is held to, and on what it sends. All of them do the same, so one run
  /// answers them all.
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

  /// A host is `host`; others are `a`, `b`, `c` … in the order in which they are met.
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
    code = RecordedStimulus.code(in: bytes, dialect)
  }

  /// Its receiver lets in who knows its code, which is not known yet.
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
  /// The code of the first message that asks for a session with one, whoever sent it over a carrier of datagrams or of streams; nil
  /// where there is none.
  public func code(of owner: WireProtocol) -> String? {
    guard owner.asking?.code != nil else { return nil }
    let decoded = DecodedLog(self, owner)
    return (decoded.delivered + decoded.replies).filter(\.kind.asks).min { $0.entry < $1.entry }.flatMap { message in
      owner.dialect(over: message.carrier).flatMap { RecordedStimulus.code(in: message.bytes.span.bytes, $0) }
    }
  }
}

extension PeerName {
  /// Of the clients of a host, by their numbers from 0: `a`, `b`, `c` …
  public static func ofClient(_ number: Int) -> PeerName {
    number < 26 ? String(UnicodeScalar(UInt8(97 + number))) : "p\(number)"
  }
}

extension Scenario {
  /// For each requirement on the streams that this part receives, and on what it sends, a scenario that is judged by traffic which it does
  /// not make: a recording's, or that of living peers.
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
  /// How one run came out for scenarios that all do the same: its log is judged for each. What the run did not try is left
  /// out, unless it tried nothing at all; what the machine was too busy for is told.
  public static func judge(_ log: RunLog, _ script: Script, for scenarios: [Scenario]) -> [ScenarioResult] {
    guard let run = scenarios.first.map({ JudgedRun(log, script, $0) }) else { return [] }
    let results = scenarios.flatMap { scenario in
      scenario.cases().prefix(1).map { one in ScenarioResult(scenario, judge(run, of: one, in: scenario)) }
    }
    let decided = results.filter { $0.verdict != .inconclusive || $0.shown.isTooLate }
    return decided.isEmpty ? results : decided
  }

  /// The same of traffic that living peers made: nobody had a script for it.
  public static func judge(traffic log: RunLog, _ setup: Setup, seed: UInt64, in suites: Suites) -> [ScenarioResult] {
    let script = Script(actions: [], meant: [], plan: [], responder: .silent, setup: setup, end: log.end)
    return judge(log, script, for: Scenario.ofTraffic("", setup, .none, seed: seed, end: log.end, in: suites))
  }
}

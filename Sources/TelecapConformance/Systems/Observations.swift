import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

/// Turns what a system under test printed into events, by the rules of its file and by what was delivered to it: a sent
/// pose is recognised by its values where the system shows no seq, and a value that was rounded for printing is taken
/// for the one that was sent. Feed it in order of time.
public struct Observations {
  private var finder: RuleFinder
  /// What became of the lines so far.
  public var mapping: Mapping { finder.mapping }
  private let peers: PeerAddresses
  private let fallback: Endpoint
  private let owner: WireProtocol?
  /// Poses that were delivered, the newest last.
  private var poses: [PoseSample] = []
  /// Strengths that were asked for, clamped, the newest last.
  private var strengths: [Float] = [0]
  private var framers: [PeerName: MessageFramer] = [:]
  /// Who asked for a session last, with what id.
  private var client: (endpoint: Endpoint, id: UInt32)?
  private var commands: [UInt8: UInt8] = [:]
  /// The last pose that was read is one that nobody had sent.
  private var isStranger = false

  /// How far back a pose is looked for: more than a stall holds back.
  private static let memory = 4_096

  /// Observations of a system that speaks this protocol with these peers; `file` is that of the rules.
  public init(rules: [EventRule], peers: PeerAddresses, _ owner: WireProtocol?, file: String = "") {
    finder = RuleFinder(rules, file: file)
    self.owner = owner
    self.peers = peers
    fallback = peers.anybody ?? Endpoint(.loopback, port: 0)
  }

  /// A datagram, or the next piece of a stream, reached the system.
  public mutating func delivered(
    _ bytes: [UInt8], from peer: PeerName, over carrier: Carrier, at time: Timestamp
  ) {
    let endpoint = peers.endpoint(of: peer, at: time) ?? fallback
    guard let dialect = owner?.dialect(over: carrier) else { return }
    guard carrier == .tcp else { return message(bytes.span.bytes, dialect, from: endpoint) }
    var framer = framers.removeValue(forKey: peer) ?? MessageFramer(dialect)
    framer.receive(bytes.span.bytes) { event, frame in
      if event == .message { message(frame, dialect, from: endpoint) }
    }
    framers[peer] = framer
  }

  /// A TCP connection of the system with this peer came up or ended: its stream begins afresh.
  public mutating func connected(_ peer: PeerName) { framers[peer] = nil }

  private mutating func message(_ bytes: RawSpan, _ dialect: Dialect, from endpoint: Endpoint) {
    let kind = MessageDecoder.check(bytes, as: dialect).kind
    if let asked = Observations.single(kind, bytes) {
      if strengths.count >= 2 * Observations.memory { strengths.removeFirst(Observations.memory) }
      strengths.append(Float(asked))
    } else if let pose = PoseSample(kind, bytes) {
      if poses.count >= 2 * Observations.memory { poses.removeFirst(Observations.memory) }
      poses.append(pose)
    } else if kind.asks, let id = dialect.owner.asking?.id.flatMap({ kind.layout[$0] })?.bits(in: bytes) {
      client = (endpoint, UInt32(truncatingIfNeeded: id))
    }
  }

  /// What a line that the system printed says; nothing where no rule knows it. What each rule made of it is kept.
  /// - Parameter isShown: it came from where the system shows what it does; otherwise it is no event.
  public mutating func events(printed line: some Collection<UInt8>, isShown: Bool = true) -> [PeerEvent] {
    finder.find(in: line, isShown: isShown).compactMap { event(of: $0) }
  }

  /// The event of a rule in an object that it matches; keeps what was found in it.
  private mutating func event(of found: RuleFinder.Found) -> PeerEvent? {
    let rule = finder.rules[found.rule]
    let problem = finder.noteFields(of: found)
    let event = event(found.object, rule)
    if let problem = problem ?? (event == nil ? rule.lack(in: found.object) : nil) {
      finder.note(found, .unread(problem))
    } else {
      finder.note(found, isStranger ? .stranger : .matched)
    }
    return event
  }

  private mutating func event(_ line: JSONNode, _ rule: EventRule) -> PeerEvent? {
    func number(_ field: String) -> Double? { rule.number(field, in: line) }
    func integer(_ field: String) -> Int? { number(field).flatMap { Int(exactly: $0.rounded()) } }
    isStranger = false
    switch rule.kind {
    case .pose: return pose(line, rule).map { .poseApplied($0) }
    case .command:
      guard let type = integer("cmd_type"), let value = integer("value") else { return nil }
      return command(UInt8(clamping: type), UInt8(clamping: value), changed: number("changed").map { $0 != 0 })
    case .strength:
      return number("intensity").map { .hapticApplied(strength($0, rule.source(of: "intensity").roundedBy(in: line))) }
    case .impact: return rule.text("style", in: line).flatMap(HapticImpact.init).map { .hapticImpact($0) }
    case .pointer:
      guard let x = integer("x"), let y = integer("y") else { return nil }
      return .pointer(PointerPosition(x: x, y: y))
    case .buttons: return buttons(number).map { .buttons($0) }
    case .scroll: return integer("scroll").map { .scroll($0) }
    case .refused: return rule.text("error", in: line).flatMap(MouseError.init).map { .refused($0) }
    case .clamped:
      let counts = rule.kind.fields.map(integer)
      guard !rule.conditions.isEmpty || counts.contains(where: { $0 != nil }) else { return nil }
      return .clamped(deltaX: counts[0] ?? 0, deltaY: counts[1] ?? 0, scroll: counts[2] ?? 0)
    case .sessionOpened:
      commands = [:]
      return .sessionOpened(peer(line, rule), sessionID: id(integer("session_id")))
    case .sessionClosed:
      let reason = rule.text("reason", in: line).flatMap(PeerEvent.CloseReason.init) ?? .timeout
      return .sessionClosed(peer(line, rule), sessionID: id(integer("session_id")), reason)
    case .applied: return rule.stream?.applied(number).map { .applied($0) }
    // A device is read by `DeviceReading`.
    case .told: return nil
    }
  }

  // MARK: - Kinds

  /// The value of a message that carries a stream of one value in a range, clamped to it; nil for every other message.
  private static func single(_ kind: MessageKind, _ bytes: RawSpan) -> Double? {
    let rules = kind.owner.streams.first { $0.message == kind.name && $0.values.count == 1 && $0.range != nil }
    guard let rules, let range = rules.range, let row = kind.layout[rules.values[0]] else { return nil }
    var values = StreamValues()
    NumberPlaces([row]).read(bytes, into: &values)
    return values.first.map { $0.isNaN ? range.lowerBound : min(max($0, range.lowerBound), range.upperBound) }
  }

  /// The strength that a program shows: the last one that was asked for which it may have rounded to what it prints; as it
  /// stands where it is none of them.
  private func strength(_ shown: Double, _ half: Double?) -> Float {
    let own = Float(shown)
    guard let half, !strengths.contains(own) else { return own }
    return strengths.last { (Double($0) - shown).magnitude <= half } ?? own
  }

  private mutating func command(_ type: UInt8, _ value: UInt8, changed: Bool?) -> PeerEvent {
    let before = commands.updateValue(value, forKey: type) ?? 0
    return .command(type: type, value: value, changed: changed ?? (before != value))
  }

  private func buttons(_ number: (String) -> Double?) -> UInt8? {
    if let bitmap = number("buttons") { return UInt8(exactly: bitmap.rounded()) }
    let bits: [UInt8] = ["left", "right", "middle"].enumerated().compactMap { bit, name in
      number(name).map { $0 != 0 ? 1 << UInt8(bit) : 0 }
    }
    return bits.isEmpty ? nil : bits.reduce(0, |)
  }

  private func id(_ shown: Int?) -> UInt32 { shown.map { UInt32(truncatingIfNeeded: $0) } ?? client?.id ?? 0 }

  /// The peer that an event names; who asked for a session last where it names none.
  private func peer(_ line: JSONNode, _ rule: EventRule) -> Endpoint {
    if let text = rule.text("peer", in: line) {
      if let known = peers.ends.first(where: { "\($0)" == text }) { return known }
      if let colon = text.lastIndex(of: ":"), let known = peer(port: text[text.index(after: colon)...]) { return known }
    }
    if let port = rule.text("port", in: line), let known = peer(port: port[...]) { return known }
    return client?.endpoint ?? fallback
  }

  /// Our ends differ by their ports.
  private func peer(port: Substring) -> Endpoint? {
    UInt16(port).flatMap { port in peers.ends.first { $0.port == port } }
  }

  /// The pose that an event shows: the delivered one whose seq, or whose values, it has; what it does not show is taken
  /// from there. A pose that nobody sent is told as it was shown; where it shows no seq, as if it were the newest.
  private mutating func pose(_ line: JSONNode, _ rule: EventRule) -> PoseSample? {
    let shown = ShownPose({ rule.number($0, in: line) }, { rule.source(of: $0).roundedBy(in: line) })
    guard !shown.isEmpty else { return nil }
    if let sent = poses.last(where: { shown.isSame(as: $0) }) { return shown.filled(from: sent) }
    // One that shows a seq that was sent has other values: that is for the judge.
    let same = shown.seq.flatMap { seq in poses.last { $0.seq == seq } }
    isStranger = same == nil
    return shown.filled(from: same ?? (shown.seq == nil ? poses.last : nil) ?? PoseSample(seq: 0))
  }
}

/// The fields of a pose as far as an event shows them.
private struct ShownPose {
  let seq: UInt16?
  private let timestamp: Double?
  private let start: Double?
  /// x, y, z, qx, qy, qz, qw.
  private let numbers: [Double?]
  /// By how much each may have been rounded.
  private let halves: [Double]

  init(_ number: (String) -> Double?, _ roundedBy: (String) -> Double?) {
    seq = number("seq").flatMap { UInt16(exactly: $0) }
    timestamp = number("timestamp_us")
    start = number("movement_start")
    let names = ["x", "y", "z", "qx", "qy", "qz", "qw"]
    numbers = names.map(number)
    halves = names.map { roundedBy($0) ?? 0 }
  }

  var isEmpty: Bool { seq == nil && timestamp == nil && numbers.allSatisfy { $0 == nil } }

  /// Everything that is shown is what `pose` says, but for rounding.
  func isSame(as pose: PoseSample) -> Bool {
    if let seq, seq != pose.seq { return false }
    if let timestamp, timestamp != Double(pose.timestampMicroseconds) { return false }
    let sent = ShownPose.numbers(of: pose)
    return numbers.indices.allSatisfy { index in
      numbers[index].map { isClose($0, Double(sent[index]), index) } ?? true
    }
  }

  /// `pose` with what is shown in its place; a number that is the same but for rounding stays.
  func filled(from pose: PoseSample) -> PoseSample {
    var values = ShownPose.numbers(of: pose)
    for (index, shown) in numbers.enumerated() {
      guard let shown, !isClose(shown, Double(values[index]), index) else { continue }
      values[index] = Float(shown)
    }
    return PoseSample(
      seq: seq ?? pose.seq,
      timestampMicroseconds: timestamp.flatMap { UInt64(exactly: $0) } ?? pose.timestampMicroseconds,
      movementStart: start.map { $0 != 0 } ?? pose.movementStart, position: [values[0], values[1], values[2]],
      orientation: [values[3], values[4], values[5], values[6]])
  }

  private static func numbers(of pose: PoseSample) -> [Float] {
    [
      pose.position.x, pose.position.y, pose.position.z, pose.orientation.x, pose.orientation.y, pose.orientation.z,
      pose.orientation.w,
    ]
  }

  /// The same number, or near enough to have been rounded to four digits, to a millionth, or to what is printed.
  private func isClose(_ shown: Double, _ sent: Double, _ index: Int) -> Bool {
    if shown == sent || (shown.isNaN && sent.isNaN) { return true }
    return (shown - sent).magnitude <= max(1e-6, 1e-4 * sent.magnitude, halves[index])
  }
}

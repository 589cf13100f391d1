import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

/// Turns what a system under test printed into events, by the rules of its file and by what was delivered to it: a sent
/// pose is recognised by its values where the system shows no seq, and a value that was rounded for printing is taken
/// for the one that was sent. Feed it in order of time.
public struct Observations: Sendable {
  private let rules: [EventRule]
  private let peers: PeerAddresses
  private let fallback: Endpoint
  private let owner: WireProtocol?
  /// Poses that were delivered, the newest last.
  private var poses: [PoseSample] = []
  private var framers: [PeerName: MessageFramer] = [:]
  /// Who asked for a session last, with what id.
  private var client: (endpoint: Endpoint, id: UInt32)?
  private var commands: [UInt8: UInt8] = [:]

  /// How far back a pose is looked for: more than a stall holds back.
  private static let memory = 4_096

  /// Observations of a system that speaks this protocol with these peers.
  public init(rules: [EventRule], peers: PeerAddresses, _ owner: WireProtocol?) {
    self.rules = rules
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
    if let pose = PoseSample(kind, bytes) {
      if poses.count >= 2 * Observations.memory { poses.removeFirst(Observations.memory) }
      poses.append(pose)
    } else if kind.asks, let id = dialect.owner.asking?.id.flatMap({ kind.layout[$0] })?.bits(in: bytes) {
      client = (endpoint, UInt32(truncatingIfNeeded: id))
    }
  }

  /// What a line that the system printed says; nothing where no rule knows it.
  public mutating func events(in line: JSONNode) -> [PeerEvent] {
    var events: [PeerEvent] = []
    for rule in rules where rule.matches(line) {
      if let event = event(line, rule) { events.append(event) }
    }
    return events
  }

  private mutating func event(_ line: JSONNode, _ rule: EventRule) -> PeerEvent? {
    func number(_ field: String) -> Double? { rule.number(field, in: line) }
    func integer(_ field: String) -> Int? { number(field).flatMap { Int(exactly: $0.rounded()) } }
    switch rule.kind {
    case .pose: return pose(line, rule).map { .poseApplied($0) }
    case .command:
      guard let type = integer("cmd_type"), let value = integer("value") else { return nil }
      return command(UInt8(clamping: type), UInt8(clamping: value), changed: number("changed").map { $0 != 0 })
    case .strength: return number("intensity").map { .hapticApplied(Float($0)) }
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
    }
  }

  // MARK: - Kinds

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
  /// from there. A pose that nobody sent is told as it was shown.
  private func pose(_ line: JSONNode, _ rule: EventRule) -> PoseSample? {
    let shown = ShownPose { rule.number($0, in: line) }
    guard !shown.isEmpty else { return nil }
    let sent =
      poses.last { shown.isSame(as: $0) }
      ?? shown.seq.flatMap { seq in poses.last { $0.seq == seq } }
    guard let sent else { return shown.seq == nil ? nil : shown.filled(from: PoseSample(seq: 0)) }
    return shown.filled(from: sent)
  }
}

/// The fields of a pose as far as an event shows them.
private struct ShownPose {
  let seq: UInt16?
  private let timestamp: Double?
  private let start: Double?
  /// x, y, z, qx, qy, qz, qw.
  private let numbers: [Double?]

  init(_ number: (String) -> Double?) {
    seq = number("seq").flatMap { UInt16(exactly: $0) }
    timestamp = number("timestamp_us")
    start = number("movement_start")
    numbers = ["x", "y", "z", "qx", "qy", "qz", "qw"].map(number)
  }

  var isEmpty: Bool { seq == nil && timestamp == nil && numbers.allSatisfy { $0 == nil } }

  /// Everything that is shown is what `pose` says, but for rounding.
  func isSame(as pose: PoseSample) -> Bool {
    if let seq, seq != pose.seq { return false }
    if let timestamp, timestamp != Double(pose.timestampMicroseconds) { return false }
    return zip(numbers, ShownPose.numbers(of: pose)).allSatisfy { shown, sent in
      shown.map { ShownPose.isClose($0, Double(sent)) } ?? true
    }
  }

  /// `pose` with what is shown in its place; a number that is the same but for rounding stays.
  func filled(from pose: PoseSample) -> PoseSample {
    var values = ShownPose.numbers(of: pose)
    for (index, shown) in numbers.enumerated() {
      guard let shown, !ShownPose.isClose(shown, Double(values[index])) else { continue }
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

  /// The same number, or near enough to have been rounded to four digits or to a millionth.
  private static func isClose(_ shown: Double, _ sent: Double) -> Bool {
    if shown == sent || (shown.isNaN && sent.isNaN) { return true }
    return (shown - sent).magnitude <= max(1e-6, 1e-4 * sent.magnitude)
  }
}

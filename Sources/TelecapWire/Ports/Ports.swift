import TelecapRecording

/// The ports that identify the protocol of a payload: those of some protocols, with their standard or other numbers.
/// A port is found by its number: of two equal ports of a transport the first counts. A flow may have a known
/// port at both ends, since a client's own port can be any number: its payloads decide then.
public struct Ports: Hashable, Sendable {
  /// A port as it is used.
  public struct Entry: Hashable, Sendable {
    /// The port.
    public let row: PortRow
    /// How its messages look.
    public let dialect: Dialect
    /// Its number.
    public var number: UInt16
  }

  /// The ports, in the order in which they are asked.
  public private(set) var entries: [Entry] {
    didSet { numbered = entries.map(Numbered.init) }
  }

  /// The data for `match`: an entry without its strings, whose references would be counted for each packet.
  private struct Numbered: Hashable, Sendable {
    let number: UInt16
    let carrier: Carrier
    let isListener: Bool
    let dialect: Dialect

    init(_ entry: Entry) {
      number = entry.number
      carrier = entry.row.carrier
      isListener = entry.row.end == .listener
      dialect = entry.dialect
    }
  }

  private var numbered: [Numbered]

  /// The characteristics' UUIDs of Bluetooth attribute handles that the user gave.
  public private(set) var attributes: [UInt16: String] = [:]

  /// Whether a protocol has a characteristic of this UUID.
  public static func isAttribute(_ uuid: String, of protocols: [WireProtocol]) -> Bool {
    protocols.flatMap(\.dialects).flatMap(\.characteristics).contains { $0.uuid.lowercased() == uuid.lowercased() }
  }

  /// The UUID of a characteristic of one of them, as an example.
  public static func anyAttribute(of protocols: [WireProtocol]) -> String {
    protocols.flatMap(\.dialects).flatMap(\.characteristics).first?.uuid ?? "UUID"
  }

  /// The prefix of the id of a handle, before the UUID: handles are stored with the ports.
  public static let attributePrefix = "gatt:"

  /// The ports of these protocols' documents.
  public init(_ protocols: [WireProtocol]) {
    let all = protocols.flatMap { owner in
      owner.ports.map { Entry(row: $0, dialect: owner.dialect($0.dialect), number: $0.standard) }
    }
    // A broadcast is matched by its destination alone, and so is checked first.
    entries = all.filter { $0.row.end == .listener } + all.filter { $0.row.end != .listener }
    numbered = entries.map(Numbered.init)
  }

  /// The number of the port of this id, such as `tele-udp`; nil where there is none. Setting one that there is not does
  /// nothing.
  public subscript(id: String) -> UInt16? {
    get {
      if id.hasPrefix(Ports.attributePrefix) {
        return attributes.first { $0.value == id.dropFirst(Ports.attributePrefix.count) }?.key
      }
      return entries.first { $0.row.id == id }?.number
    }
    set {
      if let newValue, id.hasPrefix(Ports.attributePrefix) {
        attributes[newValue] = String(id.dropFirst(Ports.attributePrefix.count))
        return
      }
      guard let newValue, let index = entries.firstIndex(where: { $0.row.id == id }) else { return }
      entries[index].number = newValue
    }
  }

  /// The protocols whose ports they are, each once.
  public var protocols: [WireProtocol] {
    entries.reduce(into: []) { all, entry in
      if !all.contains(where: { $0 === entry.dialect.owner }) { all.append(entry.dialect.owner) }
    }
  }

  /// Pairs of ports of one transport and one number: the second is never matched. All that is sent to a port that is
  /// broadcast to counts as broadcast.
  public var clashes: [[Entry]] {
    entries.indices.flatMap { index in
      entries[(index + 1)...].filter {
        $0.number == entries[index].number && $0.row.carrier == entries[index].row.carrier
      }.map { [entries[index], $0] }
    }
  }

  /// The numbers, by the ports' ids.
  public var numbers: [String: UInt16] {
    let handles = attributes.map { (Ports.attributePrefix + $0.value, $0.key) }
    return Dictionary(entries.map { ($0.row.id, $0.number) } + handles) { first, _ in first }
  }

  /// The numbers that are not as the protocols' documents say, and what handles were said to be, by their ids.
  public var moved: [String: UInt16] {
    numbers.filter { id, number in entries.first { $0.row.id == id }?.row.standard != number }
  }

  /// These ports, with other numbers for those of these ids.
  public func with(_ numbers: [String: UInt16]) -> Ports {
    var ports = self
    for (id, number) in numbers { ports[id] = number }
    return ports
  }

  /// Whether what a flow carries is broadcast: for nobody in particular.
  public func isBroadcast(_ flow: Flow) -> Bool {
    numbered.contains { $0.isListener && $0.carrier == flow.carrier && $0.number == flow.destination.port }
  }

  /// The protocol version of payloads to and from this end, or nil if its port is none of these.
  public func dialect(of end: Endpoint, over carrier: Carrier) -> Dialect? {
    entries.first { $0.number == end.port && $0.row.carrier == carrier }?.dialect
  }

  /// The protocol of `flow` by its ports alone, or nil when neither of them is one of these.
  public func match(_ flow: Flow) -> PortMatch? { match(flow, from: 0)?.match }

  /// The protocol of a payload of `flow`; over TCP the payload is the beginning of a stream. Where several protocols have one of
  /// its ports, the first counts that the bytes are a message of; where they are none, the first of all.
  public func match(_ flow: Flow, _ bytes: RawSpan) -> PortMatch? {
    guard let (first, next) = match(flow, from: 0) else { return nil }
    guard match(flow, from: next) != nil else { return first }
    return contested(flow, bytes)
  }

  /// Whether the destination port of `flow` is one of these.
  public func isDestination(of flow: Flow) -> Bool {
    numbered.contains { $0.number == flow.destination.port && $0.carrier == flow.carrier }
  }

  /// The match of a payload of `flow`; a datagram that resembles no protocol of a contested flow has the match of the last one. Over TCP
  /// the ports alone are asked: `StreamProtocol` decides a stream.
  @inline(__always)
  public func match(_ flow: Flow, _ bytes: RawSpan, _ decided: inout ContestedFlows) -> PortMatch? {
    guard let (first, next) = match(flow, from: 0) else { return nil }
    guard flow.carrier == .udp, match(flow, from: next) != nil else { return first }
    return contested(flow, bytes, &decided)
  }

  /// The match of `flow` for one protocol; nil where neither port is one of its ports.
  public func match(_ flow: Flow, of owner: WireProtocol) -> PortMatch? {
    candidates(of: flow).first { $0.dialect.owner === owner }
  }

  /// The protocols that `flow` can carry, in the order in which ports are matched.
  func candidates(of flow: Flow) -> [PortMatch] {
    var (found, next): ([PortMatch], Int) = ([], 0)
    while let (match, end) = match(flow, from: next) {
      found.append(match)
      next = end
    }
    return found
  }

  @inline(never)
  private func contested(_ flow: Flow, _ bytes: RawSpan) -> PortMatch? {
    PortMatch.mostAlike(candidates(of: flow), bytes, over: flow.carrier)?.match
  }

  @inline(never)
  private func contested(_ flow: Flow, _ bytes: RawSpan, _ decided: inout ContestedFlows) -> PortMatch? {
    let candidates = candidates(of: flow)
    guard let best = PortMatch.mostAlike(candidates, bytes, over: flow.carrier) else { return nil }
    if best.rank > 0 {
      decided[flow] = best.match.dialect
      return best.match
    }
    let last = decided[flow]
    return candidates.first { $0.dialect == last } ?? best.match
  }

  /// The first match of the entries from `start` on, and the index at which the search goes on after it.
  @inline(__always)
  private func match(_ flow: Flow, from start: Int) -> (match: PortMatch, next: Int)? {
    let (source, destination) = (flow.source.port, flow.destination.port)
    var index = start
    while index < numbered.count {
      let entry = numbered[index]
      index += 1
      guard entry.number == destination || entry.number == source, entry.carrier == flow.carrier else { continue }
      if entry.isListener {
        guard destination == entry.number else { continue }
        return (PortMatch(dialect: entry.dialect, direction: .serverToClient), index)
      }
      // The host is the end with the port; when both ends have it, the messages themselves decide.
      let direction: Direction =
        source == destination ? .unknown : destination == entry.number ? .clientToServer : .serverToClient
      return (PortMatch(dialect: entry.dialect, direction: direction), index)
    }
    return nil
  }
}

extension Dialect {
  /// How much `bytes` look like a message: 3 for a valid one with an identity, 2 for an identity, 1 for a valid one of a protocol
  /// without an identity, else 0. Over TCP the bytes begin a stream, and the first message may be cut.
  fileprivate func resemblance(_ bytes: RawSpan, over carrier: Carrier) -> Int {
    withFirstMessage(in: bytes, framing(over: carrier)) { resemblance($0) }
  }

  /// Whether the beginning of a stream agrees with the identity of its messages, and ends before all of that is there.
  func isUndecided(_ bytes: RawSpan) -> Bool {
    withFirstMessage(in: bytes, framing) { $0.byteCount < markSize && mayBegin($0) }
  }

  /// Passes on the first message of a payload without its frame, cut where the bytes end.
  private func withFirstMessage<Result>(in bytes: RawSpan, _ framing: Framing, _ body: (RawSpan) -> Result) -> Result {
    let count = bytes.byteCount
    switch framing {
    case .none: return body(bytes)
    case .length(let prefix):
      let end = min(prefix.size + prefix.messageSize(in: bytes, at: 0), count)
      return body(bytes.extracting(min(prefix.size, count)..<end))
    case .fixed(let size, _): return body(bytes.extracting(0..<min(size, count)))
    case .selfDelimited(let sizes), .datagram(let sizes): return body(bytes.extracting(sizes.firstMessage(of: bytes)))
    case .bundle: return body(bytes.extracting(OSCBundle.firstMessage(of: bytes)))
    case .stuffed(let stuffing):
      let message = stuffing.firstMessage(in: bytes)
      return body(message.span.bytes)
    }
  }

  private func resemblance(_ bytes: RawSpan) -> Int {
    let isValid = MessageDecoder.check(bytes, as: self).error == nil
    guard markSize > 0 else { return isValid ? 1 : 0 }
    return begins(bytes) ? isValid ? 3 : 2 : 0
  }
}

extension PortMatch {
  /// The first of `candidates` that `bytes` resemble most, and how much: 0 where they are a message of none.
  static func mostAlike(
    _ candidates: [PortMatch], _ bytes: RawSpan, over carrier: Carrier
  ) -> (match: PortMatch, rank: Int)? {
    let ranked = candidates.map { (match: $0, rank: $0.dialect.resemblance(bytes, over: carrier)) }
    guard let best = ranked.map(\.rank).max() else { return nil }
    return ranked.first { $0.rank == best }
  }
}

/// The protocol version and direction of payloads by the ports of their flow.
public struct PortMatch: Hashable, Sendable {
  /// How its messages look.
  public var dialect: Dialect
  /// Which way it goes.
  public var direction: Direction

  /// A match with payloads of this protocol version in this direction.
  public init(dialect: Dialect, direction: Direction) {
    self.dialect = dialect
    self.direction = direction
  }
}

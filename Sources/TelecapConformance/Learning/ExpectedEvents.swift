import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The events that a system may print in a run, inferred from the messages that it received.
public struct ExpectedEvents {
  /// In order of time; each lasts until the next.
  private var found: [(time: Nanoseconds, occasion: ExpectedEvent)] = []
  private let owner: WireProtocol?
  private let peers: PeerAddresses
  private let streams: [JudgedStream]
  /// The streams of the protocol whose values have names in system files.
  private let shown: [JudgedStream]
  /// The open session, with the time of its client's last message.
  private var session: (peer: PeerName, id: UInt64?, heard: Nanoseconds)?
  /// The newest sequence number of each stream whose messages are applied by number, by the stream's name.
  private var newest: [String: UInt64] = [:]
  /// Effects of messages in addition to stream values.
  private let notes: [NoteKind]
  private var commands: [[UInt64]: [Double]] = [:]
  private var distances: [String: [Double]] = [:]

  /// The time by which a session may end before its timeout, in ns.
  private static let early: Nanoseconds = 300_000_000

  /// The expected events of a system that plays `part`, for these streams of its protocol file; `kinds` are those of
  /// its suites.
  public static func of(
    _ log: RunLog, part: Part, streams: [JudgedStream] = [], kinds: [EventRule.Kind]
  ) -> [ExpectedEvent] {
    let notes = kinds.compactMap { kind in if case .note(let note) = kind { note } else { nil } }
    var occasions = ExpectedEvents(log, part.role?.owner, streams, notes.filter { $0.request != nil })
    var delivered = DecodedLog(log, part.role?.owner).delivered[...]
    for (index, entry) in log.entries.enumerated() {
      for message in delivered.take(of: index) where message.isFramed { occasions.deliver(message) }
      if case .closed(let peer) = entry.what { occasions.disconnect(peer, at: entry.time) }
    }
    return occasions.spanned(to: log.end.nanoseconds)
  }

  private init(_ log: RunLog, _ owner: WireProtocol?, _ streams: [JudgedStream], _ notes: [NoteKind]) {
    self.notes = notes
    (self.owner, peers, self.streams, shown) = (owner, log.peers, streams, owner?.shownStreams ?? [])
  }

  /// Extends each event to the next one, unless it has an end already.
  private func spanned(to end: Nanoseconds) -> [ExpectedEvent] {
    let all = found.sorted { $0.time < $1.time }
    return all.enumerated().map { place, entry in
      var occasion = entry.occasion
      if occasion.span.isEmpty {
        let next = all[(place + 1)...].first { $0.time > entry.time && $0.occasion.span.isEmpty }?.time ?? end
        occasion.span = entry.time..<max(next, entry.time + 1)
      }
      return occasion
    }
  }

  private mutating func deliver(_ message: LoggedMessage) {
    let (kind, bytes, peer, time) = (message.kind, message.bytes.span.bytes, message.peer, message.time)
    let now = time.nanoseconds
    defer { if session?.peer == peer { session?.heard = now } }
    if kind.asks {
      ask(kind, bytes, from: peer, over: message.carrier, at: time)
    } else if let closing = owner?.session?.closing, closing.message == kind.name {
      let id = closing.id.flatMap { kind.layout[$0] }?.bits(in: bytes)
      guard session?.peer == peer, id == session?.id else { return add(nil, at: now) }
      add(
        .sessionClosed, at: now,
        who(peer, id, at: time).merging(["reason": .text(PeerEvent.CloseReason.teardown.rawValue)]) { $1 })
      session = nil
    } else if let stream = shown.first(where: { $0.showing == .messages && $0.kind == kind }),
      bytes.byteCount >= kind.layout.fixedSize
    {
      let value = stream.applied(in: bytes)
      let (name, number) = (stream.rules.name, value.number ?? 0)
      let isNew = newest[name].map { stream.numbers.isNewer(number, than: $0) } ?? true
      let isEffective = isNew && value.values.isFinite && session?.peer == peer
      if isEffective { newest[name] = number }
      add(.applied(stream), at: now, ExpectedEvents.known(value, of: stream), isEffective: isEffective)
    } else if let stream = shown.first(where: { $0.showing == .codes && $0.kind == kind }) {
      let value = stream.applied(in: bytes)
      let values = Array(value.values)
      let changes = commands.updateValue(values, forKey: value.key) != values
      var known = known((stream.keys + stream.values).map(\.name), of: kind, bytes)
      if let name = stream.rules.events?.change { known[name] = .flag(changes) }
      add(.applied(stream), at: now, known, isEffective: changes)
    } else {
      add(streamsOf: kind, bytes, at: now, isEffective: message.isValid)
    }
  }

  private mutating func add(
    _ kind: EventRule.Kind?, at time: Nanoseconds, _ fields: [String: KnownValue] = [:], isEffective: Bool = true
  ) {
    found.append((time, ExpectedEvent(kind, in: time..<time, fields: fields, isEffective: isEffective)))
  }

  // MARK: - Sessions

  /// Handles the end of a peer's connection, and of its session.
  private mutating func disconnect(_ peer: PeerName, at time: Timestamp) {
    guard let open = session, open.peer == peer else { return }
    let fields = who(peer, open.id, at: time).merging(["reason": .text("disconnected")]) { $1 }
    add(.sessionClosed, at: time.nanoseconds, fields)
    session = nil
  }

  private mutating func ask(
    _ kind: MessageKind, _ bytes: RawSpan, from peer: PeerName, over carrier: Carrier, at time: Timestamp
  ) {
    let now = time.nanoseconds
    if carrier == .udp, let open = session, let timeout = owner?.session?.timeout, now - open.heard > timeout {
      // A host may notice the timeout only at the request of another client.
      let span = open.heard + timeout - ExpectedEvents.early..<now + ExpectedEvents.early
      let fields = who(open.peer, open.id, at: time).merging(["reason": .text("timeout")]) { $1 }
      found.append((now - 1, ExpectedEvent(.sessionClosed, in: span, fields: fields)))
      session = nil
    }
    guard session == nil else { return add(nil, at: now) }
    let id = owner?.asking?.id.flatMap { kind.layout[$0] }?.bits(in: bytes)
    session = (peer, id, now)
    (newest, commands) = ([:], [:])
    add(.sessionOpened, at: now, who(peer, id, at: time))
  }

  private func who(_ peer: PeerName, _ id: UInt64?, at time: Timestamp) -> [String: KnownValue] {
    var known: [String: KnownValue] = [:]
    if let id { known["session_id"] = .whole(Double(id)) }
    if let end = peers.endpoint(of: peer, at: time) {
      known["peer"] = .text("\(end)")
      known["port"] = .whole(Double(end.port))
    }
    return known
  }

  // MARK: - Streams

  private mutating func add(streamsOf kind: MessageKind, _ bytes: RawSpan, at now: Nanoseconds, isEffective: Bool) {
    let declared = streams.filter { $0.rules.message == kind.name }
    for stream in declared {
      var fields = known(stream.fields, of: kind, bytes)
      if stream.adds { addSums(&fields, of: stream) }
      add(.applied(stream), at: now, fields, isEffective: isEffective)
    }
    if !declared.isEmpty { return }
    let before = found.count
    for stream in shown where stream.form(of: kind) != nil {
      let values = known(stream.rules.values, of: kind, bytes)
      switch stream.showing {
      case .counts: addSum(stream, values, at: now)
      case .bits: if let bitmap = values[stream.rules.values[0]] { addBits(bitmap, stream, at: now) }
      case .measure: addMeasure(values[stream.rules.values[0]]?.number ?? 0, stream, at: now)
      case .plain, .messages, .codes: continue
      }
    }
    for note in notes {
      guard let words = note.fields[0].words, let index = note.request?(kind, bytes) else { continue }
      add(.note(note), at: now, [note.fields[0].name: .text(words[index])])
    }
    if found.count == before { add(nil, at: now) }
  }

  private mutating func addMeasure(_ value: Double, _ stream: JudgedStream, at now: Nanoseconds) {
    let range = stream.rules.range ?? -.infinity ... .infinity
    let clamped = min(max(value, range.lowerBound), range.upperBound)
    add(.applied(stream), at: now, [stream.fields[0]: .measure(clamped)], isEffective: value == clamped)
  }

  /// Replaces increments by their sums, for each key.
  private mutating func addSums(_ fields: inout [String: KnownValue], of stream: JudgedStream) {
    let key = stream.keys.map { "\(fields[$0.name]?.number ?? 0)" }.joined(separator: " ")
    let place = "\(stream.rules.name) \(key)"
    let before = distances[place] ?? stream.values.map { _ in 0 }
    let sums = zip(before, stream.values).map { $0 + (fields[$1.name]?.number ?? 0) }
    distances[place] = sums
    for (row, sum) in zip(stream.values, sums) { fields[row.name] = .distance(sum) }
  }

  private mutating func addSum(
    _ stream: JudgedStream, _ deltas: [String: KnownValue], at now: Nanoseconds
  ) {
    let rules = stream.rules
    let steps = rules.values.map { deltas[$0]?.number ?? 0 }
    guard steps.contains(where: { $0 != 0 }) else { return }
    let before = distances[rules.name] ?? [Double](repeating: 0, count: steps.count)
    let sums = zip(before, steps).map(+)
    distances[rules.name] = sums
    add(.applied(stream), at: now, Dictionary(uniqueKeysWithValues: zip(stream.fields, sums.map(KnownValue.distance))))
  }

  /// Adds an event for each bit, and one for the whole number.
  private mutating func addBits(_ bitmap: KnownValue, _ stream: JudgedStream, at now: Nanoseconds) {
    let name = stream.rules.name
    let bits = Int64(clampingRounded: bitmap.number ?? 0)
    guard distances[name] != [Double(bits)], bits != 0 || distances[name] != nil else { return }
    distances[name] = [Double(bits)]
    var fields = [stream.fields[0]: bitmap]
    for (place, part) in (stream.rules.events?.parts ?? []).enumerated() {
      fields[part] = .flag(bits >> place & 1 != 0)
    }
    add(.applied(stream), at: now, fields)
  }

  private func known(_ names: [String], of kind: MessageKind, _ bytes: RawSpan) -> [String: KnownValue] {
    var known: [String: KnownValue] = [:]
    for name in names {
      guard let row = kind.layout[name] else { continue }
      var values = StreamValues()
      NumberPlaces([row]).read(bytes, into: &values)
      guard let value = values.first else { continue }
      known[name] = row.valueType.isFloat ? .measure(value) : .whole(value)
    }
    return known
  }

  /// The values of a stream in a message, by the names of its events.
  private static func known(_ value: AppliedValue, of stream: JudgedStream) -> [String: KnownValue] {
    var known: [String: KnownValue] = [:]
    for field in stream.rules.events?.fields ?? [] {
      switch field {
      case .number(let name): known[name] = .whole(Double(value.number ?? 0))
      case .value(let name, let place):
        let (row, number) = (stream.values[place], value.values[place])
        known[name] =
          row.valueType.isFloat ? .measure(number) : row.unit == "µs" ? .microseconds(number) : .whole(number)
      case .bit(let name, let bit, let place):
        known[name] = .flag((value.values.whole(at: place)?.unsigned ?? 0) & bit != 0)
      case .key: continue
      }
    }
    return known
  }
}

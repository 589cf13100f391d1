import TelecapRecording

/// What is in a capture, in numbers: what `telecap info` shows.
public struct CaptureSummary: Sendable {
  /// How it came to be.
  public var info: CaptureInfo
  /// Each interface with what came through it.
  public var interfaces: [InterfaceSummary] = []
  /// How many packets there are.
  public var packets = 0
  /// Bytes of all frames, as long as they were on the wire.
  public var bytes = 0
  /// What a file said of its packets beside their frames.
  public var notesOfPackets = PacketNoteCounts()
  /// The earliest and the latest packet; nil when there is none. Where the clock was set back the times of later packets go on
  /// (`SteadyTimes`).
  public var span: ClosedRange<Timestamp>?
  /// False when only the packets are known, because nothing was derived from them yet; what follows is empty then.
  public var isDissected = false
  /// Each type of message in each direction, in the order of the wire tables.
  public var types: [TypeSummary] = []
  /// Each session, in the order in which they opened; of more than `maxSessions` those with the most messages.
  public var sessions: [SessionSummary] = []
  /// How many sessions were left out.
  public var sessionsLeftOut = 0
  /// Each rule that something was found by, the worst first, then the most frequent; at most `maxRules` of them.
  public var findings: [FindingSummary] = []
  /// How many rules were left out.
  public var rulesLeftOut = 0
  /// Tables, views, indexes and triggers that telecap did not make, such as `table "mine"`; at most `maxAdditions`.
  public var additions: [String] = []
  /// How many of these there are in all.
  public var additionCount = 0
  /// The packets in which nothing was looked for; where there are messages, only those of link types that are not known.
  public var unread = UnreadTraffic()
  /// The protocols whose messages were looked for.
  public var protocols: [WireProtocol] = []

  /// Nothing counted yet.
  public init(info: CaptureInfo) { self.info = info }

  /// The maximum number of sessions, rules and additions that a summary holds: its memory does not grow with its capture.
  public static let (maxSessions, maxRules, maxAdditions) = (10_000, 1_000, 10)

  /// Notes on unread packets and left-out rows, as sentences.
  public var notes: [String] {
    var notes = unread.notes(messages: types.count)
    if sessionsLeftOut > 0 {
      notes.append(
        "\(sessions.count + sessionsLeftOut) sessions: only the \(sessions.count) with the most messages are shown")
    }
    if rulesLeftOut > 0 {
      notes.append("\(findings.count + rulesLeftOut) rules found something: only \(findings.count) are shown")
    }
    if !additions.isEmpty {
      let more = additionCount > additions.count ? " and \(additionCount - additions.count) more" : ""
      notes.append("additions of the user, not read: \(additions.joined(separator: ", "))\(more)")
    }
    return notes
  }
}

/// An interface and what came through it.
public struct InterfaceSummary: Hashable, Sendable {
  /// The interface.
  public var interface: Interface
  /// How many packets.
  public var packets: Int
  /// Bytes of their frames, as long as they were on the wire.
  public var bytes: Int

  /// So much through this interface.
  public init(interface: Interface, packets: Int = 0, bytes: Int = 0) {
    (self.interface, self.packets, self.bytes) = (interface, packets, bytes)
  }
}

/// Messages that came one after the other: how many, from when to when, and the longest time between two of them.
public struct Arrivals: Hashable, Sendable {
  /// How many came.
  public private(set) var count = 0
  /// When the first came.
  public private(set) var first: Timestamp?
  /// When the last came.
  public private(set) var last: Timestamp?
  /// The longest time between one and the next, in ns.
  public private(set) var largestGap: Nanoseconds = 0

  /// None yet.
  public init() {}

  /// How many came a second, counted in intervals; nil when fewer than two came or all at once.
  public var perSecond: Double? {
    guard let first, let last, count > 1 else { return nil }
    let seconds = Double(last.nanoseconds(since: first)) / 1e9
    return seconds > 0 ? Double(count - 1) / seconds : nil
  }

  /// One more came.
  public mutating func add(_ time: Timestamp) {
    if let last { largestGap = max(largestGap, time.nanoseconds(since: last)) }
    if first == nil { first = time }
    last = time
    count += 1
  }
}

/// The messages of one type that travelled one way.
public struct TypeSummary: Hashable, Sendable {
  /// `tele` or `mouse`.
  public var protocolName: String
  /// The type's name: `POSE`.
  public var type: String
  /// Which way they travelled.
  public var direction: Direction
  /// When they came.
  public var arrivals = Arrivals()
  /// The bytes of all, without frames around them.
  public var bytes = 0

  /// None of this type yet.
  public init(protocolName: String, type: String, direction: Direction) {
    (self.protocolName, self.type, self.direction) = (protocolName, type, direction)
  }
}

/// A session and what was said in it.
public struct SessionSummary: Hashable, Sendable {
  /// The session.
  public var session: Session
  /// Messages from the phone or mouse.
  public var fromPhone = Arrivals()
  /// Messages from the host.
  public var fromHost = Arrivals()
  /// That what asks for it is refused since then, where the last answer refused; nil where it accepted, or there was none.
  public private(set) var refusal: Refusal?
  /// Its messages by their names, in the order in which each was first met.
  public private(set) var streams: [StreamSummary] = []
  /// For each kind that was met the place of its name among `streams`.
  private var places: [Place] = []
  /// Messages of several kinds go by one counter of their sender.
  private var hasSharedCounter = false

  /// Those of these with the most messages, the busiest first.
  ///
  /// - Parameter most: how many of them.
  public static func busiest(_ sessions: [SessionSummary], most: Int) -> ArraySlice<SessionSummary> {
    func count(_ entry: SessionSummary) -> Int { entry.fromPhone.count + entry.fromHost.count }
    return sessions.sorted { (count($1), $0.session.id) < (count($0), $1.session.id) }.prefix(most)
  }

  private struct Place: Hashable {
    let kind: MessageKind
    let stream: Int
  }

  /// That a host goes on refusing what asks for a session.
  public struct Refusal: Hashable, Sendable {
    /// What the last answer said: `BUSY`.
    public var word: String
    /// When the first answer behind the last that accepted came.
    public var since: Timestamp
  }

  /// Nothing said in it yet.
  public init(session: Session) { self.session = session }

  /// Its messages that carry a stream of their protocol, in the order of the declaration; events are none.
  public func streams(of owner: WireProtocol) -> [StreamSummary] {
    var names: [String] = []
    for rules in owner.streams where rules.merge != .event && !names.contains(rules.message) {
      names.append(rules.message)
    }
    return names.map(stream).filter { $0.arrivals.count > 0 }
  }

  /// The messages of this name; none where none came.
  public func stream(_ name: String) -> StreamSummary { streams.first { $0.name == name } ?? StreamSummary(name: name) }

  /// One more message came; `number` is its sequence number, where it has one, and `key` the fields of its stream's key.
  public mutating func add(_ kind: MessageKind, _ time: Timestamp, number: UInt64?, key: [UInt64] = []) {
    let stream = places.first { $0.kind == kind }?.stream ?? place(kind)
    guard let (missing, newest) = streams[stream].add(time, number, key), let number, streams.count > 1 else { return }
    explain(missing, before: number, after: newest, in: stream, kind)
  }

  /// What lacks in messages of one kind, and came in others that go the same way and have their number at the same place, is no
  /// loss: the sender has one counter for all.
  private mutating func explain(
    _ missing: Int, before number: UInt64, after newest: UInt64, in stream: Int, _ kind: MessageKind
  ) {
    guard missing < 64, let order = kind.numbering?.order else { return }
    let alike = places.filter { place in
      guard place.stream != stream, place.kind.layoutDirection == kind.layoutDirection else { return false }
      return place.kind.numbering?.order.offset == order.offset && place.kind.numbering?.order.type == order.type
    }.map(\.stream)
    func came(_ number: UInt64) -> Bool { alike.contains { streams[$0].saw(number) } }
    if alike.isEmpty || came(number) || came(newest) { return }
    let most = order.type.size.map { $0 >= 8 ? UInt64.max : 1 << UInt64(8 * $0) - 1 } ?? .max
    let numbers = (1...UInt64(missing)).map { (number &- $0) & most }
    hasSharedCounter = hasSharedCounter || numbers.contains(where: came)
    guard hasSharedCounter else { return }
    // What neither holds counts once.
    streams[stream].explain(numbers.count { number in alike.contains { streams[$0].covers(number) } })
  }

  /// An answer to what asks for it came, with this code in the field that accepts.
  public mutating func answer(_ kind: MessageKind, _ code: UInt64, at time: Timestamp) {
    if code == kind.owner.asking?.accepts?.value { return refusal = nil }
    refusal = Refusal(word: kind.answerWord(of: code), since: refusal?.since ?? time)
  }

  /// A kind that is met for the first time: there may be others of its name.
  private mutating func place(_ kind: MessageKind) -> Int {
    let place = streams.firstIndex { $0.name == kind.name } ?? streams.count
    if place == streams.count { streams.append(StreamSummary(name: kind.name, kind.numbering)) }
    places.append(Place(kind: kind, stream: place))
    return place
  }
}

/// The messages of one name in a session.
public struct StreamSummary: Hashable, Sendable {
  /// The name: `POSE`.
  public var name: String
  /// When they came.
  public private(set) var arrivals = Arrivals()
  private var sequences: KeyedSequences?
  private let keySize: Int

  init(name: String, _ numbering: Numbering? = nil) {
    self.name = name
    keySize = numbering?.key.count ?? 0
    sequences = numbering.map { KeyedSequences(bits: 8 * ($0.order.type.size ?? 0), keyOf: $0.key.count) }
  }

  /// Messages that never came, by their sequence numbers, each stream of the name by itself; 0 where they have none.
  public var missing: Int { sequences?.missing ?? 0 }

  /// How many numbers lack before this one, and the newest before it; nil where it leaves no gap.
  mutating func add(_ time: Timestamp, _ number: UInt64?, _ key: [UInt64]) -> (missing: Int, newest: UInt64)? {
    arrivals.add(time)
    guard let number, key.count == keySize, let received = sequences?.receive(number, key: { key[$0] }),
      case .gap(let missing) = received.arrival
    else { return nil }
    return (missing, received.newest)
  }

  func saw(_ number: UInt64) -> Bool { sequences?.saw(number) == true }

  func covers(_ number: UInt64) -> Bool { sequences?.covers(number) == true }

  mutating func explain(_ count: Int) { sequences?.explain(count) }
}

/// A rule and how often something was found by it.
public struct FindingSummary: Hashable, Sendable {
  /// The rule's id: `seq.gap`.
  public var rule: String
  /// `note`, `warning` or `error`.
  public var severity: String
  /// How often.
  public var count: Int
  /// The first packet that it was found in.
  public var firstPacket: Int

  /// So many findings of a rule.
  public init(rule: String, severity: String, count: Int, firstPacket: Int) {
    (self.rule, self.severity, self.count, self.firstPacket) = (rule, severity, count, firstPacket)
  }
}

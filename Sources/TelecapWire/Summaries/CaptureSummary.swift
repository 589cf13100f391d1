import TelecapRecording

/// The contents of a capture in numbers, as `telecap info` shows them.
public struct CaptureSummary: Sendable {
  /// How it came to be.
  public var info: CaptureInfo
  /// The window of the recording that it is about; nil for the whole recording.
  public var filter: WindowFilter?
  /// Each interface with what came through it.
  public var interfaces: [InterfaceSummary] = []
  /// How many packets there are.
  public var packets = 0
  /// Bytes of all frames, as long as they were on the wire.
  public var bytes = 0
  /// The notes of a file about its packets.
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
      notes.append("\(findings.count + rulesLeftOut) rules have findings: only \(findings.count) are shown")
    }
    if !additions.isEmpty {
      let more = additionCount > additions.count ? " and \(additionCount - additions.count) more" : ""
      notes.append("added by the user, not read: \(additions.joined(separator: ", "))\(more)")
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
  /// Messages from the client.
  public var fromClient = Arrivals()
  /// Messages from the server.
  public var fromServer = Arrivals()
  /// That what asks for it is refused since then, where the last answer refused; nil where it accepted, or there was none.
  public private(set) var refusal: Refusal?
  /// Its messages by their names, in the order in which each was first met.
  public var streams: [StreamSummary] {
    arrivals.enumerated().map { place, arrivals in
      StreamSummary(name: sequences.names[place], arrivals: arrivals, missing: sequences.missing(at: place))
    }
  }
  /// When the messages of each name came.
  private var arrivals: [Arrivals] = []
  private var sequences = SessionSequences()

  /// Those of these with the most messages, the busiest first.
  ///
  /// - Parameter most: how many of them.
  public static func busiest(_ sessions: [SessionSummary], most: Int) -> ArraySlice<SessionSummary> {
    func count(_ entry: SessionSummary) -> Int { entry.fromClient.count + entry.fromServer.count }
    return sessions.sorted { (count($1), $0.session.id) < (count($0), $1.session.id) }.prefix(most)
  }

  /// That a host goes on refusing what asks for a session.
  public struct Refusal: Hashable, Sendable {
    /// The content of the last answer: `BUSY`.
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
    let place = sequences.place(of: kind)
    if place == arrivals.count { arrivals.append(Arrivals()) }
    arrivals[place].add(time)
    if let number { sequences.receive(number, key: key, of: kind) }
  }

  /// An answer to what asks for it came, with this code in the field that accepts.
  public mutating func answer(_ kind: MessageKind, _ code: UInt64, at time: Timestamp) {
    if code == kind.owner.asking?.accepts?.value { return refusal = nil }
    refusal = Refusal(word: kind.answerWord(of: code), since: refusal?.since ?? time)
  }
}

/// The messages of one name in a session.
public struct StreamSummary: Hashable, Sendable {
  /// The name: `POSE`.
  public var name: String
  /// When they came.
  public internal(set) var arrivals = Arrivals()
  /// Messages that never came, by their sequence numbers, each stream of the name by itself; 0 where they have none.
  public internal(set) var missing = 0
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

import TelecapRecording
import TelecapWire

/// A capture, or a part of it, as a picture is drawn from it: made of its messages and findings as they pass, in memory that
/// does not grow with them.
public struct CaptureTimeline: Sendable {
  /// The messages of one type, by columns.
  struct TypeLane: Sendable {
    let owner: String
    let name: String
    let direction: Direction
    var marks: ReducedMarks
  }

  /// The findings of one rule.
  struct FindingLane: Sendable {
    let rule: String
    let severity: Severity
    var marks: ReducedMarks
  }

  /// How long answers took.
  struct RoundTrips: Sendable {
    let owner: String
    let ask: String
    let answer: String
    var curve: TimelineTrack.Curve
  }

  /// Its columns.
  public let grid: TimeGrid
  private(set) var types: [TypeLane] = []
  private(set) var findings: [FindingLane] = []
  private(set) var tracks: [TimelineTrack] = []
  private(set) var roundTrips: [RoundTrips] = []
  /// Streams that are left out because there are too many.
  private(set) var leftOut: Set<TimelineTrack.Identity> = []
  /// The effects of networks, from saved plans.
  public var runs: [NetworkRun] = []
  /// Whether there are streams that it has not.
  public var isIncomplete: Bool { !leftOut.isEmpty }
  /// For each column the numbers of the first and the last message in it; 0 where there is none.
  private var places: [(first: Int, last: Int)]

  /// The streams whose values it takes.
  public let streams: [DrawnStream]
  /// The messages by which sessions are accepted or refused, with the field that says which.
  public let answers: [(kind: MessageKind, field: FieldRow)]
  private var trackPlaces: [TrackKey: Int] = [:]
  /// The numbers of the message that is being added.
  private var numbers: [Double] = []
  /// For each stream the track that was met last: mostly the next message is of the same.
  private var recent: [(key: TrackKey, track: Int)]
  private var typePlaces = SmallTable<TypeKey, Int>()
  private var findingPlaces: [String: Int] = [:]
  private var asked = OpenQuestions()
  /// How sessions were asked for, by conversations; of no more than `mostConversations`.
  private(set) var asking: [Int: Asking] = [:]
  /// The sessions whose streams are drawn; nil where all may be.
  private let preferred: Set<Int>?
  private let earlier: [TimelineTrack.Identity: TimelineTrack]
  private let resumed: Timestamp?

  /// No more streams than these are drawn.
  public static let mostTracks = 24
  private static let mostConversations = 10_000
  /// The numbers of so many senders are followed: no more have streams that are drawn.
  private static let mostSenders = 4 * mostTracks

  /// A session, or, where a message belongs to none, a flow.
  private struct Sender: Hashable {
    var session: Int
    var flow: Int
  }

  /// The sequence numbers of each sender, and the index of a sender's; mostly the next message has the same sender.
  private var sequences: [SessionSequences] = []
  private var senders: [Sender: Int] = [:]
  private var lastSender: (sender: Sender, place: Int)?

  private struct TypeKey: Hashable {
    var kind: MessageKind
    var direction: Direction
  }

  private struct TrackKey: Hashable {
    var stream: Int
    var session: Int
    var key: [Double]
  }

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - preferred: the sessions whose streams are drawn; nil where all may be.
  ///   - whole: the whole capture, and when reading goes on: what adds up goes on from there.
  public init(
    _ grid: TimeGrid, _ protocols: [WireProtocol], of preferred: Set<Int>? = nil,
    resuming whole: (CaptureTimeline, at: Timestamp)? = nil
  ) {
    (self.grid, self.preferred) = (grid, preferred)
    streams = DrawnStream.all(of: protocols)
    answers = protocols.flatMap(\.messages).compactMap { kind in kind.answerField.map { (kind, $0) } }
    let count = (streams.map(\.place).max() ?? -1) + 1
    recent = Array(repeating: (TrackKey(stream: -1, session: 0, key: []), 0), count: count)
    places = Array(repeating: (0, 0), count: grid.columns)
    earlier = Dictionary((whole?.0.tracks ?? []).map { ($0.id, $0) }) { first, _ in first }
    resumed = whole?.at
  }

  /// A message came; `id` is its number in the capture.
  public mutating func add(_ message: TimelineMessage, id: Int) {
    if let column = grid.column(of: message.time) {
      if places[column].first == 0 { places[column].first = id }
      places[column].last = max(places[column].last, id)
    }
    let key = TypeKey(kind: message.kind, direction: message.direction)
    let place = typePlaces[key] ?? addType(key)
    types[place].marks.add(packet: message.packet, at: message.time)
    if message.isValid { addRoundTrip(message) }
  }

  /// A message came that has this sequence number, and these fields of its stream's key.
  ///
  /// - Parameter flow: the number of its flow: what belongs to no session is numbered by the sender of its flow.
  /// - Returns: what the number is among all numbers of its sender; nil where it is not followed.
  public mutating func receive(
    _ number: UInt64, key: [UInt64], of message: TimelineMessage, flow: Int
  ) -> SequenceTracker.Arrival? {
    guard message.isOfStream, preferred?.contains(message.session) ?? true || message.session == 0 else { return nil }
    let sender = Sender(session: message.session, flow: message.session == 0 ? flow : 0)
    guard let place = place(of: sender) else { return nil }
    return sequences[place].receive(number, key: key, of: message.kind)
  }

  /// The index of a sender's sequence numbers; nil where the maximum number of senders is followed.
  private mutating func place(of sender: Sender) -> Int? {
    if let lastSender, lastSender.sender == sender { return lastSender.place }
    let place = senders[sender] ?? sequences.count
    if place == sequences.count {
      guard place < CaptureTimeline.mostSenders else { return nil }
      sequences.append(SessionSequences())
      senders[sender] = place
    }
    lastSender = (sender, place)
    return place
  }

  /// A message of a stream came, with the numbers in the stream's fields.
  ///
  /// - Parameters:
  ///   - arrival: as `receive` returned it, where the stream goes by that number; nil where its own numbers alone say what lacks.
  ///   - number: that in the field at this place; NaN where there is none.
  public mutating func add(
    _ message: TimelineMessage, to stream: DrawnStream, arrival: SequenceTracker.Arrival? = nil,
    _ number: (_ place: Int, _ type: FieldType) -> Double
  ) {
    guard message.kind == stream.kind, message.isOfStream else { return }
    numbers.removeAll(keepingCapacity: true)
    for (place, field) in stream.types.enumerated() { numbers.append(number(place, field)) }
    let key = TrackKey(stream: stream.place, session: message.session, key: stream.key(in: numbers))
    guard let place = place(of: key) ?? addTrack(key, stream) else { return }
    tracks[place].add(message, numbers, number: stream.number(in: numbers), arrival: arrival)
  }

  private mutating func place(of key: TrackKey) -> Int? {
    if recent[key.stream].key == key { return recent[key.stream].track }
    guard let place = trackPlaces[key] else { return nil }
    recent[key.stream] = (key, place)
    return place
  }

  /// An answer came with this number in the field that accepts.
  public mutating func add(_ message: TimelineMessage, answering code: UInt64) {
    guard message.isValid else { return }
    asking[message.conversation]?.answer(message.kind, code, at: message.time)
  }

  /// Something was found.
  public mutating func add(finding rule: String, _ severity: Severity, packet: Int, at time: Timestamp) {
    let place = findingPlaces[rule] ?? findings.count
    if place == findings.count {
      findings.append(FindingLane(rule: rule, severity: severity, marks: ReducedMarks(grid)))
      findingPlaces[rule] = place
    }
    findings[place].marks.add(packet: packet, at: time)
  }

  /// All has been read.
  ///
  /// - Parameters:
  ///   - ends: the time of the last message of each session, from either side.
  ///   - end: when the recording ended.
  public mutating func finish(sessions ends: [Int: Timestamp], end: Timestamp) {
    for place in tracks.indices where tracks[place].merge == .latest {
      // Outside a session a stream may end whenever it likes: nothing of it grows old.
      let id = tracks[place].id
      let owner = streams.lazy.map(\.kind.owner).first { $0.name == id.owner }
      let isOutside = id.session == 0 && owner?.session != nil
      if !isOutside { tracks[place].finish(at: ends[id.session] ?? end) }
    }
    tracks.sort { $0.id.order.lexicographicallyPrecedes($1.id.order) }
    // Their places have changed.
    (trackPlaces, recent) = ([:], [])
    findings.sort { ($1.severity.rawValue, $0.rule) < ($0.severity.rawValue, $1.rule) }
    findingPlaces = [:]
  }

  /// The numbers of the messages from a little before a part of the time to its end, and when they begin; nil where there
  /// are none.
  public func messages(within part: TimeGrid) -> (ids: ClosedRange<Int>, from: Timestamp)? {
    let columns = grid.columns(within: part)
    guard let last = columns.last(where: { places[$0].last > 0 }) else { return nil }
    var first = columns.first { places[$0].first > 0 } ?? last
    // The value at the beginning of the part came before it.
    var more = 2
    for column in stride(from: columns.lowerBound - 1, through: max(0, columns.lowerBound - 4_096), by: -1)
    where more > 0 && places[column].first > 0 {
      first = column
      more -= 1
    }
    let ids = columns.filter { places[$0].first > 0 } + [first]
    let low = ids.map { places[$0].first }.min() ?? 1
    let high = ids.map { places[$0].last }.max() ?? 1
    return (low...high, grid.middle(of: first).advanced(byNanoseconds: -grid.length / Int64(2 * grid.columns)))
  }

  /// The same in other columns.
  public func reduced(to grid: TimeGrid) -> CaptureTimeline {
    var result = CaptureTimeline(grid, [])
    result.types = types.map { lane in
      var lane = lane
      lane.marks = lane.marks.reduced(to: grid)
      return lane
    }
    result.findings = findings.map { lane in
      var lane = lane
      lane.marks = lane.marks.reduced(to: grid)
      return lane
    }
    let map = GridMap(from: self.grid, to: grid)
    result.tracks = tracks.map { $0.reduced(by: map) }
    result.roundTrips = roundTrips.map { trips in
      var trips = trips
      trips.curve = trips.curve.reduced(by: map)
      return trips
    }
    result.leftOut = leftOut
    result.runs = runs.map { $0.reduced(to: grid) }
    return result
  }

  // MARK: - Parts

  private mutating func addType(_ key: TypeKey) -> Int {
    let (owner, name) = (key.kind.owner.name, key.kind.name)
    let known = types.firstIndex { $0.owner == owner && $0.name == name && $0.direction == key.direction }
    if known == nil {
      types.append(TypeLane(owner: owner, name: name, direction: key.direction, marks: ReducedMarks(grid)))
    }
    let place = known ?? types.count - 1
    typePlaces[key] = place
    return place
  }

  private mutating func addTrack(_ key: TrackKey, _ stream: DrawnStream) -> Int? {
    let id = TimelineTrack.Identity(
      owner: stream.owner.name, stream: stream.rules.name, session: key.session, key: key.key)
    guard preferred?.contains(key.session) ?? true || key.session == 0, tracks.count < CaptureTimeline.mostTracks else {
      if leftOut.count < 1_000 { leftOut.insert(id) }
      return nil
    }
    var track = TimelineTrack(id, stream, grid)
    if let earlier = earlier[id], let resumed { track.resume(earlier, at: resumed) }
    tracks.append(track)
    trackPlaces[key] = tracks.count - 1
    return tracks.count - 1
  }

  private mutating func addAsking(_ message: TimelineMessage) {
    guard message.kind.asks || message.kind.answers else { return }
    if asking[message.conversation] == nil {
      guard asking.count < CaptureTimeline.mostConversations else { return }
      asking[message.conversation] = Asking(message.kind.owner)
    }
    if message.kind.asks {
      asking[message.conversation]?.ask(at: message.time)
    } else {
      asking[message.conversation]?.answer()
    }
  }

  private mutating func addRoundTrip(_ message: TimelineMessage) {
    addAsking(message)
    if message.kind.asks { asked.ask(in: message.conversation, at: message.time) }
    guard message.kind.answers, let time = asked.answer(in: message.conversation) else { return }
    let owner = message.kind.owner
    let place = roundTrips.firstIndex { $0.owner == owner.name } ?? roundTrips.count
    if place == roundTrips.count {
      let curve = TimelineTrack.Curve(
        name: "round trip", unit: "ms", shape: .points, reduced: ReducedCurve(grid), range: nil)
      roundTrips.append(
        RoundTrips(owner: owner.name, ask: owner.asking?.message ?? "", answer: message.kind.name, curve: curve))
    }
    roundTrips[place].curve.add(Double(message.time.nanoseconds(since: time)) / 1e6, at: message.time)
  }
}

extension TimelineTrack.Identity {
  /// By session, then by name; what belongs to none comes last.
  fileprivate var order: [String] {
    if session == 0 { return ["~", owner, stream, "\(key)"] }
    let number = "\(session)"
    return [String(repeating: "0", count: max(0, 20 - number.count)) + number, owner, stream, "\(key)"]
  }
}

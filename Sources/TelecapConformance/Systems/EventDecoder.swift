import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

/// Decodes the output of a system under test into events, by the rules of its file and the messages delivered to it.
/// Where the system prints no sequence number, it finds the message by its values; it takes a rounded value for the
/// sent one. Feed it in order of time.
public struct EventDecoder {
  private var finder: EventMatcher
  /// The matches of rules so far.
  public var mapping: MappingStatistics { finder.mapping }
  private let peers: PeerAddresses
  private let fallback: Endpoint
  private let owner: WireProtocol?
  /// The precision of the program's numbers, where they are taken as rounded or truncated; nil otherwise.
  private let rounded: MappingStatistics?
  /// The streams of which a program prints each applied message.
  private let numbered: [JudgedStream]
  /// The delivered values, the newest last, by the names of the streams.
  private var sent: [String: [StreamValue]] = [:]
  /// The requested strengths, clamped, the newest last.
  private var strengths: [Float] = [0]
  /// Whether the system reported the end of its session, and no new one since.
  private var hasEnded = false
  /// The address and the session id of the last session request.
  private var client: (endpoint: Endpoint, id: UInt32)?
  /// The ids of all sessions that the system was asked for; empty for a system that requests them.
  private var asked: Set<UInt32> = []
  /// The last session that the system reported as open and not yet as closed.
  private var current: (endpoint: Endpoint, id: UInt32)?
  /// The last shown codes of each key of a stream of codes.
  private var states: [[UInt64]: StreamValues] = [:]
  /// The sent movement of each count since its last output, and its last printed value, by the names of their streams.
  private var moved: [String: [Double]] = [:]
  private var places: [String: [Double?]] = [:]
  /// The kinds of events that show codes in this protocol.
  private let coded: [EventRule.Kind]
  /// The last requested codes for rules that show codes, with their time; nil if others were requested shortly before,
  /// so that a line may be about either.
  private var codes: [String: (sent: [Int]?, time: Timestamp)] = [:]
  /// The interval in ns between messages after which the next line can only be about the later one.
  private static let apart: Nanoseconds = 30_000_000
  /// The evidence of the last line for its rule.
  private var finding = Finding.confirms

  /// The numbers of the last line with the sent ones, and whether they are equal.
  private var compared: [(field: String, shown: Double, sent: Double, isSame: Bool)] = []

  /// The evidence of a line for the rule that read it.
  private enum Finding: Hashable {
    /// The rule is right.
    case confirms
    /// None: the values are equal in any unit.
    case saysNothing
    /// The shown values were not sent.
    case isStrange
    /// The rule reads a wrong field.
    case misreads(String)
  }

  /// The maximum number of earlier messages to search: more than a stall delays.
  private static let memory = 4_096
  /// The maximum absolute value of a count, so that sums fit into an Int.
  private static let farthest = 1 << 40
  /// The number of the newest strengths that a busy program may be showing.
  private static let recent = 16

  /// A decoder for a system of this protocol with these peers; `file` is that of the rules.
  /// - Parameter rounded: the precision of its numbers if each is taken as rounded or truncated; if nil, a number with
  ///   few decimals only lacks zeros, unless the file declares its decimals.
  public init(
    rules: [EventRule], peers: PeerAddresses, _ owner: WireProtocol?, file: String = "",
    rounded: MappingStatistics? = nil
  ) {
    finder = EventMatcher(rules, file: file)
    self.rounded = rounded
    self.owner = owner
    let streams = owner?.shownStreams ?? []
    numbered = streams.filter { $0.showing == .messages }
    coded =
      streams.filter { !$0.codedFields.isEmpty }.map { .applied($0) } + Set(rules.map(\.kind)).filter(\.isRequested)
    self.peers = peers
    fallback = peers.anybody ?? Endpoint(.loopback, port: 0)
  }

  /// Handles a message that reached the system.
  public mutating func delivered(_ message: LoggedMessage) {
    guard message.isFramed else { return }
    let (kind, bytes, time) = (message.kind, message.bytes.span.bytes, message.time)
    if let asked = EventDecoder.single(kind, bytes) {
      if strengths.count >= 2 * EventDecoder.memory { strengths.removeFirst(EventDecoder.memory) }
      strengths += asked.map { Float($0) }
    } else if let stream = numbered.first(where: { $0.kind == kind }) {
      if bytes.byteCount >= kind.layout.fixedSize { keep(stream.value(in: bytes, 0), of: stream) }
    } else if kind.asks, let id = owner?.asking?.id.flatMap({ kind.layout[$0] })?.bits(in: bytes) {
      client = (peers.endpoint(of: message.peer, at: time) ?? fallback, UInt32(truncatingIfNeeded: id))
      asked.insert(UInt32(truncatingIfNeeded: id))
    }
    guard message.isValid else { return }
    for shown in coded {
      guard let sent = shown.codes(sentBy: kind, bytes) else { continue }
      let isClear = codes[shown.name].map { $0.sent == sent || time.nanoseconds(since: $0.time) >= Self.apart } ?? true
      codes[shown.name] = (isClear ? sent : nil, time)
    }
    for stream in kind.owner.streams where stream.merge == .sum && stream.events != nil {
      guard stream.message == kind.name || stream.also.contains(kind.name) else { continue }
      var deltas = StreamValues()
      NumberPlaces(stream.values.compactMap { kind.layout[$0] }).read(bytes, into: &deltas)
      let before = moved[stream.name] ?? []
      moved[stream.name] = deltas.indices.map { deltas[$0] + (before.indices.contains($0) ? before[$0] : 0) }
    }
  }

  /// The events of a line of output; empty where no rule matches. Updates the statistics of each rule.
  /// - Parameter isShown: whether the line is from a source of the system file; otherwise it yields no event.
  public mutating func events(printed line: some Collection<UInt8>, isShown: Bool = true) -> [PeerEvent] {
    finder.find(in: line, isShown: isShown).compactMap { event(of: $0) }
  }

  /// Handles a line of output after the end of the run, which yields no event.
  public mutating func late(_ line: some Collection<UInt8>) { finder.noteLate(line) }

  /// The event of a rule for a matching object. Stores its values.
  private mutating func event(of found: EventMatcher.Found) -> PeerEvent? {
    let rule = finder.rules[found.rule]
    let problem = finder.noteFields(of: found)
    (finding, compared) = (.confirms, [])
    let rounded = self.rounded
    let event = event(found.object, rule) { field in
      let own = rule.source(of: field).roundedBy(in: found.object)
      guard let tolerance = rounded?.tolerance(of: field, by: found.rule, isCoarse: true) else { return own }
      return rule.number(field, in: found.object).map { max(own ?? 0, tolerance.allowed(for: $0)) }
    }
    finder.note(found, fate(problem, lack: event == nil ? rule.lack(in: found.object) : nil))
    for (field, shown, sent, isSame) in compared {
      finder.compare(found, field, shown, with: sent, isSame: isSame)
    }
    if let shown = event?.codes(shownBy: rule.kind), let sent = codes[rule.kind.name]?.sent {
      finder.compare(found, shown, with: sent)
    }
    return event
  }

  /// The fate of an object with this problem, or this missing field.
  private func fate(_ problem: String?, lack: String?) -> EventMatcher.Fate {
    if case .misreads(let why) = finding { return .unread(problem ?? why) }
    if let problem = problem ?? lack { return .unread(problem) }
    return finding == .isStrange ? .stranger : .matched(isConfirmed: finding == .confirms)
  }

  /// Compares the movement of a count since its last output with the sent movement.
  private mutating func compareCounts(_ line: JSONNode, _ rule: EventRule, of stream: String) {
    let now = rule.kind.fields.map { rule.number($0, in: line) }
    let before = places.updateValue(now, forKey: stream)
    let deltas = moved.updateValue([], forKey: stream) ?? []
    for (place, field) in rule.kind.fields.enumerated() where place < deltas.count {
      guard let to = now[place], let from = before?[place] else { continue }
      compared.append((field, to - from, deltas[place], to - from == deltas[place]))
    }
  }

  /// - Parameter roundedBy: the maximum rounding error of a number in the line; nil where it is printed in full.
  private mutating func event(
    _ line: JSONNode, _ rule: EventRule, _ roundedBy: (_ field: String) -> Double?
  ) -> PeerEvent? {
    func integer(_ field: String) -> Int? { rule.whole(field, in: line)?.signed.flatMap { Int(exactly: $0) } }
    switch rule.kind {
    case .applied(let stream): return applied(stream, line, rule, roundedBy).map { .applied($0) }
    case .note(let kind): return note(kind, line, rule).map { .note($0) }
    case .sessionOpened:
      states = [:]
      let who = peer(line, rule, unless: client)
      let id = UInt32(truncatingIfNeeded: integer("session_id") ?? Int(client?.id ?? 0))
      if rule.fields["session_id"] != nil, integer("session_id") != nil, !asked.isEmpty, !asked.contains(id) {
        finding = .misreads("\"session_id\" cannot be read: nobody asked for a session \(id)")
      }
      current = (who, id)
      hasEnded = false
      return .sessionOpened(who, sessionID: id)
    case .sessionClosed:
      let reason = rule.text("reason", in: line).flatMap(PeerEvent.CloseReason.init) ?? .timeout
      let known = current ?? client
      current = nil
      hasEnded = true
      let id = integer("session_id").map { UInt32(truncatingIfNeeded: $0) } ?? known?.id ?? 0
      return .sessionClosed(peer(line, rule, unless: known), sessionID: id, reason)
    // `DeviceReading` reads devices.
    case .told: return nil
    }
  }

  // MARK: - Kinds

  /// A note: its fields with words must exist, and one of its numbers, unless a condition identifies the line.
  private func note(_ kind: NoteKind, _ line: JSONNode, _ rule: EventRule) -> PeerNote? {
    let shown = kind.fields.map { field -> Int? in
      guard let words = field.words else { return count(field.name, line, rule) }
      return rule.text(field.name, in: line).flatMap { words.firstIndex(of: $0) }
    }
    let needsAll = kind.fields.contains { $0.words != nil }
    guard needsAll ? !shown.contains(nil) : !rule.conditions.isEmpty || shown.contains(where: { $0 != nil }) else {
      return nil
    }
    func value(_ index: Int) -> Int? { shown.indices.contains(index) ? shown[index] : nil }
    return PeerNote(kind, value(0), value(1), value(2), value(3))
  }

  private mutating func applied(
    _ stream: JudgedStream, _ line: JSONNode, _ rule: EventRule, _ roundedBy: (_ field: String) -> Double?
  ) -> AppliedValue? {
    let fields = rule.kind.fields
    switch stream.showing {
    case .plain:
      return stream.applied(whole: { rule.whole($0, in: line) }, value: { rule.source(of: $0).value(in: line) })
    case .messages: return message(of: stream, line, rule, roundedBy)
    case .codes:
      let codes = (stream.keys + stream.values).compactMap { row in
        rule.whole(row.name, in: line).map { row.type.clamped($0) }
      }
      guard codes.count == stream.keys.count + stream.values.count else { return nil }
      let change = stream.rules.events?.change.flatMap { rule.number($0, in: line) }
      return state(stream, Array(codes.prefix(stream.keys.count)), codes.dropFirst(stream.keys.count), change)
    case .measure:
      return rule.number(fields[0], in: line).map {
        stream.showing([Double(strength($0, roundedBy(fields[0])))])
      }
    case .counts:
      let counts = fields.compactMap { count($0, line, rule) }
      guard counts.count == fields.count else { return nil }
      compareCounts(line, rule, of: stream.rules.name)
      return stream.showing(StreamValues(numbers: counts.map { .whole(WholeNumber($0)) }))
    case .bits:
      return bits(stream) { rule.number($0, in: line) }.map {
        stream.showing(StreamValues(numbers: [.whole(WholeNumber($0))]))
      }
    }
  }

  /// A count in a line, clamped: a program may print any number, and counts are added.
  private func count(_ field: String, _ line: JSONNode, _ rule: EventRule) -> Int? {
    let count = rule.whole(field, in: line)?.signed.flatMap { Int(exactly: $0) }
    return count.map { max(-EventDecoder.farthest, min(EventDecoder.farthest, $0)) }
  }

  /// The values that a message of a stream with one value in a range may set: its own and the clamped one, or the
  /// lowest for NaN; nil for other messages.
  private static func single(_ kind: MessageKind, _ bytes: RawSpan) -> [Double]? {
    let rules = kind.owner.streams.first { $0.message == kind.name && $0.values.count == 1 && $0.range != nil }
    guard let rules, let range = rules.range, let row = kind.layout[rules.values[0]] else { return nil }
    var values = StreamValues()
    NumberPlaces([row]).read(bytes, into: &values)
    return values.first.map { value in
      if value.isNaN { return [range.lowerBound] }
      let clamped = min(max(value, range.lowerBound), range.upperBound)
      return clamped == value ? [value] : [value, clamped]
    }
  }

  /// The strength that a program shows: the one just requested, possibly rounded, even if an older one is printed in
  /// full; else the last possible one; else the printed number. After the end of its session it shows none that was
  /// requested.
  private mutating func strength(_ shown: Double, _ half: Double?) -> Float {
    let own = Float(shown)
    if own == 0 { finding = .saysNothing }
    func meant(among strengths: some BidirectionalCollection<Float>) -> Float? {
      half.flatMap { half in strengths.last { (Double($0) - shown).magnitude <= half } }
    }
    if !hasEnded, let meant = meant(among: strengths.suffix(EventDecoder.recent)) { return meant }
    if strengths.contains(own) { return own }
    if let meant = meant(among: strengths) { return meant }
    // NaN is the same in any unit.
    if own.isFinite { finding = .isStrange }
    return own
  }

  /// The state of a stream of codes, 0 at first.
  private mutating func state(
    _ stream: JudgedStream, _ key: [UInt64], _ codes: ArraySlice<UInt64>, _ change: Double?
  ) -> AppliedValue {
    var value = stream.showing(StreamValues(numbers: codes.map { .whole(WholeNumber($0)) }), key: key)
    let before = states.updateValue(value.values, forKey: key) ?? StreamValues(codes.map { _ in 0 })
    value.isChange = change.map { $0 != 0 } ?? (before != value.values)
    return value
  }

  private func bits(_ stream: JudgedStream, _ number: (String) -> Double?) -> UInt8? {
    if let bitmap = number(stream.fields[0]) { return UInt8(exactly: bitmap.rounded()) }
    let bits: [UInt8] = stream.codedFields.enumerated().compactMap { bit, name in
      number(name).map { $0 != 0 ? 1 << UInt8(bit) : 0 }
    }
    return bits.isEmpty ? nil : bits.reduce(0, |)
  }

  /// The peer that an event names; that of `known` if it names none.
  private mutating func peer(
    _ line: JSONNode, _ rule: EventRule, unless known: (endpoint: Endpoint, id: UInt32)?
  ) -> Endpoint {
    if let text = rule.text("peer", in: line) {
      if let known = peers.ends.first(where: { "\($0)" == text }) { return known }
      if let colon = text.lastIndex(of: ":"), let known = peer(port: text[text.index(after: colon)...]) { return known }
    }
    if let port = rule.text("port", in: line), let known = peer(port: port[...]) { return known }
    for field in ["peer", "port"] where rule.fields[field] != nil && rule.source(of: field).stands(in: line) {
      let end = peers.ends.first.map { ", such as \($0)" } ?? ""
      let text = rule.text(field, in: line) ?? ""
      finding = .misreads("\"\(field)\" cannot be read: \"\(text)\" is none of telecap's addresses\(end)")
    }
    return known?.endpoint ?? fallback
  }

  /// Finds a peer by its port, in which our addresses differ.
  private func peer(port: Substring) -> Endpoint? {
    UInt16(port).flatMap { port in peers.ends.first { $0.port == port } }
  }

  private mutating func keep(_ value: StreamValue, of stream: JudgedStream) {
    let name = stream.rules.name
    if sent[name, default: []].count >= 2 * EventDecoder.memory { sent[name]?.removeFirst(EventDecoder.memory) }
    sent[name, default: []].append(value)
  }

  /// The delivered message that an event shows, by its sequence number or its values; the message provides values that
  /// the event lacks. An unknown message is reported as it is shown, and without a number as the newest.
  private mutating func message(
    of stream: JudgedStream, _ line: JSONNode, _ rule: EventRule, _ roundedBy: (_ field: String) -> Double?
  ) -> AppliedValue? {
    let shown = ShownMessage(of: stream, { rule.number($0, in: line) }, { rule.whole($0, in: line) }) { row, field in
      // Whole numbers are printed exactly, unless the program is known to round them.
      let isRounded = row.valueType.isFloat || rounded != nil || rule.source(of: field).decimals != nil
      return isRounded ? roundedBy(field) : nil
    }
    guard !shown.isEmpty else { return nil }
    let all = sent[stream.rules.name] ?? []
    if let own = all.last(where: { shown.isSame(as: $0) }) {
      compared = shown.compared(with: own)
      return shown.filled(from: own)
    }
    // A sent sequence number with other values is for the oracle to check.
    let same = shown.number.flatMap { number in all.last { $0.number == number } }
    if let other = misnumbered(shown, among: all) {
      let name = shown.numberName
      finding = .misreads(
        "\"\(name)\" cannot be read: \(shown.number ?? 0) is next to the values of the \(stream.rules.name) of \(name) \(other)"
      )
    } else if let same {
      compared = shown.compared(with: same)
    } else {
      finding = .isStrange
    }
    return shown.filled(from: same ?? (shown.number == nil ? all.last : nil))
  }

  /// The sequence number of the message whose values are printed with another message's number; nil where they match. A
  /// program that counts messages itself shows newer values than those of the number; one that applies a message
  /// wrongly may show older ones.
  private func misnumbered(_ shown: ShownMessage, among all: [StreamValue]) -> UInt64? {
    guard shown.number != nil, shown.count >= 3,
      let place = all.lastIndex(where: { shown.isSame(as: $0, isNumbered: false) })
    else { return nil }
    let own = all.lastIndex { $0.number == shown.number } ?? -1
    return place > own ? all[place].number : nil
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// A time in which a session, or a stream outside of one, missed something: a side that fell silent, a stream that paused or
/// stopped. Streams that are missing at the same time from one side of one session are one incident.
struct Incident {
  /// A missing stream, and for how long.
  struct Missing {
    /// The side that should have sent it; unknown if no side sent anything.
    var side: Direction
    /// The stream, or the message that answers; nil where nothing came at all.
    var name: String?
    var from: Timestamp
    var until: Timestamp
    /// How far apart it comes usually, in ns; nil for what is no stream.
    var usual: Nanoseconds?
    /// So many messages of it came nevertheless.
    var messages = 0

    /// So long that a session would be lost meanwhile, and hardly anything came.
    fileprivate var isLong: Bool {
      let length = until.nanoseconds(since: from)
      return length >= 3_000_000_000 && length / Int64(messages + 1) >= 1_000_000_000
    }
  }

  /// The cause of an incident, if it is not only a missing stream.
  enum Cause: Hashable {
    case silence
    /// A session was asked for and refused so often, with these words.
    case refused(String, times: Int)
    /// Nobody answered a message that asks for a session, so often.
    case unanswered(String, times: Int)
    /// A stream came, so many messages of it, and said 0, no number, or one outside its range.
    case rest(Rest.Value, messages: Int)
    /// A message closed the session, and the same client opened this one soon.
    case closed(next: Session)
    /// A session was lost, and the same client opened this one later, in which these streams came again.
    case lost(next: Session, back: [Back])
    /// Messages of a stream came outside any session, so many.
    case outside(messages: Int)
    /// A stream never came in a session, though the other side sent its own.
    case never(beside: String)
  }

  /// A stream that came again.
  struct Back: Hashable {
    let name: String
    /// Its last message before, and its first after that.
    let last: Timestamp
    let first: Timestamp
  }

  /// The session; nil outside of one.
  let session: Session?
  /// The protocol; nil where it is not among those of the capture.
  let owner: WireProtocol?
  /// The missing streams, the earliest first.
  var missing: [Missing]
  /// The session ended with it, or the stream never came again.
  var isLast: Bool
  var cause = Cause.silence
  /// The step of the clock forward at which it begins: nobody knows whether anything was missing.
  private(set) var clockStep: NotedStep?

  /// When it began.
  var from: Timestamp { missing[0].from }
  /// When it was over.
  var until: Timestamp { missing.map(\.until).max() ?? from }
  /// The name of its kind, next to the findings of rules, which have severities of their own.
  var kind: String {
    if clockStep != nil { return "clock" }
    switch cause {
    case .refused: return "refused"
    case .rest(.zero, _): return "zero"
    case .rest(.notANumber, _): return "nan"
    case .rest(.outOfRange, _): return "range"
    case .closed: return "closed"
    case .outside: return "outside"
    case .lost: return "outage"
    case .silence, .unanswered, .never: break
    }
    if isLast || missing.contains(where: \.isLong) { return "outage" }
    return missing.allSatisfy { $0.messages > 0 } ? "slow" : "pause"
  }

  /// The same as people read it.
  var badge: String {
    switch kind {
    case "nan": "not a number"
    case "range": "out of range"
    case "zero": "only 0"
    case "clock": "clock set"
    case let kind: kind
    }
  }

  /// A pause that nobody would call one, in ns.
  static let shortest: Nanoseconds = 250_000_000
  /// A stream has stopped when nothing came for so many times its usual interval.
  private static let usual = 8

  /// Whether a stream that comes so far apart has paused when nothing came for `length`.
  static func isPause(_ length: Nanoseconds, usually interval: Nanoseconds) -> Bool {
    length > shortest && length / Int64(usual) > interval
  }

  /// How long it was, in ns; 0 where a session was closed on purpose, which need not be wrong, or the clock was set.
  private var length: Nanoseconds {
    if case .closed = cause { return 0 }
    return clockStep == nil ? until.nanoseconds(since: from) : 0
  }

  /// The incidents to show first, at most this number, and the others, both in their order. The first are the longest. Incidents
  /// without an end have half of the places: their length shows only when a side gave up or the recording ended.
  static func split(_ incidents: [Incident], most: Int) -> (worst: [Incident], others: [Incident]) {
    let longest = incidents.indices.sorted { (incidents[$1].length, $0) < (incidents[$0].length, $1) }
    let ended = longest.filter { incidents[$0].isLast }.prefix(most / 2)
    let worst = Set((ended + longest.filter { !ended.contains($0) }).prefix(most))
    func chosen(_ isWorst: Bool) -> [Incident] {
      incidents.indices.filter { worst.contains($0) == isWorst }.map { incidents[$0] }
    }
    return (chosen(true), chosen(false))
  }

  /// Those of a capture, by the time at which they began.
  static func all(_ picture: CapturePicture) -> [Incident] {
    let pauses = picture.timeline.tracks.flatMap { gaps($0, picture.summary) }
    let sessions = Dictionary(grouping: pauses) { $0.session?.id ?? 0 }
    var incidents = (sessions[0] ?? [])
    let order = SessionOrder(picture.summary.sessions.lazy.map(\.session))
    for entry in picture.summary.sessions {
      incidents += all(of: entry, sessions[entry.session.id] ?? [], picture.summary)
      incidents += [never(in: entry, picture.summary), followed(entry, order, picture)].compactMap(\.self)
    }
    incidents += picture.timeline.tracks.flatMap { rests($0, picture.summary) }
    incidents += picture.timeline.tracks.compactMap { outside($0, picture.summary) }
    incidents += picture.timeline.asking.values.flatMap(asking)
    let steps = picture.summary.interfaces.flatMap { NotedStep.all(in: $0.interface.comment) }
    if !steps.isEmpty { incidents = incidents.map { $0.explained(by: steps) } }
    return incidents.sorted { $0.from < $1.from }
  }

  /// The same, with the step of the clock forward at which something began to be missing.
  private func explained(by steps: [NotedStep]) -> Incident {
    var explained = self
    explained.clockStep = steps.first { step in
      missing.contains { $0.until > $0.from && step.begins($0.from, within: $0.usual ?? 0) }
    }
    return explained
  }

  /// Those of a session: its end with the streams that stopped before it, and the pauses on its way.
  private static func all(of entry: SessionSummary, _ gaps: [Incident], _ summary: CaptureSummary) -> [Incident] {
    guard let end = end(of: entry, summary) else { return merged(gaps) }
    var (whole, others) = (end, [Incident]())
    for gap in gaps {
      if gap.isLast, end.explains(gap) { whole.missing += gap.missing } else { others.append(gap) }
    }
    whole.missing.sort { ($0.from, $0.until) < ($1.from, $1.until) }
    return merged(others) + [whole]
  }

  /// Gaps of one side that overlap are one incident.
  private static func merged(_ gaps: [Incident]) -> [Incident] {
    var merged: [Incident] = []
    for gap in gaps.sorted(by: { $0.from < $1.from }) {
      let place = merged.firstIndex {
        $0.missing[0].side == gap.missing[0].side && gap.from < $0.until && $0.isLast == gap.isLast
      }
      if let place { merged[place].missing += gap.missing } else { merged.append(gap) }
    }
    return merged
  }

  /// The pauses of a stream.
  private static func gaps(_ track: TimelineTrack, _ summary: CaptureSummary) -> [Incident] {
    guard track.merge == .latest, track.count > 8, let interval = track.intervals.usual else { return [] }
    let owner = summary.protocols.first { $0.name == track.id.owner }
    let session = summary.sessions.first { $0.session.id == track.id.session }?.session
    return track.gaps.filter {
      // Outside a session a stream may end whenever it likes.
      !(session == nil && owner?.session != nil && $0.isLast) && isPause($0.interval, usually: interval)
    }.map { gap in
      let missing = Missing(
        side: track.direction, name: session == nil ? "\(track.id.owner) \(track.id.name)" : track.id.name,
        from: gap.start, until: gap.end, usual: interval, messages: gap.messages)
      return Incident(session: session, owner: owner, missing: [missing], isLast: gap.isLast)
    }
  }

  /// Where a stream came and said nothing to be felt.
  private static func rests(_ track: TimelineTrack, _ summary: CaptureSummary) -> [Incident] {
    let owner = summary.protocols.first { $0.name == track.id.owner }
    let session = summary.sessions.first { $0.session.id == track.id.session }?.session
    return (track.rests?.all ?? []).map { rest, isLast in
      let missing = Missing(
        side: track.direction, name: track.id.name, from: rest.start, until: rest.end, messages: rest.messages)
      return Incident(
        session: session, owner: owner, missing: [missing], isLast: isLast,
        cause: .rest(rest.value, messages: rest.messages))
    }
  }

  /// A stream of a protocol with sessions that came outside of one for a while. Messages before the first session belong
  /// to one that opened before the recording.
  private static func outside(_ track: TimelineTrack, _ summary: CaptureSummary) -> Incident? {
    let opened = summary.sessions.lazy.filter { $0.session.protocolName == track.id.owner }.map(\.session.opened).min()
    guard track.id.session == 0, track.merge == .latest, let opened, let first = track.first, let last = track.last,
      first > opened, last.nanoseconds(since: first) > shortest
    else { return nil }
    let missing = Missing(side: track.direction, name: track.id.name, from: first, until: last)
    let owner = summary.protocols.first { $0.name == track.id.owner }
    return Incident(
      session: nil, owner: owner, missing: [missing], isLast: false, cause: .outside(messages: track.count))
  }

  // MARK: - What never came

  /// Shorter than so many ns a session may well be without a stream.
  private static let short: Nanoseconds = 3_000_000_000

  /// That the host of a session sent none of its streams, though its client did.
  private static func never(in entry: SessionSummary, _ summary: CaptureSummary) -> Incident? {
    let session = entry.session
    guard session.lastSeen.nanoseconds(since: session.opened) >= short,
      let owner = summary.protocols.first(where: { $0.name == session.protocolName })
    else { return nil }
    let streams = owner.streams.filter { $0.merge == .latest }
    func sent(_ way: Direction) -> [StreamRules] {
      streams.filter { owner.kinds(named: $0.message).first?.layoutDirection == way }
    }
    func came(_ rules: StreamRules) -> Bool {
      ([rules.message] + rules.also).contains { entry.stream($0).arrivals.count > 0 }
    }
    let (fromServer, fromClient) = (sent(.serverToClient), sent(.clientToServer).filter(came))
    guard !fromServer.isEmpty, !fromServer.contains(where: came), !fromClient.isEmpty else { return nil }
    let missing = Missing(
      side: .serverToClient, name: fromServer.map(\.name).joined(separator: " or "), from: session.opened,
      until: session.lastSeen)
    let beside = fromClient.map(\.name).joined(separator: " and ")
    return Incident(session: session, owner: owner, missing: [missing], isLast: true, cause: .never(beside: beside))
  }

  /// That sessions were refused in a conversation, or that nobody answered there.
  private static func asking(_ asking: Asking) -> [Incident] {
    func incident(_ times: Asking.Times, _ side: Direction, isLast: Bool, _ cause: Cause) -> Incident {
      let missing = Missing(side: side, from: times.first, until: times.last)
      return Incident(session: nil, owner: asking.owner, missing: [missing], isLast: isLast, cause: cause)
    }
    var incidents = asking.refusals.sorted { $0.key < $1.key }.map { word, times in
      incident(
        times, .serverToClient, isLast: asking.accepted.map { $0 < times.last } ?? true,
        .refused(word, times: times.count))
    }
    // During a session, its own end is the incident.
    let least = asking.isAnswered ? 2 * (asking.owner.session?.timeout ?? short) : 1_000_000_000
    if let times = asking.unanswered, times.last.nanoseconds(since: times.first) >= least {
      let name = asking.owner.asking?.message ?? ""
      incidents.append(incident(times, .unknown, isLast: true, .unanswered(name, times: times.count)))
    }
    return incidents
  }

  // MARK: - How a session ended

  /// The maximum time from the end of a session to the next one of its client that suggests an unintended end, in ns.
  private static let soon: Nanoseconds = 30_000_000_000

  /// That a session was lost whose client opened another one later, or that a message closed it and its client did so soon.
  private static func followed(
    _ entry: SessionSummary, _ order: SessionOrder, _ picture: CapturePicture
  ) -> Incident? {
    let session = entry.session
    guard session.end == .bye || session.end == .timeout, let next = order.next(after: session) else { return nil }
    let isLost = session.end == .timeout
    let between = next.opened.nanoseconds(since: session.lastSeen)
    guard isLost ? between > shortest : between < soon else { return nil }
    let side: Direction = isLost ? .unknown : .clientToServer
    let missing = Missing(side: side, from: session.lastSeen, until: next.opened)
    let owner = picture.summary.protocols.first { $0.name == session.protocolName }
    let cause = isLost ? Cause.lost(next: next, back: back(session, next, picture.timeline)) : .closed(next: next)
    return Incident(session: session, owner: owner, missing: [missing], isLast: false, cause: cause)
  }

  /// The streams of a session that came again in another one.
  private static func back(_ session: Session, _ next: Session, _ timeline: CaptureTimeline) -> [Back] {
    timeline.tracks.filter { $0.id.session == session.id && $0.merge == .latest }.compactMap { track in
      var id = track.id
      id.session = next.id
      let again = timeline.tracks.first { $0.id == id }
      guard let last = track.last, let first = again?.first else { return nil }
      return Back(name: track.id.name, last: last, first: first)
    }
  }

  /// The end of a session that no message ended: who was silent, from when; nil for any other.
  private static func end(of entry: SessionSummary, _ summary: CaptureSummary) -> Incident? {
    let session = entry.session
    let owner = summary.protocols.first { $0.name == session.protocolName }
    switch session.end {
    case .open, .bye: return nil
    case .replaced:
      let missing = Missing(side: .unknown, from: session.lastSeen, until: session.lastSeen)
      return Incident(session: session, owner: owner, missing: [missing], isLast: true)
    case .timeout: return Incident(session: session, owner: owner, missing: [silence(of: entry, owner)], isLast: true)
    }
  }

  /// The side that fell silent first. The host owes answers to requests, and the streams that it had sent until then. A
  /// client without an answer for the session timeout has given up, whatever it sent until then: the host did not answer, or
  /// the client sent no request.
  private static func silence(of entry: SessionSummary, _ owner: WireProtocol?) -> Missing {
    let session = entry.session
    let answers = Set(owner?.messages.filter(\.answers).map(\.name) ?? []).sorted()
    let client = entry.fromClient.last ?? session.opened
    let host = entry.fromServer.last ?? session.opened
    let answered = answers.compactMap { entry.stream($0).arrivals.last }.max() ?? session.opened
    let asked = owner?.asking.flatMap { entry.stream($0.message).arrivals.last }
    let (isWaiting, timeout) = (asked.map { $0 > answered } ?? false, owner?.session?.timeout ?? 0)
    var missing = Missing(side: .clientToServer, from: client, until: session.lastSeen)
    // Messages after the end of the session do not count for it: the limit is a little less than its whole timeout.
    if isWaiting, session.carrier != .ble, client.nanoseconds(since: answered) >= timeout / 4 * 3 {
      missing = Missing(side: .serverToClient, from: answered, until: session.lastSeen)
      if host.nanoseconds(since: answered) > shortest { missing.name = answers.joined(separator: " or ") }
    } else if let asked, !isWaiting, session.carrier != .ble, client.nanoseconds(since: answered) >= timeout / 4 * 3 {
      missing = Missing(side: .clientToServer, name: owner?.asking?.message, from: asked, until: session.lastSeen)
    } else if session.carrier == .ble || client > host && (isWaiting || owes(entry.fromServer, until: client)) {
      missing = Missing(side: .serverToClient, from: host, until: session.lastSeen)
    }
    let others = missing.side == .serverToClient ? client : host
    if others.nanoseconds(since: missing.from).magnitude < shortest { missing.side = .unknown }
    // A session is over this time after its last keepalive, or later if one of its messages came until then.
    missing.until = max(session.lastSeen, missing.from.advanced(byNanoseconds: timeout))
    return missing
  }

  /// Whether more should have come, as it came before.
  private static func owes(_ arrivals: Arrivals, until end: Timestamp) -> Bool { arrivals.silence(until: end) != nil }

  /// Whether a stream stopped for the same reason as its session: its sender fell silent, or both did.
  private func explains(_ gap: Incident) -> Bool {
    missing[0].side == .unknown || missing[0].side == gap.missing[0].side
  }
}

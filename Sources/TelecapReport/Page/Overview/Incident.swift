import TelecapRecording
import TelecapText
import TelecapWire

/// A time in which a session, or a stream outside of one, missed something: a side that fell silent, a stream that paused or
/// stopped. What was missing at once from one side of one session is one incident.
struct Incident {
  /// What was missing, and how long.
  struct Missing {
    /// Whose it was; unknown where nobody sent anything.
    var side: Direction
    /// The stream, or the message that answers; nil where nothing came at all.
    var name: String?
    var from: Timestamp
    var until: Timestamp
    /// How far apart it comes usually, in ns; nil for what is no stream.
    var usual: Nanoseconds?
  }

  /// The session; nil outside of one.
  let session: Session?
  /// The protocol; nil where it is not among those of the capture.
  let owner: WireProtocol?
  /// What was missing, the earliest first.
  var missing: [Missing]
  /// The session ended with it, or the stream never came again.
  var isLast: Bool

  /// When it began.
  var from: Timestamp { missing[0].from }
  /// When it was over.
  var until: Timestamp { missing.map(\.until).max() ?? from }
  /// How it is called beside what was found by rules, which have severities of their own.
  var kind: String { isLast ? "outage" : "pause" }

  /// A pause that nobody would call one, in ns.
  static let shortest: Nanoseconds = 250_000_000
  /// A stream has stopped when nothing came for so many times its usual interval.
  private static let usual = 8

  /// Whether a stream that comes so far apart has paused when nothing came for `length`.
  static func isPause(_ length: Nanoseconds, usually interval: Nanoseconds) -> Bool {
    length > shortest && length / Int64(usual) > interval
  }

  /// Those of a capture, by the time at which they began.
  static func all(_ picture: CapturePicture) -> [Incident] {
    let pauses = picture.timeline.tracks.flatMap { gaps($0, picture.summary) }
    let sessions = Dictionary(grouping: pauses) { $0.session?.id ?? 0 }
    var incidents = (sessions[0] ?? [])
    for entry in picture.summary.sessions {
      incidents += all(of: entry, sessions[entry.session.id] ?? [], picture.summary)
    }
    return incidents.sorted { $0.from < $1.from }
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
    guard track.merge == .latest, track.count > 8, let first = track.first, let last = track.last else { return [] }
    let owner = summary.protocols.first { $0.name == track.id.owner }
    let session = summary.sessions.first { $0.session.id == track.id.session }?.session
    let interval = last.nanoseconds(since: first) / Int64(track.count - 1)
    return track.gaps.filter {
      // Outside a session a stream may end whenever it likes.
      !(session == nil && owner?.session != nil && $0.isLast) && isPause($0.length, usually: interval)
    }.map { gap in
      let missing = Missing(
        side: track.direction, name: session == nil ? "\(track.id.owner) \(track.id.name)" : track.id.name,
        from: gap.start, until: gap.start.advanced(byNanoseconds: gap.length),
        usual: interval)
      return Incident(session: session, owner: owner, missing: [missing], isLast: gap.isLast)
    }
  }

  // MARK: - How a session ended

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

  /// Who fell silent, as a session is followed (`SessionTracker`): the client by anything that it sends, the host by its
  /// answers where there are any.
  private static func silence(of entry: SessionSummary, _ owner: WireProtocol?) -> Missing {
    let session = entry.session
    let answers = Set(owner?.messages.filter(\.answers).map(\.name) ?? []).sorted()
    let client = entry.fromPhone.last ?? session.opened
    let host = entry.fromHost.last ?? session.opened
    let answered = answers.compactMap { entry.stream($0).arrivals.last }.max()
    let alive = session.carrier == .ble ? host : answered ?? host
    var missing = Missing(side: .hostToPhone, from: alive, until: session.lastSeen)
    if session.carrier != .ble, client <= alive {
      missing = Missing(side: .phoneToHost, from: client, until: session.lastSeen)
    } else if host.nanoseconds(since: alive) > shortest {
      missing.name = answers.joined(separator: " or ")
    }
    let others = missing.side == .hostToPhone ? client : host
    if abs(others.nanoseconds(since: missing.from)) < shortest { missing.side = .unknown }
    // A session is over so long after the last sign of life, or later where something of it came until then.
    let over = missing.from.advanced(byNanoseconds: owner?.session?.timeout ?? 0)
    missing.until = max(session.lastSeen, over)
    return missing
  }

  /// Whether a stream stopped for the same reason as its session: its sender fell silent, or both did.
  private func explains(_ gap: Incident) -> Bool {
    missing[0].side == .unknown || missing[0].side == gap.missing[0].side
  }
}

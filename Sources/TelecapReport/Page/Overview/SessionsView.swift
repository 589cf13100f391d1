import TelecapRecording
import TelecapText
import TelecapWire

/// The sessions of a capture as bars on one axis of time, as a template takes them.
struct SessionsView {
  struct Bar {
    let id: Int
    let name: String
    let title: String
    let y: Int
    let at: String
    let width: String
    /// The end of one that was lost, from when one side was silent; nil for any other.
    let silent: Part?
    let link: String
    let end: String
    let textAt: String
    let anchor: String
    let nudge: Int
    let rows: [Row]
    let peers: String
    let ending: String
    let length: String
  }

  /// A part of a bar, in per cent of the width.
  struct Part {
    let at: String
    let width: String
  }

  /// The messages in one direction, or of one type.
  struct Row {
    let name: String
    let count: String
    let rate: String
    let gap: String
    let lost: String
    /// When its last message came and how long the session went on without it, where that was more than a pause; nil otherwise.
    let ended: String?
    let endedLink: String
  }

  /// The busiest, or all of a few, by time.
  let bars: [Bar]
  let height: Int
  /// The others, each as a narrow bar; what does not overlap shares a row.
  let folded: [Bar]
  let foldedHeight: Int
  /// How many these are; nil where there are none.
  let foldedWords: String?
  let ticks: [TimelineView.TimeTick]
  let more: String?
  let isEmpty: Bool

  /// So many are drawn one below the other; of more than that only the busiest are.
  private static let most = 20
  private static let mostOpen = 12
  /// So many more are drawn in all.
  private static let mostFolded = 300
  private static let step = 26
  private static let foldedStep = 12

  init(_ summary: CaptureSummary, _ links: PageLinks) {
    let span = summary.span ?? summary.info.started...summary.info.started
    let length = max(1, Double(span.upperBound.nanoseconds(since: span.lowerBound)))
    let (shown, others) = SessionsView.split(summary.sessions)
    func bar(_ entry: SessionSummary, y: Int) -> Bar {
      SessionsView.bar(entry, y: y, span.lowerBound, length, summary, links)
    }
    bars = shown.enumerated().map { bar($1, y: $0 * Self.step) }
    height = bars.count * Self.step
    var rows = TimelineShade.Rows()
    folded = others.prefix(Self.mostFolded).map { entry in
      let (low, high) = SessionsView.share(entry.session, span.lowerBound, length)
      return bar(entry, y: rows.take(1, from: low, until: high) * Self.foldedStep)
    }
    foldedHeight = (folded.map(\.y).max() ?? 0) + Self.foldedStep
    foldedWords =
      others.isEmpty
      ? nil
      : Numbers.counted(others.count + summary.sessionsLeftOut, "further session") + ", with fewer messages"
    ticks = TimelineView.ticks(0...length / 1e9)
    let rest = others.count - folded.count + summary.sessionsLeftOut
    more = rest > 0 ? "\(Numbers.grouped(rest)) further sessions are not drawn." : nil
    isEmpty = bars.isEmpty
  }

  /// Those with the most messages where there are many, and the others, both by time.
  private static func split(_ sessions: [SessionSummary]) -> (shown: [SessionSummary], others: [SessionSummary]) {
    guard sessions.count > most else { return (sessions, []) }
    let chosen = Set(SessionSummary.busiest(sessions, most: mostOpen).map(\.session.id))
    return (
      sessions.filter { chosen.contains($0.session.id) }, sessions.filter { !chosen.contains($0.session.id) }
    )
  }

  /// From where to where of the whole a session reaches, 0…1.
  private static func share(_ session: Session, _ start: Timestamp, _ length: Double) -> (low: Double, high: Double) {
    let low = share(session.opened, start, length)
    return (low, max(low, share(session.lastSeen, start, length)))
  }

  private static func share(_ time: Timestamp, _ start: Timestamp, _ length: Double) -> Double {
    max(0, min(1, Double(time.nanoseconds(since: start)) / length))
  }

  /// The part of a session that was lost in which one side had fallen silent.
  private static func silent(_ entry: SessionSummary, _ start: Timestamp, _ length: Double) -> Part? {
    let session = entry.session
    guard session.end == .timeout else { return nil }
    let last = min(entry.fromServer.last ?? session.opened, entry.fromClient.last ?? session.opened)
    let (low, high) = (share(last, start, length), share(session.lastSeen, start, length))
    return Part(at: PlotCurve.place(low * 100), width: PlotCurve.place(max(0.3, (high - low) * 100)))
  }

  private static func bar(
    _ entry: SessionSummary, y: Int, _ start: Timestamp, _ length: Double, _ summary: CaptureSummary,
    _ links: PageLinks
  ) -> Bar {
    let session = entry.session
    let owner = summary.protocols.first { $0.name == session.protocolName }
    let (low, high) = share(session, start, length)
    let seconds = (from: low * length / 1e9, until: high * length / 1e9)
    let ending = SessionWords.ending(of: entry, owner, stillOpen: "open at the end of the recording")
    let name = "\(session.id) \(session.protocolName.printable), \(ending)"
    let client = owner?.rules.client.printable ?? "client"
    return Bar(
      id: session.id, name: name,
      title: "session \(session.id): \(Numbers.fixed(seconds.from, 3)) … "
        + "\(Numbers.fixed(seconds.until, 3)) s, \(ending)", y: y,
      at: PlotCurve.place(low * 100), width: PlotCurve.place(max(0.3, (high - low) * 100)),
      silent: silent(entry, start, length),
      link: links.time(seconds.from, seconds.until, seconds.from), end: entry.endKind,
      textAt: PlotCurve.place(low > 0.6 ? high * 100 : low * 100), anchor: low > 0.6 ? "end" : "start",
      nudge: low > 0.6 ? -6 : 6,
      rows: SessionsView.rows(entry, owner, client, start, links),
      peers: "\(client) \(session.client), host \(session.server), \(session.carrier.name)"
        + (session.sessionID.map { ", session_id \($0)" } ?? ""),
      ending: ending, length: "\(Numbers.fixed(seconds.until - seconds.from, 3)) s")
  }

  private static func rows(
    _ entry: SessionSummary, _ owner: WireProtocol?, _ client: String, _ start: Timestamp, _ links: PageLinks
  ) -> [Row] {
    let streams = owner.map { entry.streams(of: $0) } ?? []
    let all =
      [("from the \(client)", entry.fromClient, 0), ("from the host", entry.fromServer, 0)]
      + streams.map { ($0.name.printable, $0.arrivals, $0.missing) }
    return all.filter { $0.1.count > 0 }.map { name, arrivals, missing in
      let ended = arrivals.silence(until: entry.session.lastSeen)
      return Row(
        name: name, count: Numbers.grouped(arrivals.count),
        rate: arrivals.perSecond.map { "\(Numbers.fixed($0, 1))/s" } ?? "",
        gap: arrivals.gapWords(until: entry.session.lastSeen),
        lost: missing > 0 ? Numbers.grouped(missing) : "",
        ended: ended.map { "\(Incident.seconds($0, start)), for \(Incident.seconds(entry.session.lastSeen, $0))" },
        endedLink: ended.map { link($0, entry.session, start, links) } ?? "")
    }
  }

  /// The end of what came, with as much time before it as the session went on.
  private static func link(_ last: Timestamp, _ session: Session, _ start: Timestamp, _ links: PageLinks) -> String {
    let at = Double(last.nanoseconds(since: start)) / 1e9
    let rest = Double(session.lastSeen.nanoseconds(since: last)) / 1e9
    return links.time(max(0, at - rest), at + rest, at)
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// Something that a person would look for first: a session that fell silent, a stream that stopped, packets that are missing.
struct StandOut {
  /// A word with a colour and a mark: the severity of what a rule found, or what else it is.
  let kind: String
  let text: String
  /// When, in words; nil where it has no time.
  let time: String?
  let link: String

  private static let most = 12

  /// What stands out of a capture: the worst of it, by time; what has no time comes first.
  static func all(_ picture: CapturePicture, _ links: PageLinks) -> [StandOut] {
    let incidents = picture.incidents
    let (outages, pauses) = (incidents.filter(\.isLast), incidents.filter { !$0.isLast })
    let others = unread(picture.summary) + dropped(picture.summary) + findings(picture.summary, links)
    let shown = (outages + pauses).prefix(max(0, most - others.count)).sorted { $0.from < $1.from }
    return others.prefix(most) + shown.map { incident($0, picture.start, links) }
      + more(incidents.count - shown.count, picture, links)
  }

  /// That there is more, which the timeline shows.
  private static func more(_ count: Int, _ picture: CapturePicture, _ links: PageLinks) -> [StandOut] {
    if count <= 0 { return [] }
    let end = Double(picture.timeline.grid.end.nanoseconds(since: picture.start)) / 1e9
    let what = count == 1 ? "one more outage or pause is" : "\(Numbers.grouped(count)) more outages and pauses are"
    return [StandOut(kind: "pause", text: "\(what) on the timeline", time: nil, link: links.time(0, end, 0))]
  }

  /// That nothing in the packets was understood, and where they went.
  private static func unread(_ summary: CaptureSummary) -> [StandOut] {
    guard summary.isDissected, summary.packets > 0, summary.types.isEmpty else { return [] }
    var notes = summary.notes
    if notes.isEmpty { notes = ["no message was understood in the packets of the recording"] }
    return notes.map { StandOut(kind: "error", text: $0, time: nil, link: "#facts") }
  }

  private static func incident(_ incident: Incident, _ start: Timestamp, _ links: PageLinks) -> StandOut {
    StandOut(
      kind: incident.kind, text: incident.words(since: start), time: Incident.seconds(incident.from, start),
      link: incident.link(since: start, links))
  }

  private static func dropped(_ summary: CaptureSummary) -> [StandOut] {
    let dropped = summary.info.dropped.total
    if dropped == 0 { return [] }
    let text =
      "\(Numbers.grouped(dropped)) packets were dropped while recording: they are missing here, and may have been on the wire"
    return [StandOut(kind: "dropped", text: text, time: nil, link: "#facts")]
  }

  private static func findings(_ summary: CaptureSummary, _ links: PageLinks) -> [StandOut] {
    summary.findings.filter { $0.severity == "error" }.map { finding in
      let text =
        "\(finding.rule.printable) was found \(Incident.times(finding.count)), first in packet \(Numbers.grouped(finding.firstPacket))"
      return StandOut(kind: "error", text: text, time: nil, link: links.rule(finding.rule))
    }
  }
}

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
    let others = dropped(picture.summary) + findings(picture.summary, links)
    let shown = (outages + pauses).prefix(max(0, most - others.count)).sorted { $0.from < $1.from }
    return others.prefix(most) + shown.map { incident($0, picture.start, links) }
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
      let times = finding.count == 1 ? "once" : "\(Numbers.grouped(finding.count)) times"
      let text =
        "\(finding.rule.printable) was found \(times), first in packet \(Numbers.grouped(finding.firstPacket))"
      return StandOut(kind: "error", text: text, time: nil, link: links.rule(finding.rule))
    }
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// Something that a person would look for first: a session that fell silent, a stream that stopped, packets that are missing.
struct StandOut {
  /// A word with a colour and a mark: the severity of what a rule found, or what else it is.
  let kind: String
  /// The word that is read, where it is another than the kind.
  let badge: String
  let text: String
  /// Where more is said of it; nil where the text says all.
  var link: String?
  /// When, in words; nil where it has no time.
  var time: String?
  /// The place on the timeline.
  var timeLink = ""
  /// The packets of then; nil where they are not shown.
  var packets: String?
  /// How these are called.
  var packetWords = "packets"

  init(kind: String, badge: String? = nil, text: String, link: String? = nil) {
    (self.kind, self.badge, self.text, self.link) = (kind, badge ?? kind, text, link)
  }
}

/// The issue list of a capture for a template.
struct StandOuts {
  /// The issues without a time span, then the worst outages and pauses, by time.
  let shown: [StandOut]
  /// The other outages and pauses, by time.
  let folded: [StandOut]
  /// How many these are; nil where there are none.
  let foldedWords: String?
  /// That even these are not all.
  let more: String?

  private static let most = 12
  /// The maximum number of rules with errors in the list.
  private static let mostRules = 6
  /// So many more outages and pauses are listed.
  private static let mostFolded = 300

  init(_ picture: CapturePicture, _ links: PageLinks) {
    func told(_ incidents: some Sequence<Incident>) -> [StandOut] {
      incidents.map { StandOuts.incident($0, picture.start, links) }
    }
    let (worst, others) = Incident.split(picture.incidents, most: StandOuts.most)
    shown =
      StandOuts.unread(picture.summary) + StandOuts.dropped(picture.summary) + StandOuts.findings(picture, links)
      + told(worst)
    folded = told(others.prefix(StandOuts.mostFolded))
    let isCut = picture.timeline.tracks.contains(where: \.hasForgotten)
    let count = "\(isCut ? "at least " : "")\(Numbers.grouped(others.count)) lesser"
    let what = others.count == 1 ? "outage or pause" : "outages and pauses"
    foldedWords = others.isEmpty ? nil : "\(count) \(what)"
    let rest = others.count - folded.count
    more = rest > 0 ? "\(Numbers.grouped(rest)) of them are not listed: closer parts of the timeline show them." : nil
  }

  /// That nothing in the packets was understood, and where they went.
  private static func unread(_ summary: CaptureSummary) -> [StandOut] {
    guard summary.isDissected, summary.packets > 0, summary.types.isEmpty else { return [] }
    var notes = summary.notes
    if notes.isEmpty { notes = ["no message was understood in the packets of the recording"] }
    return notes.map { StandOut(kind: "error", text: $0, link: summary.unread.packets > 0 ? "#unread" : "#facts") }
  }

  private static func incident(_ incident: Incident, _ start: Timestamp, _ links: PageLinks) -> StandOut {
    var result = StandOut(kind: incident.kind, badge: incident.badge, text: incident.words(since: start))
    result.time = Incident.seconds(incident.from, start)
    result.timeLink = incident.link(since: start, links)
    result.packets = links.moment(seconds(incident.from, start))
    return result
  }

  private static func dropped(_ summary: CaptureSummary) -> [StandOut] {
    let dropped = summary.info.dropped.total
    if dropped == 0 { return [] }
    let text =
      "\(Numbers.grouped(dropped)) packets were dropped while recording: they are missing here, and may have been on the wire"
    return [StandOut(kind: "dropped", text: text, link: "#facts")]
  }

  /// The rules with errors, the most frequent first.
  private static func findings(_ picture: CapturePicture, _ links: PageLinks) -> [StandOut] {
    let errors = picture.summary.findings.filter { $0.severity == "error" }
    let told = errors.prefix(mostRules).map { finding in
      let text = "\(finding.rule.printable) was found \(Incident.times(finding.count)), first in"
      var result = StandOut(kind: "error", text: text, link: links.rule(finding.rule))
      result.packets = links.packet(finding.firstPacket) ?? links.rule(finding.rule)
      result.packetWords = "packet \(Numbers.grouped(finding.firstPacket))"
      if let time = picture.places.first(where: { $0.rule == finding.rule })?.places.first?.time {
        let at = seconds(time, picture.start)
        result.time = Incident.seconds(time, picture.start)
        result.timeLink = links.time(max(0, at - 0.5), at + 0.5, at)
      }
      return result
    }
    guard errors.count > mostRules else { return told }
    let rest = errors.count - mostRules
    let text = "\(Numbers.grouped(rest)) more \(rest == 1 ? "rule was" : "rules were") broken, which the findings name"
    return told + [StandOut(kind: "error", text: text, link: "#findings")]
  }

  private static func seconds(_ time: Timestamp, _ start: Timestamp) -> Double {
    Double(time.nanoseconds(since: start)) / 1e9
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// The contents of a capture for a template.
struct OverviewView {
  struct Fact {
    let name: String
    let value: String
    var isBad = false
  }

  struct Kind {
    let name: String
    let direction: String
    let count: String
    let rate: String
    let bytes: String
    let gap: String
  }

  struct Found {
    let severity: String
    let rule: String
    let count: String
    let first: String
    let link: String
  }

  let facts: [Fact]
  let standOuts: StandOuts
  /// The meanings of the badges in the issue list.
  let words: Markup?
  let sessions: SessionsView
  let kinds: [Kind]
  let findings: [Found]
  /// The traffic that was not understood; nil without any.
  let unread: UnreadView?
  let notes: [String]
  let isDissected: Bool

  init(_ picture: CapturePicture, _ links: PageLinks) {
    let summary = picture.summary
    facts = OverviewView.facts(summary)
    let outs = StandOuts(picture, links)
    let badges = Glossary.badges(outs.shown + outs.folded)
    (standOuts, words) = (outs, badges.isEmpty ? nil : Glossary.folded(badges))
    sessions = SessionsView(summary, links)
    kinds = summary.types.map { type in
      Kind(
        name: "\(type.protocolName.printable) \(type.type.printable)",
        direction: type.direction == .unknown ? "" : type.direction.name,
        count: Numbers.grouped(type.arrivals.count),
        rate: type.arrivals.perSecond.map { "\(Numbers.fixed($0, 1))/s" } ?? "",
        bytes: Numbers.grouped(type.bytes),
        gap: type.arrivals.gapWords(until: summary.end))
    }
    findings = summary.findings.map { finding in
      Found(
        severity: finding.severity.printable, rule: finding.rule.printable, count: Numbers.grouped(finding.count),
        first: Numbers.grouped(finding.firstPacket), link: links.rule(finding.rule))
    }
    unread = UnreadView(summary, name: picture.name)
    // A capture without any message is an issue.
    let range = summary.filter.map { "\($0.words). Counts are of this range; times count from its first packet." }
    notes = [range].compactMap(\.self) + picture.notes + (summary.types.isEmpty ? [] : summary.notes)
    isDissected = summary.isDissected
  }

  private static func facts(_ summary: CaptureSummary) -> [Fact] {
    let info = summary.info
    let length = summary.span.map { $0.upperBound.nanoseconds(since: $0.lowerBound) } ?? 0
    var facts: [Fact] = []
    if let span = summary.span {
      facts.append(Fact(name: "first packet", value: CalendarTime.exact(span.lowerBound)))
    }
    facts.append(
      Fact(
        name: "packets",
        value: "\(Numbers.grouped(summary.packets)) in \(Numbers.fixed(Double(length) / 1e9, 3)) s, "
          + Numbers.counted(summary.bytes, "byte")))
    let dropped = info.dropped
    facts.append(
      Fact(
        name: "dropped while recording",
        value: "\(Numbers.grouped(dropped.total)) (kernel \(dropped.kernel), interface \(dropped.interface), "
          + "queue \(dropped.queue))", isBad: dropped.total > 0))
    for relay in info.relays {
      let words =
        relay.losses
        ?? "\(Numbers.grouped(relay.clients)) \(relay.clients == 1 ? "client" : "clients"), nothing lost"
      facts.append(Fact(name: "relay", value: "\(relay.route), \(words)".printable, isBad: relay.losses != nil))
    }
    facts.append(
      Fact(name: "from", value: "\(info.source)\(info.filter.isEmpty ? "" : ", filter \(info.filter)")".printable))
    facts.append(
      Fact(
        name: "written by",
        value: "\(info.tool) \(info.version)\(info.host.isEmpty ? "" : " on \(info.host)")".printable))
    if !info.clock.isEmpty { facts.append(Fact(name: "clock", value: info.clock.printable)) }
    if !info.commandLine.isEmpty { facts.append(Fact(name: "command", value: info.commandLine.printable)) }
    for entry in summary.interfaces {
      let name = entry.interface.name.isEmpty ? "(unnamed)" : entry.interface.name
      let about = entry.interface.description
      let lines = (about.isEmpty ? [] : [about]) + entry.interface.comment.split(separator: "\n").map(String.init)
      let comment = lines.isEmpty ? "" : ": \(lines.joined(separator: "; "))"
      facts.append(
        Fact(name: "interface", value: "\(name), \(Numbers.counted(entry.packets, "packet"))\(comment)".printable))
    }
    if info.ended == nil {
      facts.append(Fact(name: "ended", value: "no: it goes on, or was killed", isBad: true))
    }
    if let damage = info.damage { facts.append(Fact(name: "damaged", value: damage.printable, isBad: true)) }
    return facts
  }
}

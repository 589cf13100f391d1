import TelecapRecording
import TelecapText
import TelecapWire

/// A capture's summary as a person reads it. Names, comments and rules are what the capture says: `printable` each.
public struct SummaryText {
  private let summary: CaptureSummary
  private let style: Style

  /// The text of this summary.
  public init(_ summary: CaptureSummary, style: Style) {
    self.summary = summary
    self.style = style
  }

  /// Its lines, for a recording that is called `path`.
  public func lines(of path: String) -> [String] {
    var lines = [style.bold(path.printable)] + facts() + ["interfaces"] + interfaces()
    if !summary.isDissected { return lines + ["messages are not derived yet"] }
    lines += ["messages"] + types() + summary.notes.map { "  \($0)" }
    lines += summary.sessions.isEmpty ? ["no sessions"] : ["sessions"] + summary.sessions.flatMap(session)
    return lines + (summary.findings.isEmpty ? ["no findings"] : ["findings"] + findings())
  }

  private func facts() -> [String] {
    let info = summary.info
    var table = TextTable()
    table.add("written by", "\(info.tool) \(info.version)\(info.host.isEmpty ? "" : " on \(info.host)")".printable)
    table.add("from", "\(info.source)\(info.filter.isEmpty ? "" : ", filter \(info.filter)")".printable)
    table.add("clock", info.clock.printable)
    if let filter = summary.filter { table.add("range", filter.words) }
    if let span = summary.span {
      table.add("first packet", CalendarTime.exact(span.lowerBound))
      table.add("last packet", CalendarTime.exact(span.upperBound))
    }
    table.add(
      "packets", "\(Numbers.grouped(summary.packets)) in \(duration), \(Numbers.counted(summary.bytes, "byte"))")
    let notes = summary.notesOfPackets
    if notes.comments > 0 { table.add("comments", "\(Numbers.grouped(notes.comments)), of packets") }
    if notes.inbound + notes.outbound > 0 {
      table.add("direction", "\(Numbers.grouped(notes.inbound)) received, \(Numbers.grouped(notes.outbound)) sent")
    }
    if !summary.unread.entered.isEmpty { table.add("found inside", summary.unread.enteredInWords) }
    let dropped = info.dropped
    let drops = "\(dropped.total) (kernel \(dropped.kernel), interface \(dropped.interface), queue \(dropped.queue))"
    if summary.filter == nil { table.add("dropped", dropped.total > 0 ? style.bad(drops) : drops) }
    for relay in info.relays {
      let losses = relay.losses.map(style.bad) ?? "\(relay.clients) clients, nothing lost"
      table.add("relay", "\(relay.route.printable), \(losses)")
    }
    if info.ended == nil { table.add("ended", style.bad("no: it goes on, or was killed")) }
    if let damage = info.damage { table.add("damaged", style.bad(damage.printable)) }
    return table.lines()
  }

  private var duration: String {
    let span = summary.span.map { $0.upperBound.nanoseconds(since: $0.lowerBound) } ?? 0
    return "\(Numbers.fixed(Double(span) / 1e9, 3)) s"
  }

  private func interfaces() -> [String] {
    var table = TextTable(rightAligned: [2, 3])
    for entry in summary.interfaces {
      let name = entry.interface.name.isEmpty ? "(unnamed)" : entry.interface.name.printable
      table.add(
        name, "link type \(entry.interface.linkType)", Numbers.counted(entry.packets, "packet"),
        Numbers.counted(entry.bytes, "byte"))
    }
    return zip(table.lines(), summary.interfaces).flatMap { line, entry in
      let lines = [entry.interface.description] + entry.interface.comment.split(separator: "\n").map(String.init)
      let comments = lines.filter { !$0.isEmpty }.map(\.printable)
      return comments.count == 1 ? ["\(line)  \(comments[0])"] : [line] + comments.map { "  \($0)" }
    }
  }

  private func types() -> [String] {
    var table = TextTable(rightAligned: [3, 4, 5])
    for type in summary.types {
      table.add(
        type.protocolName.printable, type.type.printable, type.direction.name, Numbers.grouped(type.arrivals.count),
        rate(type.arrivals),
        Numbers.counted(type.bytes, "byte"), gap(type.arrivals, summary.end))
    }
    return table.lines()
  }

  private func session(_ entry: SessionSummary) -> [String] {
    let session = entry.session
    let owner = summary.protocols.first { $0.name == session.protocolName }
    let client = owner?.rules.client.printable ?? "client"
    let id = session.sessionID.map { ", session_id \($0)" } ?? ""
    let length = Double(session.lastSeen.nanoseconds(since: session.opened)) / 1e9
    var table = TextTable(rightAligned: [1, 2])
    row("from the \(client)", entry.fromClient, "", session.lastSeen, &table)
    row("from the host", entry.fromServer, "", session.lastSeen, &table)
    for stream in owner.map(entry.streams) ?? [] {
      let lost = stream.missing > 0 ? ", " + style.bad("\(Numbers.grouped(stream.missing)) lost by seq") : ""
      row(stream.name.printable, stream.arrivals, lost, session.lastSeen, &table)
    }
    return [
      "  \(session.id)  \(session.protocolName.printable) \(session.carrier.name), \(client) \(session.client), host \(session.server)\(id), "
        + "\(Numbers.fixed(length, 3)) s, \(SessionWords.ending(of: entry, owner, stillOpen: "still open"))"
    ] + table.lines(indent: "     ")
  }

  private func row(
    _ name: String, _ arrivals: Arrivals, _ more: String, _ end: Timestamp, _ table: inout TextTable
  ) {
    guard arrivals.count > 0 else { return }
    table.add(name, Numbers.grouped(arrivals.count), rate(arrivals), gap(arrivals, end) + more)
  }

  private func gap(_ arrivals: Arrivals, _ end: Timestamp) -> String {
    let words = arrivals.gapWords(until: end)
    return words.isEmpty ? "" : "longest gap \(words)"
  }

  private func rate(_ arrivals: Arrivals) -> String { arrivals.perSecond.map { "\(Numbers.fixed($0, 1))/s" } ?? "" }

  private func findings() -> [String] {
    var table = TextTable(rightAligned: [1])
    for finding in summary.findings {
      let severity = Severity.allCases.first { $0.name == finding.severity } ?? .note
      table.add(
        style.severity(severity, finding.severity.printable.padded(to: 7)), Numbers.grouped(finding.count),
        finding.rule.printable,
        style.dim("first in packet \(finding.firstPacket)"))
    }
    return table.lines()
  }
}

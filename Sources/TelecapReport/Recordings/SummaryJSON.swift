import TelecapRecording
import TelecapText
import TelecapWire

/// A capture's summary as one JSON object on a line.
public enum SummaryJSON {
  /// Writes it.
  public static func write(_ summary: CaptureSummary, to json: inout JSONWriter) {
    json.beginObject()
    facts(summary, &json)
    json.beginArray("interfaces")
    for entry in summary.interfaces {
      json.beginObject()
      json.put("name", entry.interface.name)
      if !entry.interface.description.isEmpty { json.put("description", entry.interface.description) }
      json.put("link_type", entry.interface.linkType)
      json.put("packets", entry.packets)
      json.put("bytes", entry.bytes)
      json.endObject()
    }
    json.endArray()
    json.put("dissected", summary.isDissected)
    types(summary, &json)
    sessions(summary, &json)
    findings(summary, &json)
    leftOut(summary, &json)
    summary.unread.write(to: &json)
    json.endObject()
    json.endLine()
  }

  private static func facts(_ summary: CaptureSummary, _ json: inout JSONWriter) {
    let info = summary.info
    json.put("tool", info.tool)
    json.put("version", info.version)
    json.put("host", info.host)
    json.put("source", info.source)
    json.put("filter", info.filter)
    if let filter = summary.filter {
      json.beginObject("range")
      json.put("from_ns", filter.window.from)
      if filter.window.until != .max { json.put("until_ns", filter.window.until) }
      json.put("packets_of_recording", filter.total)
      json.endObject()
    }
    json.put("packets", summary.packets)
    json.put("bytes", summary.bytes)
    let notes = summary.notesOfPackets
    if notes != PacketNoteCounts() {
      json.beginObject("packet_notes")
      json.put("comments", notes.comments)
      json.put("inbound", notes.inbound)
      json.put("outbound", notes.outbound)
      json.endObject()
    }
    if let span = summary.span {
      json.put("first_ns", span.lowerBound.nanoseconds)
      json.put("last_ns", span.upperBound.nanoseconds)
    }
    json.put("ended", info.ended != nil)
    // Drops are counted for the whole recording only.
    if summary.filter == nil {
      json.beginObject("dropped")
      json.put("kernel", info.dropped.kernel)
      json.put("interface", info.dropped.interface)
      json.put("queue", info.dropped.queue)
      json.endObject()
    }
    RelayTally.write(info.relays, to: &json)
    if let damage = info.damage { json.put("damage", damage) }
  }

  private static func types(_ summary: CaptureSummary, _ json: inout JSONWriter) {
    json.beginArray("types")
    for type in summary.types {
      json.beginObject()
      json.put("protocol", type.protocolName)
      json.put("type", type.type)
      json.put("direction", type.direction.name)
      json.put("bytes", type.bytes)
      members(type.arrivals, &json)
      json.endObject()
    }
    json.endArray()
  }

  private static func sessions(_ summary: CaptureSummary, _ json: inout JSONWriter) {
    json.beginArray("sessions")
    for entry in summary.sessions {
      let session = entry.session
      json.beginObject()
      json.put("id", session.id)
      json.put("protocol", session.protocolName)
      json.put("carrier", session.carrier.name)
      json.put("client", session.client.description)
      json.put("server", session.server.description)
      if let id = session.sessionID { json.put("session_id", id) }
      json.put("opened_ns", session.opened.nanoseconds)
      json.put("last_seen_ns", session.lastSeen.nanoseconds)
      json.put("ended", session.end.rawValue)
      if let refusal = entry.refusal { json.put("refused", refusal.word) }
      for (name, arrivals) in [("from_client", entry.fromClient), ("from_server", entry.fromServer)] {
        json.key(name)
        json.beginObject()
        members(arrivals, &json)
        json.endObject()
      }
      if let owner = summary.protocols.first(where: { $0.name == session.protocolName }) {
        streams(entry.streams(of: owner), &json)
      }
      json.endObject()
    }
    json.endArray()
  }

  /// The counts of left-out sessions and rules, and schema additions of the user.
  private static func leftOut(_ summary: CaptureSummary, _ json: inout JSONWriter) {
    if summary.sessionsLeftOut > 0 { json.put("sessions_left_out", summary.sessionsLeftOut) }
    if summary.rulesLeftOut > 0 { json.put("rules_left_out", summary.rulesLeftOut) }
    guard !summary.additions.isEmpty else { return }
    json.put("additions", texts: summary.additions)
    json.put("addition_count", summary.additionCount)
  }

  private static func streams(_ streams: [StreamSummary], _ json: inout JSONWriter) {
    json.beginArray("streams")
    for stream in streams {
      json.beginObject()
      json.put("message", stream.name)
      json.put("lost", stream.missing)
      members(stream.arrivals, &json)
      json.endObject()
    }
    json.endArray()
  }

  private static func findings(_ summary: CaptureSummary, _ json: inout JSONWriter) {
    json.beginArray("findings")
    for finding in summary.findings {
      json.beginObject()
      json.put("rule", finding.rule)
      json.put("severity", finding.severity)
      json.put("count", finding.count)
      json.put("first_packet", finding.firstPacket)
      json.endObject()
    }
    json.endArray()
  }

  private static func members(_ arrivals: Arrivals, _ json: inout JSONWriter) {
    json.put("count", arrivals.count)
    json.put("largest_gap_ns", arrivals.largestGap)
    if let rate = arrivals.perSecond { json.put("per_second", rate) }
  }
}

import TelecapConformance
import TelecapRecording
import TelecapText

/// The lines of a log that are shown: of a long one those around the place where the requirement was broken.
struct ShownLog {
  /// How many there are in all.
  let count: Int
  /// How many come before those that are shown.
  let earlier: Int
  let lines: [LogText.Line]
  /// When the requirement was first broken is known, and they lie around it.
  let isAroundBreach: Bool

  /// The number of lines after them.
  var later: Int { count - earlier - lines.count }

  /// The lines of a scenario's shown run.
  ///
  /// - Parameter most: how many are shown.
  init(_ log: RunLog, _ scenario: ScenarioResult, most: Int) {
    let text = LogText(log, of: scenario.ran)
    count = log.entries.count
    let time = scenario.shown.breaches.compactMap(\.time).min()
    isAroundBreach = time != nil
    let place = time.flatMap { time in log.entries.firstIndex { $0.time >= time } } ?? 0
    earlier = max(0, min(place - most / 2, count - most))
    lines = log.entries[earlier..<min(count, earlier + most)].map(text.line)
  }
}

/// As results keep it: `{"lines": 900, "earlier": 350, "around_breach": true, "shown": [{"time_ns": …, "kind": "sent", "with":
/// "host", "what": "packet 3 udp: …", "bytes": "54 45 …"}, …]}`.
extension ShownLog {
  /// So many lines are kept, and read of a file of anybody's.
  static let mostKept = 120
  private static let longest = 400

  /// Writes it as the member `log`.
  func write(to json: inout JSONWriter) {
    json.beginObject("log")
    json.put("lines", count)
    json.put("earlier", earlier)
    json.put("around_breach", isAroundBreach)
    json.beginArray("shown")
    for line in lines {
      json.beginObject()
      json.put("time_ns", line.time)
      json.put("kind", line.kind.rawValue)
      if !line.peer.isEmpty { json.put("with", line.peer) }
      json.put("what", String(line.text.prefix(ShownLog.longest)))
      if !line.bytes.isEmpty { json.put("bytes", line.bytes) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  /// Reads what `write` wrote, or anybody else; nil where it holds no line.
  init?(_ node: JSONNode) {
    lines = (node["shown"]?.elements ?? []).prefix(ShownLog.mostKept).compactMap { line in
      guard let kind = line["kind"]?.string.flatMap(LogText.Kind.init),
        let time = line["time_ns"]?.number.flatMap({ Int64(exactly: $0) })
      else { return nil }
      func text(_ name: String) -> String { String((line[name]?.string ?? "").prefix(ShownLog.longest)) }
      return LogText.Line(time: time, kind: kind, peer: text("with"), text: text("what"), bytes: text("bytes"))
    }
    func number(_ name: String) -> Int { node[name]?.number.flatMap { Int(exactly: $0) } ?? 0 }
    earlier = max(0, min(1_000_000_000, number("earlier")))
    count = max(earlier + lines.count, min(1_000_000_000, number("lines")))
    isAroundBreach = node["around_breach"]?.value == .bool(true)
    if lines.isEmpty { return nil }
  }
}

import TelecapRecording
import TelecapText

/// The picture of a run as results keep it: no more of it than can be told apart on a screen.
///
/// `{"axis": "strength", "least": 0, "greatest": 1, "end_ns": …, "sent": [[ns, value], …], "delivered": …, "applied": …,
/// "lanes": [{"name": "sent", "marks": [{"time_ns": …, "what": "packet 3: HAPTIC", "fate": "lost"}, …]}]}`
extension RunTimeline {
  /// So many columns are told apart, and as many again around the first breach: of each the first, the least, the greatest and the
  /// last value are kept, and of each lane the first mark, and the first of each fate.
  private static let columns = 400
  /// The maximum length of a mark's text.
  private static let longest = 200
  /// The limits for untrusted input.
  private static let most = (points: 4 * (2 * columns + 1), marks: 4 * columns, lanes: 16, time: 1e15, value: 1e12)

  /// Writes it as the member `timeline`.
  func write(to json: inout JSONWriter) {
    json.beginObject("timeline")
    json.put("axis", scale.axis)
    if scale.isWhole { json.put("whole", true) }
    if let bits = scale.wrappingBits { json.put("wrapping_bits", bits) }
    if let range = scale.range {
      json.put("least", range.lowerBound)
      json.put("greatest", range.upperBound)
    }
    json.put("end_ns", end)
    for (name, points) in [("sent", sent), ("delivered", delivered), ("applied", applied)] {
      json.key(name)
      json.beginArray()
      for point in reduced(points) {
        json.beginArray()
        json.put(nil, point.time)
        // No number of JSON is infinite; such a value is drawn at the edge.
        if point.value.isFinite { json.put(nil, point.value) } else { json.put(nil, point.value > 0 ? "inf" : "-inf") }
        json.endArray()
      }
      json.endArray()
    }
    let left = lanes.reduce(0) { $0 + $1.marks.count - reduced($1.marks).count }
    if left > 0 { json.put("left_out", left) }
    json.beginArray("lanes")
    for lane in lanes {
      json.beginObject()
      json.put("name", lane.name)
      json.beginArray("marks")
      for mark in reduced(lane.marks) { write(mark, to: &json) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private func write(_ mark: Mark, to json: inout JSONWriter) {
    json.beginObject()
    json.put("time_ns", mark.time)
    json.put("what", String(mark.text.prefix(RunTimeline.longest)))
    if let fate = mark.fate { json.put("fate", fate.rawValue) }
    if mark.isEnd { json.put("end", true) }
    if !mark.label.isEmpty { json.put("label", mark.label) }
    json.endObject()
  }

  private func column(_ time: Nanoseconds, _ window: ClosedRange<Nanoseconds>?) -> Int {
    func place(_ time: Nanoseconds, of length: Nanoseconds) -> Int {
      min(RunTimeline.columns - 1, Int(Double(time) / Double(max(1, length)) * Double(RunTimeline.columns)))
    }
    guard let window, window.contains(time) else { return place(time, of: end) }
    return RunTimeline.columns + place(time - window.lowerBound, of: window.upperBound - window.lowerBound)
  }

  private func reduced(_ points: [Point]) -> [Point] {
    let points = points.filter { !$0.value.isNaN }
    guard points.count > RunTimeline.most.points else { return points }
    var kept: [Point] = []
    let columns = points.map { [window = firstBreach] in column($0.time, window) }
    var place = 0
    while place < points.count {
      let end = columns[place...].firstIndex { $0 != columns[place] } ?? points.count
      let values = points[place..<end].map(\.value)
      let low = values.indices.min { values[$0] < values[$1] } ?? 0
      let high = values.indices.max { values[$0] < values[$1] } ?? 0
      for one in Set([0, low, high, values.count - 1]).sorted() { kept.append(points[place + one]) }
      place = end
    }
    return kept
  }

  private func reduced(_ marks: [Mark]) -> [Mark] {
    guard marks.count > RunTimeline.most.marks else { return marks }
    var seen: [PacketFate.Kind?: Set<Int>] = [:]
    let window = firstBreach
    return marks.filter { seen[$0.fate, default: []].insert(column($0.time, window)).inserted }
  }

  /// Reads what `write` wrote, or anybody else; nil where it is nothing like it.
  ///
  /// - Parameter breaches: when the requirement was broken, in ns.
  init?(_ node: JSONNode, breaches: [Nanoseconds]) {
    guard node.members != nil, let end = node["end_ns"].flatMap(RunTimeline.time) else { return nil }
    var scale = PlottedScale(axis: node["axis"]?.string ?? "")
    scale.isWhole = node["whole"]?.value == .bool(true)
    scale.wrappingBits = node["wrapping_bits"]?.number.flatMap { Int(exactly: $0) }.flatMap {
      (1...64).contains($0) ? $0 : nil
    }
    if let low = node["least"].flatMap(RunTimeline.value), let high = node["greatest"].flatMap(RunTimeline.value),
      low < high, (high - low).isFinite
    {
      scale.range = low...high
    }
    let lanes = (node["lanes"]?.elements ?? []).prefix(RunTimeline.most.lanes).map { lane in
      let marks = (lane["marks"]?.elements ?? []).prefix(RunTimeline.most.marks).compactMap(RunTimeline.mark)
      return (name: String((lane["name"]?.string ?? "").prefix(20)), marks: marks)
    }
    self.init(
      scale, sent: RunTimeline.points(node["sent"]), delivered: RunTimeline.points(node["delivered"]),
      applied: RunTimeline.points(node["applied"]), lanes: lanes, end: end,
      breaches: breaches.filter { (0...end).contains($0) })
    leftOut = node["left_out"]?.number.flatMap { Int(exactly: $0) }.map { max(0, $0) } ?? 0
  }

  private static func points(_ node: JSONNode?) -> [Point] {
    (node?.elements ?? []).prefix(most.points).compactMap { point in
      guard let pair = point.elements, pair.count == 2, let time = time(pair[0]), let value = value(pair[1]) else {
        return nil
      }
      return Point(time: time, value: value)
    }
  }

  private static func mark(_ node: JSONNode) -> Mark? {
    guard let time = node["time_ns"].flatMap(time) else { return nil }
    return Mark(
      time: time, text: String((node["what"]?.string ?? "").prefix(longest)),
      fate: node["fate"]?.string.flatMap(PacketFate.Kind.init(stored:)), isEnd: node["end"]?.value == .bool(true),
      label: String((node["label"]?.string ?? "").prefix(20)))
  }

  private static func time(_ node: JSONNode) -> Nanoseconds? {
    node.number.flatMap { (0...most.time).contains($0) ? Int64($0) : nil }
  }

  private static func value(_ node: JSONNode) -> Double? {
    switch node.string {
    case "inf": .infinity
    case "-inf": -.infinity
    default: node.number.flatMap { abs($0) <= most.value ? $0 : nil }
    }
  }
}

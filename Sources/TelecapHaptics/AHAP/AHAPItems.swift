import TelecapRecording
import TelecapText

/// Converts the objects of a file to the values of a pattern.
extension AHAPReader {
  /// Reads the outermost object.
  mutating func file(_ fields: AHAPFields) -> AHAP {
    var fields = fields
    var pattern = AHAP([])
    pattern.version = version(&fields)
    if let node = take("Metadata", &fields) {
      if let members = node.members {
        pattern.metadata = members
      } else {
        find(.wrongType, "$.Metadata", node.offset, "Metadata is \(node.kind); an object belongs here")
        fields.rest.append(JSONMember("Metadata", node, at: node.offset))
      }
    }
    let isThere = fields.rest.contains { $0.key == "Pattern" }
    let items = array("Pattern", &fields)
    if !isThere { find(.missingPattern, "$", fields.offset, "Pattern is missing; nothing is played") }
    for (index, node) in (items ?? []).enumerated() { item(node, "$.Pattern[\(index)]", &pattern) }
    pattern.unknown = unknown(fields, known: ["Version", "Metadata", "Pattern"])
    unsorted(pattern)
    return pattern
  }

  private mutating func version(_ fields: inout AHAPFields) -> Double {
    guard let node = take("Version", &fields) else {
      find(.version, "$", fields.offset, "Version is missing; 1 is taken")
      return 1
    }
    guard let number = node.number ?? node.string.flatMap({ Double($0) }), number.isFinite else {
      find(.wrongType, "$.Version", node.offset, "Version is \(node.kind); a number belongs here")
      fields.rest.append(JSONMember("Version", node, at: node.offset))
      return 1
    }
    if node.string != nil { find(.version, "$.Version", node.offset, "Version is text; a number belongs here") }
    if number != 1 { find(.version, "$.Version", node.offset, "Version is \(number); 1 is the one that is known") }
    return number
  }

  /// Reads one element of the pattern. An element with several of the three keys becomes several items.
  private mutating func item(_ node: JSONNode, _ path: String, _ pattern: inout AHAP) {
    guard var fields = fields(of: node, at: path) else { return add(.other(node), node, &pattern) }
    let before = pattern.pattern.count
    if let event = take("Event", &fields) {
      add(self.fields(of: event, at: "\(path).Event").map { .event(self.event($0)) } ?? .other(node), node, &pattern)
    }
    if let parameter = take("Parameter", &fields) {
      let inner = self.fields(of: parameter, at: "\(path).Parameter")
      add(inner.map { .parameter(self.parameter($0)) } ?? .other(node), node, &pattern)
    }
    if let curve = take("ParameterCurve", &fields) {
      let inner = self.fields(of: curve, at: "\(path).ParameterCurve")
      add(inner.map { .curve(self.curve($0)) } ?? .other(node), node, &pattern)
    }
    let rest = unknown(fields, known: ["Event", "Parameter", "ParameterCurve"])
    if pattern.pattern.count == before {
      find(.emptyItem, path, node.offset, "neither an Event nor a Parameter nor a ParameterCurve; it is ignored")
      add(.other(node), node, &pattern)
    } else if !rest.isEmpty {
      add(.other(JSONNode(.object(rest), at: node.offset)), node, &pattern)
    }
  }

  private mutating func add(_ item: AHAP.Item, _ node: JSONNode, _ pattern: inout AHAP) {
    pattern.pattern.append(item)
    itemOffsets.append(node.offset)
  }

  private mutating func event(_ fields: AHAPFields) -> AHAP.Event {
    var fields = fields
    var event = AHAP.Event(.unknown(""), at: time(&fields))
    let typeOffset = fields.rest.last { $0.key == "EventType" }?.node.offset
    if let name = string("EventType", &fields) {
      event.type = AHAP.EventType(name)
      if case .unknown = event.type {
        let names = AHAP.EventType.known.map(\.name).joined(separator: ", ")
        find(.eventType, fields.path("EventType"), typeOffset ?? 0, "EventType is \"\(name)\"; there are \(names)")
      }
    } else if typeOffset == nil {
      find(.eventType, fields.path, fields.offset, "EventType is missing, and has no default")
    }
    duration(&event, &fields)
    let parameters = array("EventParameters", &fields)
    event.parameters = (parameters ?? []).enumerated().compactMap { index, node in
      eventParameter(node, fields.path("EventParameters[\(index)]"), &fields)
    }
    repeats(event, fields)
    for parameter in event.type.leftOpen where event.value(of: parameter) == nil {
      find(
        .unpublishedDefault, fields.path, fields.offset,
        "\(parameter.rawValue) is left to a default that nobody published; \(parameter.standard) is taken")
    }
    let waveform = ["EventWaveformPath", "EventWaveformLoopEnabled", "EventWaveformUseVolumeEnvelope"]
    if event.type == .audioCustom, !fields.rest.contains(where: { $0.key == waveform[0] }) {
      find(.missingWaveform, fields.path, fields.offset, "an AudioCustom event needs its EventWaveformPath")
    }
    let known = ["Time", "EventType", "EventDuration", "EventParameters"] + waveform
    event.others = unknown(fields, known: known)
    return event
  }

  private mutating func duration(_ event: inout AHAP.Event, _ fields: inout AHAPFields) {
    let path = fields.path("EventDuration")
    let offset = fields.rest.last { $0.key == "EventDuration" }?.node.offset
    event.duration = number("EventDuration", &fields)
    guard let offset else {
      if event.type == .hapticContinuous || event.type == .audioContinuous {
        find(.missingDuration, fields.path, fields.offset, "EventDuration is missing; 0 is taken: nothing is played")
      }
      return
    }
    guard let duration = event.duration else { return }
    if event.type == .hapticTransient {
      find(.unusedDuration, path, offset, "a transient event has no duration; it is ignored")
    } else if duration < 0 {
      find(.outOfRange, path, offset, "EventDuration is \(duration); 0 is taken")
    } else if duration > AHAP.longestEvent, event.type != .audioCustom {
      find(.longEvent, path, offset, "EventDuration is \(duration) s; a continuous event lasts at most 30 s")
    }
  }

  private mutating func eventParameter(_ node: JSONNode, _ path: String, _ event: inout AHAPFields) -> AHAP.Setting? {
    guard let (setting, offset) = setting(node, path) else { return nil }
    guard let parameter = AHAP.EventParameter(rawValue: setting.id) else {
      let other = AHAP.DynamicParameter(rawValue: setting.id) != nil
      unknownParameter(setting.id, path, offset, other ? "it belongs to a Parameter or a ParameterCurve" : nil)
      return setting
    }
    if parameter == .hapticSharpness, (-1..<0).contains(setting.value) {
      find(
        .negativeSharpness, "\(path).ParameterValue", offset,
        "HapticSharpness is \(setting.value); 0 is taken, since only HapticSharpnessControl goes below 0")
    } else if parameter == .sustained, setting.value != 0, setting.value != 1 {
      find(
        .outOfRange, "\(path).ParameterValue", offset,
        "Sustained is \(setting.value); \(setting.value > 0 ? 1 : 0) is taken, since it is 0 or 1")
    } else {
      check(setting.value, in: parameter.range, setting.id, "\(path).ParameterValue", offset)
    }
    return setting
  }

  private mutating func repeats(_ event: AHAP.Event, _ fields: AHAPFields) {
    var seen: Set<String> = []
    for setting in event.parameters where !seen.insert(setting.id).inserted {
      find(
        .repeatedParameter, fields.path("EventParameters"), fields.offset,
        "\(setting.id) occurs twice in this event; the last one counts")
    }
  }

  private mutating func parameter(_ fields: AHAPFields) -> AHAP.Parameter {
    var fields = fields
    let time = time(&fields)
    let inner = JSONNode(.object(fields.rest), at: fields.offset)
    let (setting, offset) = setting(inner, fields.path, beside: ["Time"]) ?? (AHAP.Setting(id: "", 0), fields.offset)
    dynamic(setting.id, fields.path, fields.offset)
    if let range = AHAP.DynamicParameter(rawValue: setting.id)?.range {
      check(setting.value, in: range, setting.id, fields.path("ParameterValue"), offset)
    }
    return AHAP.Parameter(at: time, setting)
  }

  /// Reads a `ParameterID` with its `ParameterValue`. The second result is the offset of the value.
  private mutating func setting(
    _ node: JSONNode, _ path: String, beside others: [String] = []
  ) -> (AHAP.Setting, Int)? {
    guard var fields = fields(of: node, at: path) else { return nil }
    let hasID = fields.rest.contains { $0.key == "ParameterID" }
    let value = fields.rest.last { $0.key == "ParameterValue" }?.node
    var setting = AHAP.Setting(id: string("ParameterID", &fields) ?? "", 0)
    if !hasID { missing("ParameterID", "the value is ignored", fields) }
    setting.value = number("ParameterValue", &fields) ?? AHAPReader.standard(setting.id)
    if value == nil { missing("ParameterValue", "\(setting.value) is taken", fields) }
    setting.unknown = unknown(fields, known: ["ParameterID", "ParameterValue"] + others)
    return (setting, value?.offset ?? fields.offset)
  }

  private mutating func curve(_ fields: AHAPFields) -> AHAP.Curve {
    var fields = fields
    let time = time(&fields)
    let hasID = fields.rest.contains { $0.key == "ParameterID" }
    var curve = AHAP.Curve(id: string("ParameterID", &fields) ?? "", at: time, [])
    if !hasID { missing("ParameterID", "the curve is ignored", fields) }
    dynamic(curve.id, fields.path, fields.offset)
    let offset = fields.rest.last { $0.key == "ParameterCurveControlPoints" }?.node.offset ?? fields.offset
    let path = fields.path("ParameterCurveControlPoints")
    let points = array("ParameterCurveControlPoints", &fields) ?? []
    curve.points = points.enumerated().compactMap { point($1, "\(path)[\($0)]", curve.id) }
    if points.isEmpty { find(.emptyCurve, path, offset, "a curve without points changes nothing") }
    if points.count > AHAP.mostCurvePoints {
      find(.curvePoints, path, offset, "\(points.count) points; players are reported to take 16 in one curve")
    }
    if zip(curve.points, curve.points.dropFirst()).contains(where: { $0.time > $1.time }) {
      find(.unsortedCurve, path, offset, "the points are not in the order of their times; they are sorted")
    }
    curve.unknown = unknown(fields, known: ["Time", "ParameterID", "ParameterCurveControlPoints"])
    return curve
  }

  private mutating func point(_ node: JSONNode, _ path: String, _ id: String) -> AHAP.Point? {
    guard var fields = fields(of: node, at: path) else { return nil }
    let value = fields.rest.last { $0.key == "ParameterValue" }?.node
    var point = AHAP.Point(time(&fields), number("ParameterValue", &fields) ?? AHAPReader.standard(id))
    if let value, let range = AHAP.DynamicParameter(rawValue: id)?.range {
      check(point.value, in: range, id, fields.path("ParameterValue"), value.offset)
    }
    if value == nil { missing("ParameterValue", "\(point.value) is taken", fields) }
    point.unknown = unknown(fields, known: ["Time", "ParameterValue"])
    return point
  }

  private mutating func dynamic(_ id: String, _ path: String, _ offset: Int) {
    if id.isEmpty || AHAP.DynamicParameter(rawValue: id) != nil { return }
    let other = AHAP.EventParameter(rawValue: id) != nil
    unknownParameter(id, path, offset, other ? "it belongs to an event; \(id)Control is meant, perhaps" : nil)
  }

  private mutating func unknownParameter(_ id: String, _ path: String, _ offset: Int, _ hint: String?) {
    if id.isEmpty { return }
    find(
      .unknownParameter, "\(path).ParameterID", offset,
      "ParameterID \"\(id)\" is ignored: " + (hint ?? "nobody defined it"))
  }

  /// The default of a dynamic or an event parameter.
  private static func standard(_ id: String) -> Double {
    AHAP.DynamicParameter(rawValue: id)?.standard ?? AHAP.EventParameter(rawValue: id)?.standard ?? 0
  }

  private mutating func unsorted(_ pattern: AHAP) {
    var latest = -Double.infinity
    var late: [Int] = []
    for (index, item) in pattern.pattern.enumerated() {
      guard case .event(let event) = item else { continue }
      if event.time < latest { late.append(index) }
      latest = max(latest, event.time)
    }
    guard let first = late.first else { return }
    let others = late.count > 1 ? ", as do \(late.count - 1) others" : ""
    find(
      .unsortedEvents, "$.Pattern[\(first)]", itemOffsets[first],
      "this event comes after a later one\(others); the order does not matter to a player")
  }
}

extension AHAP.EventType {
  /// The parameters of this type of event whose defaults are unpublished.
  fileprivate var leftOpen: [AHAP.EventParameter] {
    switch self {
    case .hapticTransient, .hapticContinuous: [.hapticIntensity, .hapticSharpness]
    case .audioContinuous, .audioCustom: [.audioVolume]
    case .unknown: []
    }
  }
}

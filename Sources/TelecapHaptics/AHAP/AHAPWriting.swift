import TelecapRecording
import TelecapText

extension AHAP {
  /// The pattern as a file in canonical form: known keys in the order of Apple's documentation, then unknown members.
  /// Reading it gives the same pattern.
  public var text: String {
    var members = [JSONMember("Version", .number(version))]
    if let metadata { members.append(JSONMember("Metadata", JSONNode(.object(metadata)))) }
    members.append(JSONMember("Pattern", JSONNode(.array(pattern.map(\.node)))))
    return JSONNode(.object(members + unknown)).laidOut
  }

  /// The metadata of a new file.
  public static func metadata(project: String, description: String) -> [JSONMember] {
    [JSONMember("Project", .string(project)), JSONMember("Description", .string(description))]
  }
}

extension AHAP.Item {
  fileprivate var node: JSONNode {
    func item(_ key: String, _ members: [JSONMember]) -> JSONNode {
      JSONNode(.object([JSONMember(key, JSONNode(.object(members)))]))
    }
    return switch self {
    case .event(let event): item("Event", event.members)
    case .parameter(let parameter):
      item("Parameter", [JSONMember("Time", .number(parameter.time))] + parameter.setting.members)
    case .curve(let curve): item("ParameterCurve", curve.members)
    case .other(let node): node
    }
  }
}

extension AHAP.Event {
  fileprivate var members: [JSONMember] {
    var members = [JSONMember("Time", .number(time))]
    if type != .unknown("") { members.append(JSONMember("EventType", .string(type.name))) }
    if let duration { members.append(JSONMember("EventDuration", .number(duration))) }
    if !parameters.isEmpty {
      let settings = parameters.map { JSONNode(.object($0.members)) }
      members.append(JSONMember("EventParameters", JSONNode(.array(settings))))
    }
    return members + others
  }
}

extension AHAP.Setting {
  fileprivate var members: [JSONMember] {
    (id.isEmpty ? [] : [JSONMember("ParameterID", .string(id))]) + [JSONMember("ParameterValue", .number(value))]
      + unknown
  }
}

extension AHAP.Curve {
  fileprivate var members: [JSONMember] {
    let nodes = points.map { point in
      JSONNode(
        .object(
          [JSONMember("Time", .number(point.time)), JSONMember("ParameterValue", .number(point.value))]
            + point.unknown))
    }
    return (id.isEmpty ? [] : [JSONMember("ParameterID", .string(id))])
      + [JSONMember("Time", .number(time)), JSONMember("ParameterCurveControlPoints", JSONNode(.array(nodes)))]
      + unknown
  }
}

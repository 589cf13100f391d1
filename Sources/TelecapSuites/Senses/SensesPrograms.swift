import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapText

extension DeviceProgram {
  /// A sound placer as a program: it reads the space, the listener's position and sources, and prints how each is
  /// heard.
  static let audio = DeviceProgram(
    shows: [.tellings],
    events: [
      DeviceEvent("placed", [.number("left"), .number("right"), .number("delay", isNeeded: false)]),
      DeviceEvent("unplaced", [.number("left"), .number("right")]),
    ],
    setUp: { [JSONMember("space", $0.space.told)] },
    asked: { deed in (deed as? SensesAction)?.told ?? [] },
    listener: { _ in AudioListener() })

  /// A core with its shell as a program: it reads events, ticks and drains, and prints the output of each sense.
  static let senses = DeviceProgram(
    shows: [.tellings],
    events: [
      DeviceEvent("burst", [.number("n"), .text("particles", ["all", "fewer", "minimal"])]),
      DeviceEvent("ring", [.number("n"), .number("integrity")]),
      DeviceEvent(
        "sound",
        [
          .number("n"), .text("how", ["placed", "unplaced"]), .number("left"), .number("right"),
          .text("music", ["mixed", "silenced"]),
        ]),
      DeviceEvent("pattern", [.number("n"), .number("intensity"), .number("crack"), .number("rumble")]),
      DeviceEvent("impact", [.number("n"), .text("style", HapticImpact.allCases.map(\.rawValue))]),
    ],
    lanes: [
      lane("seen", ["burst", "ring"]), lane("heard", ["placed", "unplaced"]), lane("felt", ["pattern", "impact"]),
    ],
    setUp: { [JSONMember("haptics", JSONNode(.bool($0.isSupported))), JSONMember("space", $0.space.told)] },
    asked: { deed in (deed as? SensesAction)?.told ?? (deed as? HapticsAction)?.told ?? [] },
    listener: { _ in SensesListener() })
}

extension DeviceProgram {
  /// A lane for the outputs of a sense: `3 placed left 0.5 …` is in the lane whose words include its second one, and is
  /// shown without its last part.
  private static func lane(_ name: String, _ words: Set<Substring>) -> DeviceLane {
    DeviceLane(name) { told in
      let parts = told.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let first = parts[1].split(separator: " ").first, words.contains(first) else {
        return nil
      }
      // `… music mixed`, `… sharpness 1.0 to 0.8`.
      return parts[1].split(separator: " ").prefix(first == "pattern" ? 3 : 5).joined(separator: " ")
    }
  }
}

/// Maps the output of a program that places sounds.
private struct AudioListener: DeviceListener {
  func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent] {
    func number(_ name: String) -> String { DeviceWords.number(fields.number(name) ?? .nan) }
    let delay = event == "placed" ? " delay \(DeviceWords.number((fields.number("delay") ?? 0) * 1_000))" : ""
    return [TimedEvent(.told("\(event) left \(number("left")) right \(number("right"))\(delay)"), at: time)]
  }
}

/// Maps the output of a program that is a core with its shell.
private struct SensesListener: DeviceListener {
  func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent] {
    func number(_ name: String) -> String { DeviceWords.number(fields.number(name) ?? .nan) }
    let words =
      switch event {
      case "burst": "burst \(fields.text("particles"))"
      case "ring": "ring \(number("integrity"))"
      case "sound":
        "\(fields.text("how")) left \(number("left")) right \(number("right")) music \(fields.text("music"))"
      case "pattern": "pattern intensity \(number("intensity")) sharpness \(number("crack")) to \(number("rumble"))"
      default: "impact \(fields.text("style"))"
      }
    return [TimedEvent(.told("\(number("n")) \(words)"), at: time)]
  }
}

extension SensesAction {
  /// The members of its line of input, without the time.
  var told: [JSONMember] {
    func what(_ word: String, _ members: [(String, JSONNode)] = []) -> [JSONMember] {
      [JSONMember("do", .string(word))] + members.map { JSONMember($0.0, $0.1) }
    }
    return switch self {
    case .listener(let listener):
      what(
        "listener",
        [("position", listener.position.told), ("camera", listener.camera.told), ("head", listener.head.told)])
    case .source(let source):
      what("source", [("position", source.position.told), ("channels", JSONNode(.number("\(source.channels)")))])
    case .happens(.explosion(let explosion)):
      what(
        "explosion",
        [
          ("position", explosion.position.told), ("energy", .number(explosion.energy)),
          ("material", .string(explosion.material.name)),
          ("sharpness", .numbers([explosion.material.sharpness.lowerBound, explosion.material.sharpness.upperBound])),
        ])
    case .happens(.ring(let integrity)): what("ring", [("integrity", .number(integrity))])
    case .tick: what("tick")
    case .drain: what("drain")
    case .category(let category): what("category", [("is", .string(category.rawValue))])
    }
  }
}

extension JSONNode {
  fileprivate static func numbers(_ numbers: [Double]) -> JSONNode { JSONNode(.array(numbers.map { .number($0) })) }
}

extension Vector3 {
  /// `[x, y, z]`.
  fileprivate var told: JSONNode { .numbers([x, y, z]) }
}

extension Rotation {
  /// A unit quaternion, `[w, x, y, z]`.
  fileprivate var told: JSONNode { .numbers([w, vector.x, vector.y, vector.z]) }
}

extension SoundSpace {
  /// Its scale, its output, and its distance law.
  fileprivate var told: JSONNode {
    JSONNode(
      .object([
        JSONMember("scale", .number(scale)), JSONMember("output", .string(output.rawValue)),
        JSONMember("distance", .string(distance.model.rawValue)), JSONMember("reference", .number(distance.reference)),
        JSONMember("maximum", .number(distance.maximum)), JSONMember("rolloff", .number(distance.rolloff)),
      ]))
  }
}

import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapText

extension DeviceProgram {
  /// A touch tracer as a program: it reads the views on the screen and the samples of touches, and prints the feedback
  /// and the forwarded touches.
  static let touch = DeviceProgram(
    shows: [.tellings, .impacts],
    events: [
      DeviceEvent("impact", [.text("style", HapticImpact.allCases.map(\.rawValue))]),
      DeviceEvent(
        "handed-on",
        [.text("phase", TouchSample.Phase.allCases.map(\.rawValue)), .text("view", isNeeded: false)]),
      DeviceEvent("scrolled", [.text("view"), .number("x"), .number("y")]),
    ],
    setUp: { setup in
      [JSONMember("pressure", JSONNode(.bool(setup.isSupported))), JSONMember("views", setup.views.json)]
    },
    given: { line, setup in
      guard var sample = try? TouchSample(line: line) else { return nil }
      if !setup.isSupported { sample.maximumForce = 0 }
      return sample.told
    },
    listener: { _ in TouchListener() })
}

/// Maps the output of a program that traces touches.
private struct TouchListener: DeviceListener {
  func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent] {
    func told(_ words: String) -> TimedEvent { TimedEvent(.told(words), at: time) }
    switch event {
    case "impact":
      guard let impact = HapticImpact(rawValue: fields.text("style")) else { return [] }
      return [TimedEvent(.hapticImpact(impact), at: time), told("\(impact.rawValue) impact")]
    case "handed-on":
      let view = fields.text("view")
      return [told("\(fields.text("phase")) to \(view.isEmpty ? "nobody" : view)")]
    default:
      let (x, y) = (fields.number("x") ?? .nan, fields.number("y") ?? .nan)
      return [told("\(fields.text("view")) scrolls by \(DeviceWords.number(x)), \(DeviceWords.number(y))")]
    }
  }
}

extension TouchSample {
  /// The members of its line of input, without the time.
  fileprivate var told: [JSONMember] {
    [
      JSONMember("do", .string("touch")), JSONMember("phase", .string(phase.rawValue)), JSONMember("x", .number(x)),
      JSONMember("y", .number(y)), JSONMember("force", .number(force)), JSONMember("max_force", .number(maximumForce)),
      JSONMember("finger", JSONNode(.number("\(finger)"))),
    ]
  }
}

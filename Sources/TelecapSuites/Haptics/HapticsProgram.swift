import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapText

extension DeviceProgram {
  /// A phone's haptic engine with its manager as a program: it reads the actions of its application and its faults, and
  /// prints what it starts, plays and stops.
  static let haptics = DeviceProgram(
    shows: [.tellings, .strength, .impacts],
    events: [
      DeviceEvent("started"), DeviceEvent("stopped"), DeviceEvent("loaded", [.text("pattern")]),
      DeviceEvent("playing", [.text("pattern")]),
      DeviceEvent(
        "transient",
        [.number("at", isNeeded: false), .number("intensity"), .number("sharpness", isNeeded: false)]),
      DeviceEvent(
        "continuous",
        [
          .number("at", isNeeded: false), .number("duration"), .number("intensity"),
          .number("sharpness", isNeeded: false),
        ]),
      DeviceEvent("impact", [.text("style", HapticImpact.allCases.map(\.rawValue))]),
      DeviceEvent("strength", [.number("intensity")]),
      DeviceEvent("armed", [.number("display"), .number("audio"), .number("haptic")]),
    ],
    setUp: { [JSONMember("haptics", JSONNode(.bool($0.isSupported)))] },
    asked: { deed in (deed as? HapticsAction)?.told ?? [] },
    listener: { HapticsListener($0) })
}

/// Maps the output of a program that is a haptic engine.
private struct HapticsListener: DeviceListener {
  private let script: Script
  /// The start of the playing pattern.
  private var began: Timestamp?

  init(_ script: Script) { self.script = script }

  mutating func heard(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> [TimedEvent] {
    func told(_ words: String) -> [TimedEvent] { [TimedEvent(.told(words), at: time)] }
    let pattern = fields.text("pattern")
    switch event {
    case "started": return told(event)
    case "stopped": return told("(stopped)")
    case "loaded": return told("(loaded \(pattern))")
    case "playing":
      began = time
      return told("playing \(pattern)")
    case "impact":
      guard let impact = HapticImpact(rawValue: fields.text("style")) else { return [] }
      return [TimedEvent(.hapticImpact(impact), at: time)] + told("impact \(impact.rawValue)")
    case "strength":
      let strength = fields.number("intensity") ?? .nan
      return [TimedEvent(.hapticApplied(Float(strength)), at: time)] + told("output \(DeviceWords.number(strength))")
    case "armed": return told(skew(fields, at: time))
    default: return [played(event, fields, at: time)]
    }
  }

  /// An event of a pattern, with its time since the pattern's start. One that was not requested is optional text.
  private func played(_ event: String, _ fields: DeviceFields, at time: Timestamp) -> TimedEvent {
    let (start, isAside) = origin(of: time)
    let offset = Double(time.nanoseconds(since: start)) / 1e9 + (fields.number("at") ?? 0)
    let sharpness = fields.number("sharpness").map(DeviceWords.number) ?? "unsaid"
    let length = fields.number("duration").map { " for \(DeviceWords.interval($0))" } ?? ""
    let words =
      "\(event) at \(DeviceWords.interval(offset))\(length) intensity \(DeviceWords.number(fields.number("intensity") ?? .nan)) "
      + "sharpness \(sharpness)"
    return TimedEvent(.told(isAside ? "(\(words))" : words), at: start)
  }

  /// The start of the pattern of an event at `time`, and whether its events are optional text.
  private func origin(of time: Timestamp) -> (Timestamp, isAside: Bool) {
    guard let began, time >= began else { return (time, false) }
    for case .play(let pattern, let tellsEvents) in asked(at: began) {
      let isWithin = time.nanoseconds(since: began) <= pattern.duration + DeviceProgram.tolerance
      return isWithin ? (began, !tellsEvents) : (time, false)
    }
    return (time, false)
  }

  private func asked(at time: Timestamp) -> [HapticsAction] {
    script.actions.compactMap { action in
      guard action.time.nanoseconds(since: time).magnitude <= DeviceProgram.tolerance, case .ask(let deed) = action.work
      else { return nil }
      return deed as? HapticsAction
    }
  }

  /// The skew of an armed event, in many trials on the device of its action.
  private func skew(_ fields: DeviceFields, at time: Timestamp) -> String {
    func nanoseconds(_ field: String) -> Nanoseconds {
      Int64(clampingRounded: max(-1e15, min(1e15, (fields.number(field) ?? .nan) * 1e9)))
    }
    for case .synchronise(let device, _, let trials) in asked(at: time) {
      let armed = SyncStarts(
        display: nanoseconds("display"), audio: nanoseconds("audio"), haptic: nanoseconds("haptic"))
      return SyncStudy(device, trials: trials, seed: script.setup.seed).run(.armed(armed)).withinLimit
    }
    return "armed without having been asked"
  }
}

extension SyncStudy.Result {
  /// The number of trials without a noticeable skew.
  package var withinLimit: String {
    "within 3 frames in \(skews.count - count(over: SyncStudy.limit)) of \(skews.count) trials"
  }
}

extension HapticsAction {
  /// The members of its line of input, without the time.
  var told: [JSONMember] {
    func what(_ word: String, _ members: [(String, JSONNode)] = []) -> [JSONMember] {
      [JSONMember("do", .string(word))] + members.map { JSONMember($0.0, $0.1) }
    }
    func seconds(_ nanoseconds: Nanoseconds) -> JSONNode { .number(Double(nanoseconds) / 1e9) }
    return switch self {
    case .read(let text): what("read", [("text", .string(text))])
    case .sample: what("sample")
    case .prepare: what("prepare")
    case .play(let pattern, _): what("play", [("pattern", .string(pattern.name))] + pattern.told)
    case .strength(let intensity): what("strength", [("intensity", HapticsAction.number(intensity))])
    case .session(let isOpen): what("session", [("is", .string(isOpen ? "open" : "lost"))])
    case .suffer(.over(let stop)): what("over", [("fault", .string(stop.rawValue))])
    case .suffer(let fault): what("fault", [("fault", .string(fault.word))])
    case .conditions(let conditions):
      what(
        "conditions",
        [
          ("thermal", .string(conditions.thermal.rawValue)), ("low_power", JSONNode(.bool(conditions.isLowPower))),
        ])
    case .synchronise(let device, let delta, _):
      what(
        "synchronise",
        [
          ("delta", seconds(delta)), ("refresh", seconds(device.display.period)),
          ("audio_latency", seconds(device.audio.latency)), ("haptic_latency", seconds(device.haptic.latency)),
        ])
    }
  }

  /// A number; in quotes where JSON has no number for it.
  private static func number(_ value: Float) -> JSONNode {
    value.isFinite
      ? JSONNode(.number("\(value)")) : .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }
}

extension ManagerPattern {
  /// The parameters of the pattern.
  fileprivate var told: [(String, JSONNode)] {
    switch self {
    case .normal, .heavy: []
    case .multi(let frequency, let amplitude): [("frequency", .number(frequency)), ("amplitude", .number(amplitude))]
    case .gradual(let intensity): [("intensity", JSONNode(.number("\(intensity)")))]
    }
  }
}

extension EngineFault {
  /// Its name in a scenario and in the input of a program.
  var word: String {
    switch self {
    case .stop(let reason), .over(let reason): reason.rawValue
    case .reset: "reset"
    case .startFails: "start-fails"
    case .playFails: "play-fails"
    }
  }
}

import TelecapConformance
import TelecapHaptics
import TelecapModels

/// The actions of a scenario on a device: entries of `ask`.
enum HapticsActionKeys {
  static let all: [ScenarioKey<any UserAction>] = [
    key("read", .text, "The text of an AHAP pattern is read.") { .read($0.text ?? "") },
    key("sample", .flag, "The device prints what is felt now.") { _ in .sample },
    key("prepare", .flag, "The haptic engine is made and started.") { _ in .prepare },
    key("play", .mapping(play), "The manager plays one of its patterns.") {
      .play(pattern($0), tellsEvents: $0["events"]?.flag ?? false)
    },
    key("strength", .number, "A strength is received, with the value of the message; may be .nan.") {
      .strength(Float($0.number ?? 0))
    },
    key("session", .oneOf(["opens", "lost"]), "The session begins, or is lost.") {
      .session(isOpen: $0.text == "opens")
    },
    key("fault", .oneOf(faults.map(\.name)), "Something goes wrong with the engine.") { value in
      .suffer(faults.first { $0.name == value.text }?.fault ?? .reset)
    },
    key("over", .oneOf(EngineStop.allCases.filter(\.lasts).map(\.rawValue)), "An interruption is over.") {
      .suffer(.over($0.text.flatMap(EngineStop.init) ?? .audioSessionInterrupted))
    },
    key("conditions", .mapping(conditions), "How hot the device is, and whether it saves power.") {
      .conditions(
        DeviceConditions(
          thermal: $0["thermal"]?.text.flatMap(ThermalState.init) ?? .nominal,
          isLowPower: $0["low-power"]?.flag ?? false))
    },
    key("synchronise", .mapping(synchronise), "An event is to be seen, heard and felt at once.") {
      (value) throws(YAMLFileError) in
      try check(value)
      return .synchronise(
        device(value), delta: value["delta"]?.time ?? 0, trials: Int(clamping: value["trials"]?.integer ?? 1_000))
    },
  ]

  private static func key(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> HapticsAction
  ) -> ScenarioKey<any UserAction> {
    ScenarioKey(name, type, meaning) { (value) throws(YAMLFileError) in try read(value) }
  }

  /// Throws where a study of clocks is not possible with these values.
  private static func check(_ value: YAMLValue) throws(YAMLFileError) {
    for name in ["delta", "audio", "audio-jitter", "haptic", "haptic-jitter"] {
      guard let value = value[name], let time = value.time, time > OutputClock.longest else { continue }
      throw value.error("\(name) is at most \(OutputClock.longest / 1_000_000_000)s")
    }
    let numbers = [
      ("trials", SyncStudy.possibleTrials.upperBound), ("refresh", Int(OutputClock.possibleRefreshes.upperBound)),
    ]
    for (name, most) in numbers {
      guard let value = value[name], let number = value.integer, !(1...Int64(most)).contains(number) else { continue }
      throw value.error("\(name) is 1 to \(most)")
    }
  }

  private static let play = YAMLShape(
    "play",
    [
      YAMLKey("pattern", .oneOf(["normal", "multi", "gradual", "heavy"]), required: true, "Which."),
      YAMLKey("frequency", .number, "multi's frequency; 1 unless given."),
      YAMLKey("amplitude", .number, "multi's amplitude; 1 unless given."),
      YAMLKey("events", .flag, "Its events are printed, one by one."),
      YAMLKey("intensity", .number, "gradual's intensity; 0.6 unless given."),
    ])

  private static let conditions = YAMLShape(
    "conditions",
    [
      YAMLKey("thermal", .oneOf(ThermalState.allCases.map(\.rawValue)), "nominal unless given."),
      YAMLKey("low-power", .flag, "false unless given."),
    ])

  private static let synchronise = YAMLShape(
    "synchronise",
    [
      YAMLKey("delta", .time, required: true, "How far ahead it is planned."),
      YAMLKey("trials", .integer, "How often; 1000 unless given."),
      YAMLKey("refresh", .integer, "The display's refreshes a second; 60 unless given."),
      YAMLKey("audio", .time, "Audio's latency; 30ms unless given."),
      YAMLKey("audio-jitter", .time, "How far it may lie off; 10ms unless given."),
      YAMLKey("haptic", .time, "The haptic engine's latency; 10ms unless given."),
      YAMLKey("haptic-jitter", .time, "How far it may lie off; 5ms unless given."),
    ])

  private static let faults: [(name: String, fault: EngineFault)] =
    ([.reset, .startFails, .playFails] + EngineStop.allCases.map { .stop($0) }).map { ($0.word, $0) }

  private static func pattern(_ value: YAMLValue) -> ManagerPattern {
    switch value["pattern"]?.text {
    case "multi":
      .multi(frequency: value["frequency"]?.number ?? 1, amplitude: value["amplitude"]?.number ?? 1)
    case "gradual":
      .gradual(intensity: value["intensity"]?.number.map { Float($0) } ?? ManagerPattern.gradualIntensity)
    case "heavy": .heavy
    default: .normal
    }
  }

  private static func device(_ value: YAMLValue) -> SyncDevice {
    SyncDevice(
      display: .display(hertz: value["refresh"]?.integer ?? 60),
      audio: .audio(latency: value["audio"]?.time ?? 30_000_000, jitter: value["audio-jitter"]?.time ?? 10_000_000),
      haptic: .haptic(latency: value["haptic"]?.time ?? 10_000_000, jitter: value["haptic-jitter"]?.time ?? 5_000_000))
  }
}

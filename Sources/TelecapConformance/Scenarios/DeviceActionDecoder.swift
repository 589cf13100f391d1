import TelecapHaptics
import TelecapModels
import TelecapRecording

/// Reads what a scenario does to a device: the entries of `ask` beside those of a mouse.
enum DeviceActionDecoder {
  /// What may stand in `ask`.
  static let keys = [
    YAMLKey("read", .text, "The text of an AHAP pattern is read."),
    YAMLKey("sample", .flag, "What is felt now is told."),
    YAMLKey("prepare", .flag, "The haptic engine is made and started."),
    YAMLKey("play", .mapping(play), "The manager plays one of its patterns."),
    YAMLKey("strength", .number, "A strength comes, as it stood on the wire; may be .nan."),
    YAMLKey("session", .oneOf(["opens", "lost"]), "The session begins, or is lost."),
    YAMLKey("fault", .oneOf(faults.map(\.0)), "Something goes wrong with the engine."),
    YAMLKey("over", .oneOf(EngineStop.allCases.filter(\.lasts).map(\.rawValue)), "An interruption is over."),
    YAMLKey("conditions", .mapping(conditions), "How hot the device is, and whether it saves power."),
    YAMLKey("synchronise", .mapping(synchronise), "An event is to be seen, heard and felt at once."),
  ]

  private static let play = YAMLShape(
    "play",
    [
      YAMLKey("pattern", .oneOf(["normal", "multi", "gradual", "heavy"]), required: true, "Which."),
      YAMLKey("frequency", .number, "multi's frequency; 1 unless given."),
      YAMLKey("amplitude", .number, "multi's amplitude; 1 unless given."),
      YAMLKey("events", .flag, "Its events are told, one by one."),
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

  private static let faults: [(String, EngineFault)] =
    [("reset", .reset), ("start-fails", .startFails), ("play-fails", .playFails)]
    + EngineStop.allCases.map { ($0.rawValue, .stop($0)) }

  /// The action of a key of `ask`; nil where the key is none of a device.
  static func read(_ key: String, _ value: YAMLValue) -> DeviceAction? {
    switch key {
    case "read": value.text.map(DeviceAction.read)
    case "sample": .sample
    case "prepare": .prepare
    case "play": .play(pattern(value), tellsEvents: value["events"]?.flag ?? false)
    case "strength": .strength(Float(value.number ?? 0))
    case "session": .session(isOpen: value.text == "opens")
    case "fault": faults.first { $0.0 == value.text }.map { .suffer($0.1) }
    case "over": value.text.flatMap(EngineStop.init).map { .suffer(.over($0)) }
    case "conditions":
      .conditions(
        DeviceConditions(
          thermal: value["thermal"]?.text.flatMap(ThermalState.init) ?? .nominal,
          isLowPower: value["low-power"]?.flag ?? false))
    case "synchronise":
      .synchronise(
        SyncDevice(
          display: .display(hertz: value["refresh"]?.integer ?? 60),
          audio: .audio(
            latency: value["audio"]?.time ?? 30_000_000, jitter: value["audio-jitter"]?.time ?? 10_000_000),
          haptic: .haptic(
            latency: value["haptic"]?.time ?? 10_000_000, jitter: value["haptic-jitter"]?.time ?? 5_000_000)),
        delta: value["delta"]?.time ?? 0, trials: Int(clamping: value["trials"]?.integer ?? 1_000))
    default: nil
    }
  }

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
}

import TelecapConformance
import TelecapHaptics
import TelecapTele

extension Suite {
  /// The suite for devices: a player of patterns, a haptic engine, a touch tracer, a sound placer, and a core that
  /// shows events to three senses.
  public static let haptics: Suite = {
    var suite = Suite(
      "haptics",
      requirements: Requirement.ahap + Requirement.haptics + Requirement.touch + Requirement.audio
        + Requirement.sensesOfEvents,
      models: [.ahap, .haptics, .touch, .audio, .senses])
    suite.setupKeys = HapticsSetup.keys + SensesSetup.keys
    suite.stepKeys = [TouchSteps.key]
    suite.actionKeys = HapticsActionKeys.all + SensesActionKeys.all
    suite.expectationKeys = DeviceOutputExpectation.keys
    suite.checkSessions = HapticsCheckSessions.all + SensesCheckSessions.all
    return suite
  }()
}

extension Part {
  /// A player of AHAP patterns.
  public static let ahap = Part("ahap", program: .ahap)
  /// A phone's haptic engine with its manager, and the display and audio started with it.
  public static let haptics = Part("haptics", program: .haptics)
  /// A touch tracer, which traces touches or forwards them.
  public static let touch = Part(
    "touch",
    payloads: Payloads(
      words: { String(decoding: $0, as: UTF8.self) },
      // Only samples between `began` and `ended` may be lost: without these there is no touch.
      suffers: { (try? TouchSample(line: $0))?.isBetween ?? true }),
    program: .touch)
  /// Places sounds in space.
  public static let audio = Part("audio", program: .audio)
  /// A core with its shell: an event for three senses.
  public static let senses = Part("senses", program: .senses)
}

extension PartModel {
  /// A player of AHAP patterns.
  public static let ahap = PartModel(.ahap, shows: [.tellings], faults: AHAPFault.self) { _, fault in
    AHAPDevice(fault)
  }

  /// A phone's haptic engine.
  public static let haptics = PartModel(.haptics, shows: [.tellings], faults: HapticsFault.self) { setup, fault in
    HapticsDevice(supportsHaptics: setup.isSupported, seed: setup.seed, fault)
  }

  /// A touch tracer.
  public static let touch = PartModel(
    .touch, shows: [.tellings, .impacts], faults: TouchFault.self
  ) { setup, fault in
    TouchDevice(setup.views, hasPressure: setup.isSupported, fault)
  }

  /// A sound placer.
  public static let audio = PartModel(.audio, shows: [.tellings], faults: AudioFault.self) { setup, fault in
    AudioDevice(setup.space, fault)
  }

  /// A core with its shell.
  public static let senses = PartModel(.senses, shows: [.tellings], faults: SensesFault.self) { setup, fault in
    SensesDevice(setup.space, supportsHaptics: setup.isSupported, fault)
  }
}

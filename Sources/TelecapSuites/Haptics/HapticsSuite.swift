import TelecapConformance
import TelecapHaptics

extension Suite {
  /// What comes behind a wire: a player of patterns, a haptic engine, what traces touches.
  public static let haptics: Suite = {
    var suite = Suite(
      "haptics", requirements: Requirement.ahap + Requirement.haptics + Requirement.touch,
      models: [.ahap, .haptics, .touch])
    suite.setupKeys = HapticsSetup.keys
    suite.stepKeys = [TouchSteps.key]
    suite.actionKeys = HapticsActionKeys.all
    suite.expectationKeys = Telling.keys
    suite.checkSessions = HapticsCheckSessions.all
    return suite
  }()
}

extension Part {
  /// Reads AHAP patterns and plays them.
  public static let ahap = Part("ahap", program: .ahap)
  /// A phone's haptic engine with its manager, and what is started beside it.
  public static let haptics = Part("haptics", program: .haptics)
  /// Traces touches, and hands them on.
  public static let touch = Part(
    "touch",
    payloads: Payloads(
      words: { String(decoding: $0, as: UTF8.self) },
      // A trace without its began or its ended is no touch: only what lies between may be lost.
      suffers: { (try? TouchSample(line: $0))?.isBetween ?? true }),
    program: .touch)
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

  /// What traces touches.
  public static let touch = PartModel(
    .touch, shows: [.tellings, .impacts], faults: TouchFault.self
  ) { setup, fault in
    TouchDevice(setup.views, hasPressure: setup.isSupported, fault)
  }
}

import TelecapConformance
import TelecapHaptics

extension Requirement {
  /// The requirements on reading and playing AHAP patterns.
  static let ahap = [
    Requirement(
      "ahap.parse.defaults", .must, "A missing key takes its default, and that is a finding.", "haptics, AHAP"),
    Requirement(
      "ahap.parse.clamp", .must, "A value out of range is clamped to the nearest bound, and that is a finding.",
      "haptics, AHAP"),
    Requirement(
      "ahap.parse.unknown-keys", .must, "An unknown key is ignored, and that is a finding.", "haptics, AHAP"),
    Requirement(
      "ahap.parse.malformed", .must,
      "Malformed JSON, an unknown EventType and a negative Time are errors with their place, and nothing is lost.",
      "haptics, AHAP"),
    Requirement(
      "ahap.curve.interpolation", .must, "Between its control points a curve is a straight line.", "haptics, AHAP"),
    Requirement(
      "ahap.curve.relative-time", .must, "Times of control points are relative to the curve's Time.",
      "haptics, AHAP"),
  ]

  /// The requirements on a haptic engine and its manager.
  static let haptics = [
    Requirement(
      "haptics.pattern.normal", .must, "normal is one transient of intensity 0.4 and sharpness 0.2.",
      "HapticManager, Methods; haptics, HapticManager's patterns"),
    Requirement(
      "haptics.pattern.multi", .must,
      "multi is a rumble of 0.2 s up to a frequency of 2.0 and a tap above it, scaled by the amplitude.",
      "HapticManager, Methods; haptics, HapticManager's patterns"),
    Requirement(
      "haptics.pattern.gradual", .must, "gradual is a bell curve over 2 s that peaks in the middle.",
      "HapticManager, Methods; haptics, HapticManager's patterns"),
    Requirement(
      "haptics.pattern.heavy", .must, "heavy is five events of 0.2 s, each weaker by 0.2 than the one before.",
      "HapticManager, Methods; haptics, HapticManager's patterns"),
    Requirement(
      "haptics.engine.restart", .must,
      "The engine is restarted when playing fails and after a reset; loaded patterns are kept.",
      "HapticManager; Multisensory Architectures, The CHHapticEngine Runtime"),
    Requirement(
      "haptics.engine.unsupported-device", .must,
      "On a device without haptics nothing happens, and nothing throws.", "HapticManager"),
    Requirement(
      "haptics.sync.future-scheduling", .must,
      "With a lead of 50 ms the starts of display, audio and haptics lie within 3 frames.",
      "Multisensory Architectures, The Synchronization Problem; Testing and Tuning"),
    Requirement(
      "haptics.thermal.serious", .must, "From the thermal state serious on there are no haptics.",
      "Multisensory Architectures, Thermal Throttling Mitigation"),
    Requirement(
      "haptics.thermal.low-power", .must, "In low-power mode one medium impact stands for the pattern.",
      "Multisensory Architectures, Battery Optimization"),
  ]

  /// The requirements on the feedback and the forwarding of touches.
  static let touch = [
    Requirement(
      "touch.trace.light", .must, "A touch below the threshold is traced, and nothing of it is handed on.",
      "NevHaptics; touch"),
    Requirement(
      "touch.trace.deep", .must,
      "Above the threshold tracing stops: began goes to the control under the finger, which then has the touch.",
      "NevHaptics; touch"),
    Requirement(
      "touch.trace.latched", .must, "A touch that was handed on stays so until it ends, however light it becomes.",
      "NevHaptics; touch"),
    Requirement(
      "touch.trace.no-pressure", .must, "On a device without pressure every sample is handed on untouched.",
      "NevHaptics; touch"),
    Requirement("touch.trace.light-tap", .must, "A light tap activates nothing.", "NevHaptics; touch"),
    Requirement(
      "touch.texture.grain", .must,
      "Grain is felt as a light impact each time the finger has gone 5 pt, or 10 pt where it is light.",
      "NevHaptics; touch"),
    Requirement(
      "touch.texture.scroll", .must, "A scroll view is felt as light and medium impacts in turn, light first.",
      "NevHaptics; touch"),
    Requirement(
      "touch.texture.edges", .must, "A button's edge is felt when the finger crosses it, either way.",
      "NevHaptics; touch"),
    Requirement("touch.texture.none", .must, "A plain view is not felt.", "NevHaptics; touch"),
  ]
}

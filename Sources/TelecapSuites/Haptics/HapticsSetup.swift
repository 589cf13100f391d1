import TelecapConformance
import TelecapHaptics

/// The options of a scenario for the setup of a device.
package enum HapticsSetup {
  /// The views on the screen of a touch tracer; none by default.
  package enum Views: SetupOption {
    package static let standard = ViewTree(TouchView("", x: 0, y: 0, width: 0, height: 0))
  }

  /// Whether the device has the hardware of its part: haptics, or a screen with pressure.
  package enum IsSupported: SetupOption {
    package static let standard = true
  }

  static let keys: [ScenarioKey<SetupChange>] = [
    ScenarioKey("views", .text, "The views on the screen of what traces touches, as JSON.") {
      (value) throws(YAMLFileError) in
      let views = try read(value)
      return { $0[Views.self] = views }
    },
    ScenarioKey("supported", .flag, "The device has the hardware: haptics, or pressure; true unless given.") { value in
      let isSupported = value.flag ?? true
      return { $0[IsSupported.self] = isSupported }
    },
  ]

  private static func read(_ value: YAMLValue) throws(YAMLFileError) -> ViewTree {
    do throws(TouchFileError) {
      return try ViewTree(json: Array((value.text ?? "").utf8))
    } catch {
      throw value.error("views: \(error)")
    }
  }
}

extension Setup {
  package var views: ViewTree {
    get { self[HapticsSetup.Views.self] }
    set { self[HapticsSetup.Views.self] = newValue }
  }
  package var isSupported: Bool {
    get { self[HapticsSetup.IsSupported.self] }
    set { self[HapticsSetup.IsSupported.self] = newValue }
  }
}

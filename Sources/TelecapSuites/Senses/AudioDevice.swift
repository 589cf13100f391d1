import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// A sound placer as a system under test: correct, or with one fault. It reports how a source is heard.
struct AudioDevice: Device {
  private var space: SoundSpace
  private var listener = Listener()

  init(_ space: SoundSpace, _ fault: AudioFault? = nil) {
    self.space = space
    fault?.change(&self.space.rules)
  }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    switch action as? SensesAction {
    case .listener(let listener): self.listener = listener
    case .source(let source):
      perform(.event(.told(space.placement(of: source, for: listener).told)), RawSpan())
    default: break
    }
    return []
  }
}

extension SoundPlacement {
  /// `placed left 0.5 right 0.0 delay -0.6558 (gain 0.5 azimuth -1.5708 elevation 0.0)`; the delay in ms.
  fileprivate var told: String {
    let number = DeviceWords.number
    guard isPlaced else { return "unplaced left \(number(left)) right \(number(right))" }
    return "placed left \(number(left)) right \(number(right)) delay \(number(delay * 1_000)) "
      + "(gain \(number(gain)) azimuth \(number(azimuth)) elevation \(number(elevation)))"
  }
}

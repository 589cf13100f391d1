import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapRecording

/// A core with its shell as a system under test: correct, or with one fault. It reports the output of each sense for an
/// event when the event is drained.
struct SensesDevice: Device {
  private struct Happening: Sendable {
    var number: Int
    var event: WorldEvent
  }

  private let fault: SensesFault?
  private var core = EventQueue<Happening>()
  private var shell: SensesShell
  private var listener = Listener()
  private var count = 0
  /// The last drained events.
  private var last: [Happening] = []

  init(_ space: SoundSpace, supportsHaptics: Bool, _ fault: SensesFault? = nil) {
    self.fault = fault
    var rules = SensesRules()
    var engineRules = HapticEngine.Rules()
    fault?.change(&rules)
    fault?.change(&engineRules)
    shell = SensesShell(space: space, supportsHaptics: supportsHaptics, rules: rules, engineRules: engineRules)
  }

  mutating func ask(_ action: any UserAction, at time: Timestamp, _ perform: Perform) -> [[UInt8]] {
    switch action as? SensesAction {
    case .listener(let listener): self.listener = listener
    case .happens(let event):
      count += 1
      core.schedule(Happening(number: count, event: event), at: time)
    case .tick: tick(to: time)
    case .drain:
      if fault == .drainsTheFuture { tick(to: time) }
      drain(at: time, perform)
    case .category(let category): _ = shell.change(.category(category), at: time)
    case .source, nil: break
    }
    switch action as? HapticsAction {
    case .conditions(let conditions):
      _ = shell.change(.thermal(conditions.thermal), at: time)
      _ = shell.change(.lowPower(conditions.isLowPower), at: time)
    case .suffer(.stop(.audioSessionInterrupted)): _ = shell.change(.interruption(isOn: true), at: time)
    case .suffer(.over(.audioSessionInterrupted)): _ = shell.change(.interruption(isOn: false), at: time)
    default: break
    }
    return []
  }

  private mutating func tick(to time: Timestamp) { core.tick(byNanoseconds: time.nanoseconds(since: core.now)) }

  private mutating func drain(at time: Timestamp, _ perform: Perform) {
    var drained = core.drain()
    switch fault {
    case .deliversAgain where drained.isEmpty: drained = last
    case .keepsLatestOnly: drained = drained.suffix(1)
    case .reverses: drained.reverse()
    default: last = drained
    }
    for happening in drained {
      let perception = shell.perceive(happening.event, for: listener, at: time)
      for words in perception.told(shell.music) {
        // Optional text is in brackets as a whole.
        let aside = words.hasPrefix("(")
        let line = aside ? "(\(happening.number) \(words.dropFirst())" : "\(happening.number) \(words)"
        perform(.event(.told(line)), RawSpan())
      }
    }
  }
}

extension Perception {
  /// The output of each sense, a line each; a missing output is optional text.
  fileprivate func told(_ music: String) -> [String] {
    [seen.told] + [heard?.told(music), felt?.told].compactMap { $0 }
  }
}

extension Seen {
  fileprivate var told: String {
    switch self {
    case .burst(let particles): "burst \(particles.rawValue)"
    case .ring(let integrity): "ring \(DeviceWords.number(integrity))"
    }
  }
}

extension Heard {
  fileprivate func told(_ music: String) -> String {
    guard case .sound(let placement, let level, _, _, _) = self else { return "(no sound)" }
    let (left, right) = (DeviceWords.number(placement.left * level), DeviceWords.number(placement.right * level))
    return "\(placement.isPlaced ? "placed" : "unplaced") left \(left) right \(right) music \(music)"
  }
}

extension Felt {
  fileprivate var told: String {
    switch self {
    case .pattern(let feel):
      "pattern intensity \(DeviceWords.number(feel.intensity)) sharpness \(DeviceWords.number(feel.crack)) "
        + "to \(DeviceWords.number(feel.rumble))"
    case .mediumImpact: "impact medium"
    case .nothing(let why): "(silent: \(why.words))"
    case .savedPower: "(silent: low-power mode)"
    }
  }
}

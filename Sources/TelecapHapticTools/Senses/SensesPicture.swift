import TelecapHaptics
import TelecapRecording

/// A picture of the perception over time in three lanes.
public struct SensesPicture: Sendable {
  /// The title.
  public var title: String
  /// The duration, in s.
  public var duration: Double
  /// The times of bursts on the screen, in s, and their drawn sizes, 0…1.
  public var bursts: [(time: Double, size: Double)] = []
  /// The times at which poses were applied, in s.
  public var poses: [Double] = []
  /// The integrity of the ring from these times on, in s.
  public var ring: [(time: Double, integrity: Double)] = []
  /// The maximum level of each ear in intervals of equal length, 0…1.
  public var ears: [(left: Double, right: Double)] = []
  /// The strongest haptics in intervals of equal length.
  public var felt: [HapticSample] = []
  /// The times of taps, in s, and their intensities.
  public var taps: [(time: Double, intensity: Double)] = []
  /// The states of the device, with their start and end in s.
  public var states: [(name: String, from: Double, to: Double)] = []
  /// The label of the first lane.
  public var firstLane = "seen"
  /// The legend.
  public var legend = "felt: intensity (area), sharpness (dashed), tap ●; seen: burst, ring (line)"
  /// The lines of text below it.
  public var notes: [String] = []

  /// The number of intervals.
  static let parts = 880

  /// Empty lanes.
  public init(title: String, duration: Double) {
    (self.title, self.duration) = (title, max(0.1, duration))
  }

  /// Fills the sound lane from a renderer, to its end.
  public mutating func hear(_ renderer: SoundRenderer) {
    var renderer = renderer
    ears = [(left: Double, right: Double)](repeating: (0, 0), count: SensesPicture.parts)
    let rate = Double(SoundRenderer.rate)
    while renderer.frame < renderer.length {
      let first = renderer.frame
      let samples = renderer.next()
      for index in 0..<samples.count / 2 {
        let part = Int(Double(first + index) / rate / duration * Double(SensesPicture.parts))
        guard part < ears.count else { return }
        ears[part].left = max(ears[part].left, Double(abs(samples[2 * index])))
        ears[part].right = max(ears[part].right, Double(abs(samples[2 * index + 1])))
      }
    }
  }

  /// Fills the haptics lane from a function of the time in s: the strongest of eight samples of each interval.
  public mutating func feel(_ sample: (Double) -> HapticSample) {
    felt = (0..<SensesPicture.parts).map { part in
      (0..<8).reduce(HapticSample.silence) { strongest, step in
        let time = (Double(part) + Double(step) / 8) / Double(SensesPicture.parts) * duration
        let now = sample(time)
        return now.intensity > strongest.intensity ? now : strongest
      }
    }
  }
}

extension SensesPicture {
  /// The picture of a played script.
  public init(_ run: SensesRun) {
    self.init(title: run.script.title, duration: run.end.seconds + 0.1)
    for event in run.sensed {
      let time = event.time(of: .seen).seconds
      switch event.perception.seen {
      case .burst(let particles): bursts.append((time, SensesPicture.size(particles)))
      case .ring(let integrity): ring.append((time, integrity))
      }
      guard let pattern = event.pattern else { continue }
      for case .event(let tap) in pattern.pattern where tap.type == .hapticTransient {
        taps.append((event.time(of: .felt).seconds + tap.time, tap.value(of: .hapticIntensity) ?? 1))
      }
    }
    hear(run.renderer)
    feel { run.felt(at: Timestamp(seconds: $0)) }
    states = SensesPicture.states(run.script.changes, until: duration)
    notes = SkewText.notes(run)
  }

  private static func size(_ particles: DeviceConditions.Particles) -> Double {
    switch particles {
    case .all: 1
    case .fewer: 0.6
    case .minimal: 0.35
    }
  }

  /// The unusual states, each with its start and end.
  private static func states(
    _ changes: [(time: Timestamp, change: WorldChange)], until end: Double
  ) -> [(name: String, from: Double, to: Double)] {
    var states: [(name: String, from: Double, to: Double)] = []
    var open: [String: (name: String, from: Double)] = [:]
    func close(_ kind: String, at time: Double) {
      guard let state = open.removeValue(forKey: kind) else { return }
      states.append((state.name, state.from, time))
    }
    for (time, change) in changes {
      switch change {
      case .thermal(let state):
        close("thermal", at: time.seconds)
        if state != .nominal { open["thermal"] = (state.rawValue, time.seconds) }
      case .lowPower(let isOn):
        close("power", at: time.seconds)
        if isOn { open["power"] = ("low power", time.seconds) }
      case .interruption(let isOn):
        close("interruption", at: time.seconds)
        if isOn { open["interruption"] = ("interrupted", time.seconds) }
      case .category(let category):
        close("category", at: time.seconds)
        if category == .ambient { open["category"] = ("ambient", time.seconds) }
      case .busy(let length): states.append(("busy", time.seconds, time.seconds + Double(length) / 1e9))
      }
    }
    for kind in open.keys.sorted() { close(kind, at: end) }
    return states.sorted { $0.from < $1.from }
  }
}

import TelecapHaptics
import TelecapRecording

/// What three senses got over time, to be drawn as three lanes.
public struct SensesPicture: Sendable {
  /// What it is called.
  public var title: String
  /// How long it is, in s.
  public var duration: Double
  /// When something burst on the screen, in s, and how large it is drawn, 0…1.
  public var bursts: [(time: Double, size: Double)] = []
  /// When a pose was applied, in s.
  public var poses: [Double] = []
  /// How whole the ring is from these times on, in s.
  public var ring: [(time: Double, integrity: Double)] = []
  /// The loudest of each ear in parts of equal length, 0…1.
  public var ears: [(left: Double, right: Double)] = []
  /// What is felt in parts of equal length: the strongest of each.
  public var felt: [HapticSample] = []
  /// When taps are felt, in s, and how strongly.
  public var taps: [(time: Double, intensity: Double)] = []
  /// What held around it, from when to when in s.
  public var states: [(name: String, from: Double, to: Double)] = []
  /// What the first lane shows.
  public var firstLane = "seen"
  /// What its marks are.
  public var legend = "felt: intensity (area), sharpness (dashed), tap ●; seen: burst, ring (line)"
  /// What is to be said below it, a line each.
  public var notes: [String] = []

  /// Into how many parts its time is divided.
  static let parts = 880

  /// Lanes in which nothing stands yet.
  public init(title: String, duration: Double) {
    (self.title, self.duration) = (title, max(0.1, duration))
  }

  /// Takes over what a renderer makes, to its end.
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

  /// Takes over what is felt at each time, in s: the strongest of eight moments of each part.
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
  /// What a script's events were to the three senses.
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

  /// What is not as usual, from when to when.
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

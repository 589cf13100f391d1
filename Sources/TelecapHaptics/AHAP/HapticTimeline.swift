/// The haptics at one moment.
public struct HapticSample: Hashable, Sendable {
  /// 0…1.
  public var intensity: Double
  /// 0…1; 0 in silence.
  public var sharpness: Double

  /// No haptics.
  public static let silence = HapticSample(intensity: 0, sharpness: 0)

  /// A moment.
  public init(intensity: Double, sharpness: Double) {
    self.intensity = intensity
    self.sharpness = sharpness
  }
}

/// A pattern that is prepared once and evaluated at any time: its intensity and sharpness (haptics.md, AHAP).
///
/// Intensity is the event's × HapticIntensityControl × the envelope, sharpness the event's + HapticSharpnessControl,
/// each clamped to its range. Of overlapping events the strongest counts, and of equal ones the last that began
/// (derived: the text does not define how they mix).
public struct HapticTimeline: Sendable {
  /// In order of their starts.
  private let events: [HapticEventTrack]
  private let controls: HapticControls
  /// The end of the last haptic event, in s from the start.
  public let duration: Double

  /// Prepares the haptic part of `pattern`; sounds are ignored.
  public init(_ pattern: AHAP, rules: EvaluationRules = EvaluationRules()) {
    let controls = HapticControls(pattern, rules)
    let events = pattern.pattern.enumerated().compactMap { index, item in
      if case .event(let event) = item { HapticEventTrack(event, item: index, controls) } else { nil }
    }
    self.controls = controls
    self.events = events.stablySorted(by: \.time)
    duration = events.map(\.end).max() ?? 0
  }

  /// The starts of the transients, in s.
  public var transients: [Double] { events.filter(\.isTransient).map(\.time) }

  /// The haptics at `time`, in s from the start.
  public func sample(at time: Double) -> HapticSample {
    var felt = HapticSample.silence
    for event in events {
      if event.time > time { break }
      felt.take(event.sample(at: time, controls))
    }
    return felt
  }

  /// Fills `buffer` with samples at `rate` a second, the first at `start`. A transient between two samples is added to
  /// the later one, so that none is missed. Allocates nothing for a sample.
  public func fill(_ buffer: inout [HapticSample], from start: Double = 0, rate: Double) {
    var active: [Int] = []
    var next = 0
    for index in buffer.indices {
      let time = start + Double(index) / rate
      var felt = HapticSample.silence
      while next < events.count, events[next].time <= time {
        let event = events[next]
        if event.end > time { active.append(next) } else { felt.take(missed(event, since: time - 1 / rate, index)) }
        next += 1
      }
      active.removeAll { events[$0].end <= time }
      for event in active { felt.take(events[event].sample(at: time, controls)) }
      buffer[index] = felt
    }
  }

  /// The samples of the whole pattern, up to the first silent one after its end.
  public func samples(rate: Double) -> [HapticSample] {
    let count = Int(min(max(0, (duration * rate).rounded(.up)), Double(HapticTimeline.mostSamples)))
    var samples = [HapticSample](repeating: .silence, count: count + 1)
    fill(&samples, rate: rate)
    if samples[count].intensity > 0 { samples.append(.silence) }
    return samples
  }

  /// The maximum number of samples, more than any pattern needs: times in a file are untrusted.
  public static let mostSamples = 50_000_000

  /// A transient that is wholly between two samples. Before the first sample there is nothing to catch up.
  private func missed(_ event: HapticEventTrack, since earlier: Double, _ index: Int) -> HapticSample? {
    guard event.isTransient, index > 0 || event.time > earlier else { return nil }
    return event.sample(at: event.time, controls)
  }

  /// Each continuous event's index in the pattern, and the time from its last peak to 0, in s, searched in steps of a
  /// thousandth of its length. An event that ends at full strength does not fade.
  func fades() -> [(item: Int, seconds: Double)] {
    events.compactMap { event in
      guard !event.isTransient, event.duration > 0 else { return nil }
      let step = (event.end - event.time) / 1_000
      let levels = (0..<1_000).map { event.sample(at: event.time + Double($0) * step, controls)?.intensity ?? 0 }
      guard let peak = levels.max(), peak > 0, let last = levels.lastIndex(of: peak),
        let felt = levels.lastIndex(where: { $0 > 0 })
      else { return nil }
      return (event.item, Double(felt - last) * step)
    }
  }
}

extension HapticSample {
  /// Sets the stronger of two; if they are equal, the other one.
  fileprivate mutating func take(_ other: HapticSample?) {
    if let other, other.intensity >= intensity, other.intensity > 0 { self = other }
  }
}

/// What a pattern feels like at one moment.
public struct HapticSample: Hashable, Sendable {
  /// 0…1.
  public var intensity: Double
  /// 0…1; 0 where nothing is felt.
  public var sharpness: Double

  /// Nothing is felt.
  public static let silence = HapticSample(intensity: 0, sharpness: 0)

  /// A moment.
  public init(intensity: Double, sharpness: Double) {
    self.intensity = intensity
    self.sharpness = sharpness
  }
}

/// A pattern, prepared once and evaluated at any time: its intensity and sharpness (haptics.md, AHAP).
///
/// Intensity is the event's × HapticIntensityControl × the envelope, sharpness the event's + HapticSharpnessControl, each
/// clamped to its range. Where events overlap, the strongest is felt, and of equals the one that began last (derived: the
/// text does not say how they mix).
public struct HapticTimeline: Sendable {
  /// By their beginnings.
  private let events: [HapticEventTrack]
  private let controls: HapticControls
  /// When nothing is left to be felt, in s from the start.
  public let duration: Double

  /// The haptic part of `pattern`; sounds are left out.
  public init(_ pattern: AHAP, rules: EvaluationRules = EvaluationRules()) {
    let controls = HapticControls(pattern, rules)
    let events = pattern.pattern.enumerated().compactMap { index, item in
      if case .event(let event) = item { HapticEventTrack(event, item: index, controls) } else { nil }
    }
    self.controls = controls
    self.events = events.stablySorted(by: \.time)
    duration = events.map(\.end).max() ?? 0
  }

  /// The beginnings of the transients, in s.
  public var transients: [Double] { events.filter(\.isTransient).map(\.time) }

  /// What is felt at `time`, in s from the start.
  public func sample(at time: Double) -> HapticSample {
    var felt = HapticSample.silence
    for event in events {
      if event.time > time { break }
      felt.take(event.sample(at: time, controls))
    }
    return felt
  }

  /// Fills `buffer` with samples at `rate` a second, the first at `start`. No transient falls between two samples: one
  /// that was over before a sample is felt in it. Allocates nothing for a sample.
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

  /// The samples of the whole pattern, the last of which is the first silent one behind it.
  public func samples(rate: Double) -> [HapticSample] {
    let count = Int(min(max(0, (duration * rate).rounded(.up)), Double(HapticTimeline.mostSamples)))
    var samples = [HapticSample](repeating: .silence, count: count + 1)
    fill(&samples, rate: rate)
    if samples[count].intensity > 0 { samples.append(.silence) }
    return samples
  }

  /// More samples than any pattern needs: what a file says of times is not trusted.
  public static let mostSamples = 50_000_000

  /// A transient that lay wholly between two samples; before the first sample nothing has been missed.
  private func missed(_ event: HapticEventTrack, since earlier: Double, _ index: Int) -> HapticSample? {
    guard event.isTransient, index > 0 || event.time > earlier else { return nil }
    return event.sample(at: event.time, controls)
  }

  /// Each continuous event's element of the pattern, and how long it takes to fade from its last peak to nothing, in s;
  /// looked for in steps of a thousandth of its length. What ends at full strength does not fade.
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
  /// The stronger of two; of equals the other.
  fileprivate mutating func take(_ other: HapticSample?) {
    if let other, other.intensity >= intensity, other.intensity > 0 { self = other }
  }
}

import TelecapRecording

/// HAPTIC intensities over time, and what becomes of them as AHAP.
public enum HapticStream {
  /// How often a host sends HAPTIC, a second (Haptic Feedback API, Update Rate).
  public static let rate = 20.0

  /// The intensities to send for a pattern, `rate` a second from its start; the last is 0, which stops the motor.
  public static func intensities(of pattern: AHAP, rate: Double = rate) -> [Float] {
    HapticTimeline(pattern).samples(rate: rate).map { HapticStrength.clamped(Float($0.intensity)) }
  }

  /// A pattern that was fitted to a stream.
  public struct Fitted: Hashable, Sendable {
    /// One continuous event with its intensity curve; more where it is longer than 30 s or the curve than 16 points.
    public var pattern: AHAP
    /// How many points the curve has, the ones that two pieces of it share counted once.
    public var points: Int
    /// The largest difference to a sample.
    public var error: Double
  }

  /// The pattern that plays a stream: the fewest curve points that keep its difference to every sample within
  /// `tolerance`. Between two samples it goes in straight lines, where a HAPTIC receiver would hold the last value.
  ///
  /// - Parameter samples: what was received, in that order; intensities are clamped, and of several at one time the last
  ///   counts. Times are taken from the first sample.
  /// - Returns: Nil when there is no sample.
  public static func fit(_ samples: [TimedValue], tolerance: Double, sharpness: Double = 0.5) -> Fitted? {
    let samples = rising(samples)
    guard let last = samples.last else { return nil }
    let points = CurveFit.points(samples, tolerance: max(0, tolerance))
    // The last value is held for as long as the others were, on average.
    let length = last.time + (samples.count > 1 ? last.time / Double(samples.count - 1) : 1 / rate)
    let pattern = AHAP(events(length, sharpness) + curves(points))
    let timeline = HapticTimeline(pattern)
    let error = samples.map { abs(timeline.sample(at: $0.time).intensity - $0.value) }.max() ?? 0
    return Fitted(pattern: pattern, points: points.count, error: error)
  }

  /// Within 0…1, from time 0 on, each time once.
  private static func rising(_ samples: [TimedValue]) -> [TimedValue] {
    var rising: [TimedValue] = []
    for sample in samples {
      let start = samples[0].time
      let clamped = TimedValue(sample.time - start, sample.value > 0 ? min(sample.value, 1) : 0)
      if let last = rising.last, clamped.time <= last.time {
        rising[rising.count - 1].value = clamped.value
      } else {
        rising.append(clamped)
      }
    }
    return rising
  }

  /// Continuous events of at most 30 s, end to end.
  private static func events(_ length: Double, _ sharpness: Double) -> [AHAP.Item] {
    let count = max(1, Int((length / AHAP.longestEvent).rounded(.up)))
    return (0..<count).map { index in
      let start = Double(index) * AHAP.longestEvent
      let duration = min(AHAP.longestEvent, length - start)
      return .event(.continuous(at: start, lasting: duration, intensity: 1, sharpness: sharpness))
    }
  }

  /// Curves of at most 16 points; each begins with the point that ended the one before.
  private static func curves(_ points: [TimedValue]) -> [AHAP.Item] {
    stride(from: 0, to: max(1, points.count - 1), by: AHAP.mostCurvePoints - 1).map { first in
      let piece = points[first..<min(first + AHAP.mostCurvePoints, points.count)]
      let start = points[first].time
      return .curve(
        AHAP.Curve(.hapticIntensity, at: start, piece.map { AHAP.Point($0.time - start, $0.value) }))
    }
  }
}

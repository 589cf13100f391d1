import TelecapRecording

/// Conversion between HAPTIC intensities over time and AHAP.
public enum HapticStream {
  /// The rate of a host's HAPTIC messages, in Hz (Haptic Feedback API, Update Rate).
  public static let rate = 20.0

  /// The intensities to send for a pattern, `rate` a second from its start. The last one is 0, which stops the motor.
  public static func intensities(of pattern: AHAP, rate: Double = rate) -> [Float] {
    HapticTimeline(pattern).samples(rate: rate).map { HapticStrength.clamped(Float($0.intensity)) }
  }

  /// A pattern fitted to a stream.
  public struct Fitted: Hashable, Sendable {
    /// One continuous event with its intensity curve; several if it is longer than 30 s or the curve has more than 16
    /// points.
    public var pattern: AHAP
    /// The number of points of the curve. A point that two parts of it share counts once.
    public var points: Int
    /// The largest difference to a sample.
    public var error: Double
  }

  /// The pattern of a stream: the smallest number of curve points whose difference to every sample is at most
  /// `tolerance`. It is linear between two samples, where a HAPTIC receiver would hold the last value.
  ///
  /// - Parameter samples: the received samples in order. Intensities are clamped, and the last of several with one time
  ///   counts. Times are relative to the first sample.
  /// - Returns: nil without samples.
  public static func fit(_ samples: [TimedValue], tolerance: Double, sharpness: Double = 0.5) -> Fitted? {
    let samples = rising(samples)
    guard let last = samples.last else { return nil }
    let points = CurveFit.points(samples, tolerance: max(0, tolerance))
    // Hold the last value for the mean interval of the others.
    let length = last.time + (samples.count > 1 ? last.time / Double(samples.count - 1) : 1 / rate)
    let pattern = AHAP(events(length, sharpness) + curves(points))
    let timeline = HapticTimeline(pattern)
    let error = samples.map { abs(timeline.sample(at: $0.time).intensity - $0.value) }.max() ?? 0
    return Fitted(pattern: pattern, points: points.count, error: error)
  }

  /// The samples within 0…1, from time 0 on, at most one for each time.
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

  /// Continuous events of at most 30 s without gaps.
  private static func events(_ length: Double, _ sharpness: Double) -> [AHAP.Item] {
    let count = max(1, Int((length / AHAP.longestEvent).rounded(.up)))
    return (0..<count).map { index in
      let start = Double(index) * AHAP.longestEvent
      let duration = min(AHAP.longestEvent, length - start)
      return .event(.continuous(at: start, lasting: duration, intensity: 1, sharpness: sharpness))
    }
  }

  /// Curves of at most 16 points; each starts with the last point of the one before.
  private static func curves(_ points: [TimedValue]) -> [AHAP.Item] {
    stride(from: 0, to: max(1, points.count - 1), by: AHAP.mostCurvePoints - 1).map { first in
      let piece = points[first..<min(first + AHAP.mostCurvePoints, points.count)]
      let start = points[first].time
      return .curve(
        AHAP.Curve(.hapticIntensity, at: start, piece.map { AHAP.Point($0.time - start, $0.value) }))
    }
  }
}

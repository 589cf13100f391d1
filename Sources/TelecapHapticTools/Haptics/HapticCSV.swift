import TelecapHaptics
import TelecapText

/// The samples of a pattern as CSV.
public enum HapticCSV {
  /// Passes a header line to `body`, and a line for each sample: time in s, intensity, sharpness.
  ///
  /// - Parameter rate: samples a second.
  /// - Throws: any error of `body`.
  public static func lines(of timeline: HapticTimeline, rate: Double, _ body: (String) throws -> Void) rethrows {
    try body("time_s,intensity,sharpness")
    // Work in blocks, so that an hour at 48 kHz is not in memory at once.
    let total = Int((timeline.duration * rate).rounded(.up)) + 1
    var buffer = [HapticSample](repeating: .silence, count: min(total, 8_192))
    for start in stride(from: 0, to: total, by: buffer.count) {
      if total - start < buffer.count { buffer.removeLast(buffer.count - (total - start)) }
      timeline.fill(&buffer, from: Double(start) / rate, rate: rate)
      for (index, sample) in buffer.enumerated() {
        try body(
          Numbers.fixed(Double(start + index) / rate, 6) + "," + Numbers.fixed(sample.intensity, 6) + ","
            + Numbers.fixed(sample.sharpness, 6))
      }
    }
  }
}

extension HapticPlot {
  /// The plot of a pattern with this title.
  public init(_ title: String, of timeline: HapticTimeline) {
    let count = 1_024
    var samples = [HapticSample](repeating: .silence, count: count)
    timeline.fill(&samples, rate: Double(count) / timeline.duration)
    self.init(
      title: title, duration: timeline.duration, intensity: samples.map(\.intensity),
      sharpness: samples.map(\.sharpness),
      taps: timeline.transients.map { ($0, timeline.sample(at: $0).intensity) })
  }
}

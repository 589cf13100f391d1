import TelecapText

/// A plot of a haptic pattern over time: samples at equal intervals.
public struct HapticPlot: Sendable {
  /// The title.
  public var title: String
  /// The time from the first sample to the end of the last, in s.
  public var duration: Double
  /// Each 0…1.
  public var intensity: [Double]
  /// Each 0…1; meaningless where the intensity is 0.
  public var sharpness: [Double]
  /// The times of taps, in s, and their intensities.
  public var taps: [(time: Double, intensity: Double)]

  /// A plot with these values.
  public init(
    title: String, duration: Double, intensity: [Double], sharpness: [Double],
    taps: [(time: Double, intensity: Double)]
  ) {
    self.title = title
    self.duration = duration
    self.intensity = intensity
    self.sharpness = sharpness
    self.taps = taps
  }

  /// The interval of ticks that divides the plot into two to ten parts: 1, 2 or 5 times a power of ten, in s.
  var tick: Double { HapticPlot.tick(for: duration) }

  /// The same for a plot of this many s.
  static func tick(for duration: Double) -> Double {
    var step = 0.001
    for factor in [2, 2.5, 2].cycled(40) where duration / step > 8 { step *= factor }
    return step
  }

  /// A time on the axis, without trailing zeros.
  static func label(_ seconds: Double) -> String {
    var text = Numbers.fixed(seconds, 3)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}

extension [Double] {
  fileprivate func cycled(_ times: Int) -> [Double] { (0..<times).map { self[$0 % count] } }
}

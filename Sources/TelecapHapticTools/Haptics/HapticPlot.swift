import TelecapText

/// A haptic pattern as it is felt over time, to be drawn: samples at equal distances.
public struct HapticPlot: Sendable {
  /// What it is called.
  public var title: String
  /// From the first sample to the end of the last, in s.
  public var duration: Double
  /// Each 0…1.
  public var intensity: [Double]
  /// Each 0…1; of no meaning where the intensity is 0.
  public var sharpness: [Double]
  /// When taps are felt, in s, and how strongly.
  public var taps: [(time: Double, intensity: Double)]

  /// A pattern to be drawn.
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

  /// Steps of time that divide the plot into two to ten parts: 1, 2 or 5 times a power of ten, in s.
  var tick: Double { HapticPlot.tick(for: duration) }

  /// The same for a plot of so many s.
  static func tick(for duration: Double) -> Double {
    var step = 0.001
    for factor in [2, 2.5, 2].cycled(40) where duration / step > 8 { step *= factor }
    return step
  }

  /// A time on the axis, with no more decimals than it needs.
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

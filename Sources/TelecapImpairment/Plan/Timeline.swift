import TelecapRecording
import TelecapText

/// How fast a recording is run: `2x`, `0.5x`, or as fast as can be.
public enum Speed: Hashable, Sendable {
  /// So many millionths of the recorded speed: 2,000,000 is twice as fast.
  case times(millionths: UInt64)
  /// Without any pause: all packets are due at 0, in their order.
  case max

  /// As it was recorded.
  public static let recorded = Speed.times(millionths: 1_000_000)
}

extension Speed: CustomStringConvertible {
  /// `1x`, `2.5x` or `max`.
  public var description: String {
    switch self {
    case .times(let millionths): DecimalText.text(millionths, scale: 1_000_000) + "x"
    case .max: "max"
    }
  }

  /// Reads `2x`, `2`, `0.5x` or `max`; from a millionth to a million times.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let given = text.trimmed
    if given == "max" {
      self = .max
      return
    }
    let digits = given.hasSuffix("x") ? given.dropLast() : given[...]
    guard let millionths = try? DecimalText.parse(digits, scale: 1_000_000),
      (1...1_000_000_000_000).contains(millionths)
    else {
      throw ImpairmentSyntaxError(
        given, "is not a speed", expected: "a factor from 0.000001x to 1000000x, such as 2x or 0.5x, or max")
    }
    self = .times(millionths: millionths)
  }
}

/// Maps the time of a recording to the time of a run. Pure integers, so that the same recording gives the same times
/// everywhere; the recorded time is added up before it is scaled, so that no rounding adds up.
public struct Timeline: Hashable, Sendable {
  /// How fast it runs.
  public let speed: Speed
  /// The longest silence that is kept, in recorded time; nil keeps all.
  public let maxGap: Interval?

  private var last: Timestamp?
  private var elapsed: Nanoseconds = 0

  /// A timeline whose run begins at `start`; when that is nil, with the first packet. Packets before `start` are due at 0.
  public init(speed: Speed = .recorded, maxGap: Interval? = nil, start: Timestamp? = nil) {
    self.speed = speed
    self.maxGap = maxGap
    last = start
  }

  /// When a packet that was captured at `time` would be sent: ns from the start of the run. Never goes back: a timestamp
  /// before the last one counts as the last one's time.
  public mutating func runTime(of time: Timestamp) -> Nanoseconds {
    if let last, time > last {
      let gap = time.nanoseconds(since: last)
      let (sum, overflow) = elapsed.addingReportingOverflow(min(gap, maxGap?.nanoseconds ?? gap))
      elapsed = overflow ? .max : sum
    }
    last = Swift.max(last ?? time, time)
    guard case .times(let millionths) = speed else { return 0 }
    let (high, low) = UInt64(elapsed).multipliedFullWidth(by: 1_000_000)
    guard high < millionths else { return .max / 2 }
    return Int64(min(millionths.dividingFullWidth((high, low)).quotient, UInt64(Int64.max / 2)))
  }
}

import TelecapRecording
import TelecapText

/// The speed of a replay: `2x`, `0.5x`, or the maximum.
public enum Speed: Hashable, Sendable {
  /// A speed in millionths of the recorded one: 2,000,000 is twice as fast.
  case times(millionths: UInt64)
  /// Without pauses: all packets are due at 0, in order.
  case max

  /// The recorded speed.
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

  /// Parses `2x`, `2`, `0.5x` or `max`; from a millionth to a million times.
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

/// Maps the time of a recording to the time of a run. With integers only, so that the same recording gives the same
/// times everywhere; the recorded time is summed before it is scaled, so that rounding errors do not add up.
public struct Timeline: Hashable, Sendable {
  /// The speed.
  public let speed: Speed
  /// The maximum silence that is not shortened, in recorded time; nil for no maximum.
  public let maxGap: Interval?

  private var last: Timestamp?
  private var elapsed: Nanoseconds = 0

  /// A timeline whose run starts at `start`, or at the first packet if that is nil. Packets before `start` are due at
  /// 0.
  public init(speed: Speed = .recorded, maxGap: Interval? = nil, start: Timestamp? = nil) {
    self.speed = speed
    self.maxGap = maxGap
    last = start
  }

  /// The time of unimpaired sending of a packet that was captured at `time`: ns from the start of the run. Never goes
  /// back: a timestamp before the last one counts as the last one's time.
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

import TelecapRecording

/// `stall D every E`: from E, 2E, 3E … after the start of the run nothing leaves for D; then all waiting packets leave
/// at once, in order. Models the sleeping radio of a phone.
public struct Stall: Impairment {
  /// D: the duration of a stall.
  public let length: Interval
  /// E: the time from the start of one stall to the start of the next.
  public let period: Interval

  /// Stalls of this duration; nil unless it is shorter than the period, because nothing would ever leave.
  public init?(length: Interval, period: Interval) {
    guard length < period else { return nil }
    self.length = length
    self.period = period
  }
}

extension Stall {
  /// `500ms@5s`.
  public var description: String { "\(length)@\(period)" }

  /// Parses `500ms@5s` or `500ms every 5s`.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let expected = "how long and how often, such as 500ms@5s"
    let marked = text.contains("@") ? text : text.replacing(" every ", with: "@")
    let parts = marked.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw ImpairmentSyntaxError(text, "is not a stall", expected: expected) }
    let length = try Interval(parsing: String(parts[0]))
    let period = try Interval(parsing: String(parts[1]))
    guard let stall = Stall(length: length, period: period) else {
      throw ImpairmentSyntaxError(text, "stalls for its whole period, so nothing would leave", expected: expected)
    }
    self = stall
  }
}

extension ImpairmentID {
  /// Stall: the packet waits until the link is active again.
  public static let stall = ImpairmentID(7)
}

extension Stall {
  /// Its number.
  public static let id = ImpairmentID.stall
  /// Its name.
  public static let name = "stall"
  /// After all others: a sleeping radio delays the packets after the link.
  public static let place = 70
  /// `--stall D@E`.
  public static let options = [
    option("stall", value: "d@e", help: "Pause all delivery for a time, once per period: 500ms@5s.", parse: Stall.init)
  ]
  /// Stalls are periodic, not random.
  public static let isRandom = false
  /// A stall applies to a stream too.
  public static let strikesStreams = true

  /// The stage that delays copies until the end of a stall.
  public func stage(seed: UInt64) -> ImpairmentStage { .leaving(Stage(stall: self)) }

  /// The maximum delay of the deliveries.
  public func account(of rates: AppliedRates) -> AppliedRate {
    .time(self, "longest", nanoseconds: rates.longestDelayNanoseconds, deliveries: rates.deliveries)
  }

  private struct Stage: LeavingStage {
    let stall: Stall

    func leave(payload: Int, at time: Nanoseconds) -> Nanoseconds? {
      guard time >= stall.period.nanoseconds else { return time }
      let start = time - time % stall.period.nanoseconds
      return max(time, start + stall.length.nanoseconds)
    }
  }
}

/// `stall D every E`: from E, 2E, 3E … after the start of the run nothing leaves for D; then all that waited leaves at
/// once, in the order in which it came. A phone's radio asleep.
public struct Stall: Hashable, Sendable {
  /// D: how long nothing leaves.
  public let length: Interval
  /// E: from the start of one stall to the start of the next.
  public let period: Interval

  /// Stalls of this length; nil unless it is shorter than the period, or nothing would ever leave.
  public init?(length: Interval, period: Interval) {
    guard length < period else { return nil }
    self.length = length
    self.period = period
  }

  /// When something leaves that is ready at `time`.
  func release(_ time: Int64) -> Int64 {
    guard time >= period.nanoseconds else { return time }
    let start = time - time % period.nanoseconds
    return max(time, start + length.nanoseconds)
  }
}

extension Stall: CustomStringConvertible {
  /// `500ms@5s`.
  public var description: String { "\(length)@\(period)" }

  /// Reads `500ms@5s` or `500ms every 5s`.
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

import TelecapRecording

/// A time since 1970 as capture files store it, with a wider range than `Timestamp`: the sum of `seconds` and `offset`,
/// and a fraction.
struct FileTime: Hashable {
  /// The whole seconds.
  var seconds: UInt64 = 0
  /// Seconds to add.
  var offset: Int64
  /// Nanoseconds, 0…999,999,999.
  var fraction: Int64

  /// The nanoseconds since `origin`, or since 1970 if it is nil; nil if they do not fit into an Int64.
  func nanoseconds(since origin: FileTime? = nil) -> Int64? {
    // The exact sum wraps on overflow; a sum in Double detects that.
    let origin = origin ?? FileTime(offset: 0, fraction: 0)
    let rough = (Double(seconds) - Double(origin.seconds)) + (Double(offset) - Double(origin.offset))
    guard rough > -1e10, rough < 1e10 else { return nil }
    let exact = (Int64(bitPattern: seconds) &- Int64(bitPattern: origin.seconds)) &+ (offset &- origin.offset)
    // The whole seconds of −0.5 s are −1. Rounded towards 0 the product fits whenever the sum does.
    let rest = fraction - origin.fraction
    let (whole, part) = exact < 0 && rest > 0 ? (exact + 1, rest - 1_000_000_000) : (exact, rest)
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = product.addingReportingOverflow(part)
    return isTooLarge || isBeyond ? nil : sum
  }

  /// Whether it is before another one, also outside the range of `Timestamp`.
  func isBefore(_ other: FileTime) -> Bool {
    (Double(seconds) - Double(other.seconds)) + (Double(offset) - Double(other.offset)) < 0
  }
}

/// The times of a file's packets as timestamps. If the first one is in a year outside the range of timestamps, such as
/// year 0 of a clock that was never set, all are relative to it, so that differences remain. Any other time that does
/// not fit is clamped and counted.
struct FileTimes: Hashable {
  /// The time of the first packet, if all times are relative to it.
  private(set) var origin: FileTime?
  /// The number of clamped times.
  private(set) var clamped = 0
  private var hasBegun = false

  /// Whether times count from 1970.
  var isAbsolute: Bool {
    @inline(__always) get { origin == nil }
  }

  /// Records that a packet had a time in range.
  @inline(__always)
  mutating func began() { hasBegun = true }

  /// The timestamp of the next packet.
  @inline(never)
  mutating func timestamp(_ time: FileTime) -> Timestamp {
    defer { hasBegun = true }
    if let nanoseconds = time.nanoseconds(since: origin) { return Timestamp(nanoseconds: nanoseconds) }
    guard hasBegun else {
      origin = time
      return .zero
    }
    clamped = clamped.saturatingAdding(1)
    return Timestamp(nanoseconds: time.isBefore(origin ?? FileTime(offset: 0, fraction: 0)) ? .min : .max)
  }
}

extension CaptureFileReader {
  /// Whether times so far are relative to the first packet, because its absolute time is out of range.
  public var countsFromFirstPacket: Bool { !times.isAbsolute }

  /// A note about changed times of packets so far; nil if all times are unchanged.
  public var timeNote: String? {
    let years = "the years 1677 to 2262, which telecap's times lie in"
    let clamped = times.clamped == 1 ? "1 packet is" : "\(times.clamped) packets are"
    if times.isAbsolute {
      return times.clamped == 0 ? nil : "\(clamped) from outside \(years): the nearest time stands for theirs"
    }
    let rest = times.clamped == 0 ? "" : "; \(clamped) more than 292 years away, and the nearest time stands for theirs"
    return
      "its first packet is from outside \(years): all times count from it, as if it came at 1970-01-01 00:00:00\(rest)"
  }
}

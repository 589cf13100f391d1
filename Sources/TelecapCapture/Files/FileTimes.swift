import TelecapRecording

/// A time since 1970 as capture files hold it, which is more than a `Timestamp` does: `seconds` and `offset` added up, and a
/// fraction.
struct FileTime: Hashable {
  /// Whole seconds that were counted.
  var seconds: UInt64 = 0
  /// Seconds to be added.
  var offset: Int64
  /// Nanoseconds, 0…999,999,999.
  var fraction: Int64

  /// Nanoseconds from `origin` on, from 1970 where it is nil; nil where an Int64 does not hold them.
  func nanoseconds(since origin: FileTime? = nil) -> Int64? {
    // The exact sum wraps around on overflow; a sum in Double detects that.
    let origin = origin ?? FileTime(offset: 0, fraction: 0)
    let rough = (Double(seconds) - Double(origin.seconds)) + (Double(offset) - Double(origin.offset))
    guard rough > -1e10, rough < 1e10 else { return nil }
    let exact = (Int64(bitPattern: seconds) &- Int64(bitPattern: origin.seconds)) &+ (offset &- origin.offset)
    // Of −0.5 s the whole seconds are −1: nearer to 0 the product fits where the sum does.
    let rest = fraction - origin.fraction
    let (whole, part) = exact < 0 && rest > 0 ? (exact + 1, rest - 1_000_000_000) : (exact, rest)
    let (product, isTooLarge) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = product.addingReportingOverflow(part)
    return isTooLarge || isBeyond ? nil : sum
  }

  /// Whether it is before another one, for what no `Timestamp` holds.
  func isBefore(_ other: FileTime) -> Bool {
    (Double(seconds) - Double(other.seconds)) + (Double(offset) - Double(other.offset)) < 0
  }
}

/// The times of a file's packets as timestamps. Where the first one is of a year that no timestamp holds, such as year 0 of a
/// clock that was never set, all count from it, so that the differences are kept. Any other that does not fit is clamped and
/// counted.
struct FileTimes: Hashable {
  /// The time of the first packet, where all count from it.
  private(set) var origin: FileTime?
  /// Packets whose time is the nearest that fits.
  private(set) var clamped = 0
  private var hasBegun = false

  /// Whether times count from 1970.
  var isAbsolute: Bool {
    @inline(__always) get { origin == nil }
  }

  /// A packet came at a time that fits.
  @inline(__always)
  mutating func began() { hasBegun = true }

  /// The timestamp of the next packet's time.
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
  /// Whether times so far are relative to the first packet, because no timestamp can hold its absolute time.
  public var countsFromFirstPacket: Bool { !times.isAbsolute }

  /// What a person should know of the packets' times so far, in a sentence; nil where all are as the file has them.
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

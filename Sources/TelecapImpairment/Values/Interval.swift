import TelecapRecording
import TelecapText

/// A duration on the command line and in plans: whole nanoseconds, from 0 to a day.
public struct Interval: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 0…86,400,000,000,000 ns.
  public let nanoseconds: Nanoseconds

  /// A duration in nanoseconds, clamped to 0 … a day.
  public init(nanoseconds: Nanoseconds) { self.nanoseconds = min(max(0, nanoseconds), Interval.day) }

  /// A duration in microseconds.
  public static func microseconds(_ count: Int64) -> Interval { Interval(count, times: 1_000) }
  /// A duration in milliseconds.
  public static func milliseconds(_ count: Int64) -> Interval { Interval(count, times: 1_000_000) }
  /// A duration in seconds.
  public static func seconds(_ count: Int64) -> Interval { Interval(count, times: 1_000_000_000) }
  /// A duration of 0.
  public static let zero = Interval(nanoseconds: 0)

  static let day: Nanoseconds = 86_400_000_000_000

  private init(_ count: Int64, times unit: Int64) {
    self.init(nanoseconds: min(max(0, count), Interval.day / unit) * unit)
  }

  /// Whether `left` is shorter.
  public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The text in the largest unit of which there is at least one: `20ms`, `1.5s`, `500us`.
  public var description: String {
    let unit = Interval.units.last { nanoseconds >= $0.nanoseconds } ?? Interval.second
    return DecimalText.text(UInt64(nanoseconds), scale: UInt64(unit.nanoseconds)) + unit.name
  }

  private typealias Unit = (name: String, nanoseconds: Nanoseconds)
  private static let second: Unit = ("s", 1_000_000_000)
  /// The units of written durations.
  private static let units: [Unit] = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), second]
  /// The units of parsed durations, such as a run of 20min. (An `m` alone would be mistaken for ms.)
  private static let readUnits: [Unit] = units + [("min", 60_000_000_000), ("h", 3_600_000_000_000)]
}

extension Interval {
  /// Parses `20ms`, `500us`, `1.5s`, `100ns`, `20min` or `2h`. The unit is required, except for 0.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    let expected = "a time with its unit (ns, us, ms, s, min or h), such as 20ms, 500us or 2s"
    let given = text.trimmed
    let digits = given.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = given[digits.endIndex...] == "µs" ? "us" : String(given[digits.endIndex...])
    if name.isEmpty, !digits.isEmpty, digits != "0" {
      throw ImpairmentSyntaxError(given, "has no unit", expected: expected)
    }
    guard let unit = Interval.readUnits.first(where: { $0.name == (name.isEmpty ? "s" : name) }) else {
      throw ImpairmentSyntaxError(given, "is not a time", expected: expected)
    }
    let parsed: UInt64
    do {
      parsed = try DecimalText.parse(digits, scale: UInt64(unit.nanoseconds))
    } catch .notANumber {
      throw ImpairmentSyntaxError(given, "is not a time", expected: expected)
    } catch .tooFine {
      throw ImpairmentSyntaxError(given, "is finer than a nanosecond", expected: expected)
    } catch {
      throw ImpairmentSyntaxError(given, "is longer than a day", expected: expected)
    }
    guard parsed <= UInt64(Interval.day) else {
      throw ImpairmentSyntaxError(given, "is longer than a day", expected: expected)
    }
    self.init(nanoseconds: Int64(parsed))
  }
}

import TelecapRecording

/// A time since 1970 as a date, in UTC (ISO 8601).
public enum CalendarTime {
  /// `2026-02-03T04:05:06`.
  static func text(_ time: Timestamp) -> String {
    let (date, clock, _) = parts(time)
    return "\(date)T\(clock)"
  }

  /// `2023-11-14 22:13:20.000123 UTC`.
  public static func exact(_ time: Timestamp) -> String {
    let (date, clock, nanoseconds) = parts(time)
    return "\(date) \(clock).\(digits(nanoseconds / 1_000, 6)) UTC"
  }

  private static func parts(_ time: Timestamp) -> (date: String, clock: String, nanoseconds: Int64) {
    let (seconds, nanoseconds) = floorDivide(time.nanoseconds, by: 1_000_000_000)
    let (day, inDay) = floorDivide(seconds, by: 86_400)
    let (year, month, dayOfMonth) = date(day)
    return (
      "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfMonth, 2))",
      "\(digits(inDay / 3_600, 2)):\(digits(inDay / 60 % 60, 2)):\(digits(inDay % 60, 2))", nanoseconds
    )
  }

  /// The date of a day since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, chrono-Compatible Low-Level
  /// Date Algorithms, civil_from_days): years begin in March, so that a leap day is a year's last.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, inEra) = floorDivide(day + 719_468, by: 146_097)
    let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
    let dayOfYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    return (
      yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

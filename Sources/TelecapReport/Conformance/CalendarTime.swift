import TelecapRecording

/// A time since 1970 as a date, in UTC (ISO 8601).
enum CalendarTime {
  /// `2026-02-03T04:05:06`.
  static func text(_ time: Timestamp) -> String {
    let second: Int64 = 1_000_000_000
    let (day, inDay) = floorDivide(floorDivide(time.nanoseconds, by: second).quotient, by: 86_400)
    let (year, month, dayOfMonth) = date(day)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(dayOfMonth))T\(two(inDay / 3_600)):\(two(inDay / 60 % 60)):\(two(inDay % 60))"
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
}

import TelecapConformance
import TelecapImpairment
import TelecapRecording

/// The tolerance between the output of a device and the expected output.
struct Tolerance {
  /// The tolerance of times, in ns.
  let time: Nanoseconds
  /// The tolerance of numbers.
  let number: Double

  /// Our own models are exact; a program prints milliseconds and three digits, unless it is known or taken to round
  /// more.
  init(_ log: RunLog) {
    guard let mapping = log.mapping else {
      (time, number) = (0, 0)
      return
    }
    let seconds = mapping.deviceTolerance(isTime: true, isCoarse: log.isCoarse)
    time = max(DeviceProgram.tolerance, Nanoseconds(min(seconds, 1_000) * 1e9))
    number = max(0.0006, mapping.deviceTolerance(isTime: false, isCoarse: log.isCoarse))
  }

  /// Whether `told` equals the expected text, word by word; `*` is any word.
  func isSame(_ expected: String, _ told: String) -> Bool {
    let told = expected.contains("(") ? told : DeviceWords.required(told)
    let (wanted, given) = (expected.split(separator: " "), told.split(separator: " "))
    return wanted.count == given.count && zip(wanted, given).allSatisfy { isSame($0, $1) }
  }

  private func isSame(_ expected: Substring, _ told: Substring) -> Bool {
    if expected == told || expected == "*" { return true }
    let (expected, told) = (Tolerance.bare(expected), Tolerance.bare(told))
    if let wanted = Double(expected), let given = Double(told) { return (wanted - given).magnitude <= number }
    guard let wanted = try? Interval(parsing: expected), let given = try? Interval(parsing: told) else { return false }
    return (wanted.nanoseconds - given.nanoseconds).magnitude <= time
  }

  /// Whether the times are equal within the tolerance.
  func isSame(_ expected: Timestamp, _ told: Timestamp) -> Bool {
    (told.nanoseconds(since: expected)).magnitude <= time
  }

  private static func bare(_ word: Substring) -> String { String(word.last == "," ? word.dropLast() : word) }
}

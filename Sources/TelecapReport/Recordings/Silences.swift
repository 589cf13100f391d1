import TelecapRecording
import TelecapText
import TelecapWire

extension Arrivals {
  /// The time of the last of them, if the time after it is long compared with their interval; else nil.
  ///
  /// - Parameter end: the end of their session or recording.
  func silence(until end: Timestamp) -> Timestamp? {
    guard let last, let rate = perSecond, rate > 0 else { return nil }
    return Incident.isPause(end.nanoseconds(since: last), usually: Int64(clampingRounded: 1e9 / rate)) ? last : nil
  }

  /// The longest time between two of them, and that nothing came at the end for longer than that: `137.20 ms, then none for
  /// 74.2 s`. Empty for fewer than two.
  ///
  /// - Parameter end: the end of their session or recording.
  func gapWords(until end: Timestamp) -> String {
    guard count > 1 else { return "" }
    let longest = Numbers.time(largestGap)
    guard let last = silence(until: end), end.nanoseconds(since: last) > largestGap else { return longest }
    return "\(longest), then none for \(Numbers.time(end.nanoseconds(since: last)))"
  }
}

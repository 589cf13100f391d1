import TelecapRecording
import TelecapText

/// The line by which a recording notes that the system clock was set meanwhile: it is written into the comment of the interface, and
/// read there.
public struct ClockNote: Hashable, Sendable {
  /// By how much the clock was set, in ns; negative where it was set back.
  public let step: Nanoseconds
  /// Whether the packets after it have the new time, as those that the kernel dates.
  public let movesPackets: Bool

  /// A clock that was set by `step` ns.
  public init(step: Nanoseconds, movesPackets: Bool) { (self.step, self.movesPackets) = (step, movesPackets) }

  private static let beginning = "the system clock was set "
  private static let moved = "later packets have the new time"
  private static let kept = "packet times are not affected"

  /// Such as `the system clock was set forward by 3600.000 s; later packets have the new time`.
  public var text: String {
    let time = Numbers.time(Int64(clamping: step.magnitude))
    return Self.beginning + "\(step < 0 ? "back" : "forward") by \(time); \(movesPackets ? Self.moved : Self.kept)"
  }
}

/// A step of the clock forward that a recording notes: its packets show it as a time in which nothing came.
struct NotedStep: Hashable {
  /// By how much the clock was set, in ns.
  let step: Nanoseconds
  /// When the recording noted it, by the clock as it was set, as `CalendarTime.exact` writes it: soon after.
  private let noted: String

  /// So soon, in ns, a recording notes a step.
  private static let soon: Nanoseconds = 2_000_000_000

  /// The steps in the comment of an interface.
  static func all(in comment: String) -> [NotedStep] {
    guard comment.contains("set forward by") else { return [] }
    return comment.split(separator: "\n").compactMap(NotedStep.init)
  }

  private init?(_ line: Substring) {
    let end = ": "
    guard let place = line.firstRange(of: end), let step = Self.step(String(line[place.upperBound...])) else {
      return nil
    }
    (self.step, noted) = (step, String(line[..<place.lowerBound]))
  }

  /// The step of a note's text, forward, by which packets moved; nil where it says no such thing.
  private static func step(_ text: String) -> Nanoseconds? {
    let words = text.split(separator: " ")
    guard words.count > 8, let number = Double(words[7]), number.isFinite, number > 0 else { return nil }
    for (unit, scale) in [("ms;", 1e6), ("s;", 1e9)] where words[8] == unit {
      guard let step = Int64(exactly: (number * scale).rounded()) else { return nil }
      return ClockNote(step: step, movesPackets: true).text == text ? step : nil
    }
    return nil
  }

  /// Whether a time in which nothing came begins where the clock was set: at the latest message before the step, which came this
  /// long before it at most.
  func begins(_ from: Timestamp, within usual: Nanoseconds) -> Bool {
    let moved = from.advanced(byNanoseconds: step)
    // A step is noted in ms.
    let earliest = moved.advanced(byNanoseconds: -1_000_000)
    let latest = moved.advanced(byNanoseconds: Self.soon).advanced(byNanoseconds: max(0, usual))
    // Both are digits from the year on, and so in the order of their times.
    return CalendarTime.exact(earliest) <= noted && noted <= CalendarTime.exact(latest)
  }
}

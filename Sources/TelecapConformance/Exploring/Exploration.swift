import TelecapRecording

/// The runs of the first messages of a stream over every network, up to a bound.
public struct Exploration: Sendable {
  /// A run that failed a requirement.
  public struct Counterexample: Hashable, Sendable {
    /// The indices of the messages that reached the receiver, in order of arrival; the first one sent is 1. Others were
    /// lost.
    public var delivered: [Int]
    /// The changed value and its message: `2 with intensity 1.0000001`; empty where no value was changed.
    public var changed: String
    /// The failed requirements, with expected and observed values.
    public var broken: [Check]

    /// The number of impairments in the run: messages lost before the last delivered one, duplicates, and messages out
    /// of order.
    public var faults: Int {
      let lost = Set(1...(delivered.max() ?? 1)).subtracting(delivered).count
      let copies = delivered.count - Set(delivered).count
      let late = delivered.indices.count { place in
        let before = delivered[..<place]
        return !before.contains(delivered[place]) && before.contains { $0 > delivered[place] }
      }
      return lost + copies + late + (changed.isEmpty ? 0 : 1)
    }
  }

  /// The receiver.
  public var system: String
  /// The scenario with these messages; others with the same messages are in `alike`.
  public var scenario: String
  /// The scenarios with the same messages and the same steps before them.
  public var alike: [String] = []
  /// The name of the stream in its protocol.
  public var stream: String
  /// The number of messages.
  public var messages: Int
  /// The number of values tried in place of the middle message's own.
  public var values: Int
  /// The number of runs: each is a network and its deliveries up to the end.
  public var runs = 0
  /// The number of runs in which the receiver showed something that can be checked.
  public var judged = 0
  /// The smallest failing run: fewest impairments, then fewest deliveries; nil where none failed.
  public var smallest: Counterexample?
  /// The duration on the wall clock in ns; 0 where it was not measured.
  public var duration: Nanoseconds = 0

  /// The verdict: a failure if any run failed, a pass if the receiver was observable in some run.
  public var verdict: Verdict { smallest != nil ? .fail : judged > 0 ? .pass : .inconclusive }
}

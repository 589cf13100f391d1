import TelecapRecording

/// All runs of the first messages of a stream over every network there is, up to a bound.
public struct Exploration: Sendable {
  /// A run that broke a requirement.
  public struct Counterexample: Hashable, Sendable {
    /// Which messages reached the receiver, in this order; the first that was sent is 1. What is not there was lost.
    public var delivered: [Int]
    /// Which of them held another value, and what: `2 with intensity 1.0000001`; empty where all were as sent.
    public var changed: String
    /// The requirements that it broke, each with how.
    public var broken: [Check]

    /// How many faults of the network it takes: messages lost before the last that came, copies, and messages that came behind
    /// a later one.
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
  /// Whose messages these are; others whose messages are the same are in `alike`.
  public var scenario: String
  /// The scenarios whose messages, and what comes before them, are the same.
  public var alike: [String] = []
  /// The stream, as its protocol calls it.
  public var stream: String
  /// How many messages there were.
  public var messages: Int
  /// How many values were tried in the place of the middle message's own.
  public var values: Int
  /// How many runs there were: each is a network, and what it delivered until it ended.
  public var runs = 0
  /// In how many of them the receiver showed something by which it can be judged.
  public var judged = 0
  /// The smallest that broke a rule: of the fewest faults, then of the fewest deliveries; nil where none did.
  public var smallest: Counterexample?
  /// How long it took on the wall clock, in ns; 0 where nobody looked.
  public var duration: Nanoseconds = 0

  /// None broke a rule, and some could be judged.
  public var verdict: Verdict { smallest != nil ? .fail : judged > 0 ? .pass : .inconclusive }
}

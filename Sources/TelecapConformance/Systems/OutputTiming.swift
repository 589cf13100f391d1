import TelecapRecording
import TelecapText

/// How the lines came that show what a program does: each when it did so, or many at one time that belong to messages of a long time
/// before, as out of a buffer that the program does not flush after each line. Such lines have no times of their own.
///
/// Lines are held back where several come together after a pause, in which the messages that they can belong to were delivered further
/// apart than the program may take to show one. A program that queues its messages shows them as far apart as they came.
public struct OutputTiming: Hashable, Sendable {
  /// Lines that show what the program does.
  public private(set) var lines = 0
  /// Those of them that were held back.
  public private(set) var held = 0
  /// The longest time from a delivery to the line that was held back, in ns.
  public private(set) var longest: Nanoseconds = 0

  /// Lines less than this apart, in ns, come together: a reader takes a buffer in several pieces.
  private static let together: Nanoseconds = 2_000_000
  /// The minimum number of lines that say how a program prints.
  private static let minimum = 4

  /// Nothing came yet.
  public init() {}

  /// It was held back in another run: one in which few lines come does not show it.
  private var wasHeldBack = false

  /// The output of the program is held back, as most of its lines were.
  public var isHeldBack: Bool { wasHeldBack || held >= Self.minimum && 2 * held > lines }

  /// Why lines that were held back prove nothing.
  var words: String {
    "the program's output came up to \(Numbers.fixed(Double(longest) / 1e9, 1)) s late, many lines at one time, as out of a buffer: when "
      + "it did what its lines show is not known. Have it flush its output after each line"
  }

  /// Takes over how the lines of another run came.
  mutating func merge(_ other: OutputTiming) {
    wasHeldBack = isHeldBack || other.isHeldBack
    longest = max(longest, other.longest)
  }
}

extension OutputTiming {
  /// Follows the deliveries and the lines of one run, in order of time.
  public struct Tracker: Sendable {
    /// What came in the batches of lines that are over.
    public private(set) var timing = OutputTiming()
    private let settle: Nanoseconds
    /// What was delivered since the last line.
    private var delivered: [Timestamp] = []
    /// The lines that came together last, and what was delivered before them.
    private var batch: (count: Int, begin: Timestamp, end: Timestamp, delivered: [Timestamp])?

    /// A run of a program that may take `settle` ns to show what was delivered.
    public init(settle: Nanoseconds) { self.settle = settle }

    /// A message was delivered to the program.
    public mutating func delivered(at time: Timestamp) { delivered.append(time) }

    /// A line of the program was read that shows what it does.
    public mutating func printed(at time: Timestamp) {
      if let last = batch, time.nanoseconds(since: last.end) < OutputTiming.together {
        batch?.count += 1
        batch?.end = time
      } else {
        finish()
        batch = (1, time, time, delivered)
      }
      delivered = []
    }

    /// No line comes any more.
    public mutating func finish() {
      guard let batch else { return }
      self.batch = nil
      timing.lines += batch.count
      // The newest of them at most: one line belongs to one message.
      let meant = batch.delivered.suffix(batch.count)
      guard batch.count > 1, let first = meant.first, let last = meant.last else { return }
      let spread = last.nanoseconds(since: first)
      guard spread > settle, spread > 10 * batch.end.nanoseconds(since: batch.begin) else { return }
      timing.held += batch.count
      timing.longest = max(timing.longest, batch.begin.nanoseconds(since: first))
    }
  }
}

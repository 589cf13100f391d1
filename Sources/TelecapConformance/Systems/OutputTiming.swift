import TelecapRecording
import TelecapText

/// The timing of output: each line at the time of its event, or many at once for old messages, as from a buffer that
/// the program does not flush after each line. Such lines have no times of their own.
///
/// Lines were buffered if several come together after a pause in which the messages that they can show were delivered
/// further apart than the settle time. A program that queues messages prints them as far apart as they came.
public struct OutputTiming: Hashable, Sendable {
  /// The number of lines for events.
  public private(set) var lines = 0
  /// The number of buffered lines among them.
  public private(set) var held = 0
  /// The longest time from a delivery to its buffered line, in ns.
  public private(set) var longest: Nanoseconds = 0

  /// The maximum interval in ns of lines that come together: a reader reads a buffer in several pieces.
  private static let together: Nanoseconds = 2_000_000
  /// The minimum number of lines for a decision.
  private static let minimum = 4

  /// No output.
  public init() {}

  /// Whether another run was buffered: a run with few lines does not show it.
  private var wasHeldBack = false

  /// Whether the output of the program is buffered, as most of its lines were.
  public var isHeldBack: Bool { wasHeldBack || held >= Self.minimum && 2 * held > lines }

  /// The reason why buffered lines prove nothing.
  var words: String {
    "the program's output came up to \(Numbers.fixed(Double(longest) / 1e9, 1)) s late, many lines at one time, as out of a buffer: when "
      + "it did what its lines show is not known. Have it flush its output after each line"
  }

  /// Adds the timing of another run.
  mutating func merge(_ other: OutputTiming) {
    wasHeldBack = isHeldBack || other.isHeldBack
    longest = max(longest, other.longest)
  }
}

extension OutputTiming {
  /// Observes the deliveries and lines of one run, in order of time.
  public struct Tracker: Sendable {
    /// The timing of the completed batches of lines.
    public private(set) var timing = OutputTiming()
    private let settle: Nanoseconds
    /// The deliveries since the last line.
    private var delivered: [Timestamp] = []
    /// The last lines that came together, with the deliveries before them.
    private var batch: (count: Int, begin: Timestamp, end: Timestamp, delivered: [Timestamp])?

    /// A run of a program with a settle time of `settle` ns.
    public init(settle: Nanoseconds) { self.settle = settle }

    /// Handles a delivery to the program.
    public mutating func delivered(at time: Timestamp) { delivered.append(time) }

    /// Handles a line for an event of the program.
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

    /// Ends the output.
    public mutating func finish() {
      guard let batch else { return }
      self.batch = nil
      timing.lines += batch.count
      // At most the newest deliveries, since one line shows one message.
      let meant = batch.delivered.suffix(batch.count)
      guard batch.count > 1, let first = meant.first, let last = meant.last else { return }
      let spread = last.nanoseconds(since: first)
      guard spread > settle, spread > 10 * batch.end.nanoseconds(since: batch.begin) else { return }
      timing.held += batch.count
      timing.longest = max(timing.longest, batch.begin.nanoseconds(since: first))
    }
  }
}

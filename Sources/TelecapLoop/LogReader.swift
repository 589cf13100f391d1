import TelecapModels
import TelecapRecording

/// A reader of the log of a run: an oracle, a measurement, a log, a recorder. It drives nothing.
public protocol LogReader {
  /// Handles the next entry, in order of time.
  mutating func read(_ entry: consuming LoopEntry, at time: Timestamp)
}

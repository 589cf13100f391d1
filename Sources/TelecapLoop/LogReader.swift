import TelecapModels
import TelecapRecording

/// A reader of what happens in a run: a judge, a measure, a log, a recorder. It drives nothing.
public protocol LogReader {
  /// The next entry, in order of time.
  mutating func read(_ entry: consuming LoopEntry, at time: Timestamp)
}

import TelecapRecording

/// Whoever wants to know what happens in a run: a judge, a measure, a collector, a recorder. It drives nothing.
public protocol LogReader {
  /// The next entry, in order of time; its bytes are valid during the call only, and empty where it has none.
  mutating func read(_ entry: LogEntry, _ bytes: RawSpan, at time: Timestamp)
}

import TelecapRecording

/// Whoever wants to know what happens in a run: a judge, a measure, a collector, a recorder. It drives nothing.
public protocol LogReader {
  /// The next entry, in order of time; its bytes are valid during the call only, and empty where it has none.
  mutating func read(_ entry: LogEntry, _ bytes: RawSpan, at time: Timestamp)
}

/// Two readers of the same log; of more, one of the two is such a pair again.
public struct BothReaders<First: LogReader, Second: LogReader>: LogReader {
  /// The one that hears each entry first.
  public var first: First
  /// The one that hears it then.
  public var second: Second

  /// These two.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  @inlinable
  public mutating func read(_ entry: LogEntry, _ bytes: RawSpan, at time: Timestamp) {
    first.read(entry, bytes, at: time)
    second.read(entry, bytes, at: time)
  }
}

import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording

/// An oracle, and an observer of the same events.
public struct WatchedOracle: LogReader {
  /// Is called with all events; the bytes are valid during the call only.
  public typealias Watcher = (LoopEntry, Timestamp) -> Void

  /// The oracle.
  var oracle: Oracle
  private let watcher: Watcher

  init(_ oracle: Oracle, _ watcher: @escaping Watcher) { (self.oracle, self.watcher) = (oracle, watcher) }

  public mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    oracle.read(entry, at: time)
    watcher(entry, time)
  }
}

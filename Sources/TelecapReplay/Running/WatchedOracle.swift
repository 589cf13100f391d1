import TelecapConformance
import TelecapLoop
import TelecapModels
import TelecapRecording

/// A judge, and somebody beside it who is told the same.
public struct WatchedOracle: LogReader {
  /// Is told all that happens; the bytes are valid during the call only.
  public typealias Watcher = (LoopEntry, Timestamp) -> Void

  /// The judge.
  var oracle: Oracle
  private let watcher: Watcher

  init(_ oracle: Oracle, _ watcher: @escaping Watcher) { (self.oracle, self.watcher) = (oracle, watcher) }

  public mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    oracle.read(entry, at: time)
    watcher(entry, time)
  }
}

import TelecapFiles
import TelecapModels
import TelecapRecording

/// Prints a peer's events, one line of JSON each, as they happen.
///
/// `@unchecked Sendable`: a peer tells its events on its one thread only, and `failure` is asked for after it has ended.
/// (The standard library's Mutex would say so itself; it needs macOS 15.)
final class EventPrinter: @unchecked Sendable {
  private var output = Output()
  /// Why printing ended early.
  private(set) var failure: (any Error)?

  /// Prints an event; false when standard output is gone.
  func print(_ time: Timestamp, _ event: PeerEvent) -> Bool {
    guard failure == nil else { return false }
    do {
      try output.line(event.jsonLine(at: time))
      try output.flush()
      return true
    } catch {
      failure = error
      return false
    }
  }
}

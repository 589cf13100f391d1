import Synchronization
import TelecapModels
import TelecapRecording

/// Prints a peer's events, one line of JSON each, as they happen; called from the peer's own thread.
final class EventPrinter: Sendable {
  private struct State: ~Copyable {
    var output = Output()
    var failure: (any Error)?
  }

  private let state = Mutex(State())

  /// Prints an event; false when standard output is gone.
  func print(_ time: Timestamp, _ event: PeerEvent) -> Bool {
    let line = event.jsonLine(at: time)
    return state.withLock { state in
      guard state.failure == nil else { return false }
      do {
        try state.output.line(line)
        try state.output.flush()
        return true
      } catch {
        state.failure = error
        return false
      }
    }
  }

  /// Why printing ended early.
  var failure: (any Error)? { state.withLock { $0.failure } }
}

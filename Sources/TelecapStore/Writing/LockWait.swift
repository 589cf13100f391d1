import CSQLite
import Dispatch
import TelecapPlatform
import TelecapRecording

/// The wait of a recording for the write lock of its capture while another program holds it.
///
/// SQLite gives the write lock to one connection at a time (https://www.sqlite.org/isolation.html). A recording cannot be repeated. So it
/// retries until it has the lock or must give up. Meanwhile its packets wait in memory (`CaptureWriter.makeRoom`).
///
final class LockWait: Sendable {
  private struct State {
    /// When the wait began, on the monotonic clock.
    var began: DispatchTime?
    var isGivenUp = false
  }

  private let state = Locked(State())
  /// Ends the pause between two tries early.
  private let givenUp = DispatchSemaphore(value: 0)

  /// For how many milliseconds SQLite itself waits for the lock before it is asked again.
  static let patience = 100
  /// The pause between two tries in which SQLite did not wait.
  private static let pause = DispatchTimeInterval.milliseconds(20)

  /// How long the lock has been waited for, in ns; nil while it is not.
  var duration: Nanoseconds? {
    state.with { $0.began }.map { Int64(clamping: DispatchTime.now().uptimeNanoseconds - $0.uptimeNanoseconds) }
  }

  /// Waits no more: work that has not got the lock fails from now on.
  func giveUp() {
    state.with { $0.isGivenUp = true }
    givenUp.signal()
  }

  /// Runs `body`, which leaves the file unchanged when it throws, again and again for as long as another program's lock stops it.
  ///
  /// - Throws: what `body` throws; SQLITE_BUSY or SQLITE_LOCKED only after `giveUp`.
  func retrying(_ body: () throws -> Void) throws {
    defer { state.with { $0.began = nil } }
    while true {
      do {
        return try body()
      } catch let error as SQLiteError where error.isLocked && !state.with({ $0.isGivenUp }) {
        state.with { $0.began = $0.began ?? .now() }
        _ = givenUp.wait(timeout: .now() + LockWait.pause)
      }
    }
  }
}

extension SQLiteError {
  /// Whether another connection's lock is the reason.
  var isLocked: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(primaryCode) }
}

import Synchronization
import TelecapTransport

/// A clock that a test moves: sleeping moves it to the time asked for, plus the oversleep that the test wants; every look
/// at it takes a little. A task that waits by it is woken when `pass` has moved it to its time.
final class ManualClock: MonotonicClock {
  private struct State {
    var time: Int64 = 1_000_000
    var sleeps: [Int64] = []
    var tick: Int64 = 100
    var oversleep: Int64 = 0
    var waiting: [(id: Int, until: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    /// Those who want to know that a task waits.
    var watching: [CheckedContinuation<Void, Never>] = []
    var lastID = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  var time: Int64 { state.withLock { $0.time } }
  var sleeps: [Int64] { state.withLock { $0.sleeps } }
  var tick: Int64 {
    get { state.withLock { $0.tick } }
    set { state.withLock { $0.tick = newValue } }
  }
  var oversleep: Int64 {
    get { state.withLock { $0.oversleep } }
    set { state.withLock { $0.oversleep = newValue } }
  }

  func now() -> Int64 {
    state.withLock { state in
      state.time += state.tick
      return state.time
    }
  }

  func sleep(until wanted: Int64) {
    state.withLock { state in
      state.sleeps.append(wanted)
      state.time = max(state.time, wanted) + state.oversleep
    }
  }

  func spin() { state.withLock { $0.time += $0.tick } }

  func prepareThread() {}

  func wait(until wanted: Int64) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, watching) = state.withLock { state in
          if state.cancelled.remove(id) != nil || wanted <= state.time {
            return (true, [CheckedContinuation<Void, Never>]())
          }
          state.waiting.append((id, wanted, continuation))
          defer { state.watching = [] }
          return (false, state.watching)
        }
        if isOver { continuation.resume() }
        for watcher in watching { watcher.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      continuation?.resume()
    }
  }

  /// Moves the clock, and wakes those whose time has come.
  func pass(_ nanoseconds: Int64) {
    let due = state.withLock { state in
      state.time += nanoseconds
      let due = state.waiting.filter { $0.until <= state.time }
      state.waiting.removeAll { $0.until <= state.time }
      return due
    }
    for one in due { one.continuation.resume() }
  }

  /// Returns when a task waits.
  func untilSomebodyWaits() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.waiting.isEmpty { state.watching.append(continuation) }
        return !state.waiting.isEmpty
      }
      if isOver { continuation.resume() }
    }
  }
}

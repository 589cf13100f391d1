import TelecapReplay

/// A progress line of a long command on a terminal. It prints nothing elsewhere, and nothing in the first second.
struct Progress: ProgressLine {
  private let isShown = Console.isTerminal(2)
  private let state = State()

  /// The last output. A class, because `show` must not need a mutable value.
  private final class State {
    var last: Int64 = 0
    var isOnScreen = false
  }

  /// Shows `line` if the last one is old enough. `elapsed` is the time since the start of the command, in ns.
  func show(at elapsed: Int64, _ line: () -> String) {
    guard isShown, elapsed > 1_000_000_000, elapsed - state.last > 200_000_000 else { return }
    state.last = elapsed
    state.isOnScreen = true
    Console.write("\r\u{1b}[K\(line())")
  }

  /// Removes the line.
  func clear() {
    guard state.isOnScreen else { return }
    state.isOnScreen = false
    Console.write("\r\u{1b}[K")
  }
}

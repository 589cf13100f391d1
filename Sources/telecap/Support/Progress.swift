import TelecapReplay

/// One line on a terminal that says how far a long command has got; nothing elsewhere, and nothing in the first second.
struct Progress: ProgressLine {
  private let isShown = Console.isTerminal(2)
  private let state = State()

  /// What has been shown; a class, since showing progress changes nothing that the caller cares about.
  private final class State {
    var last: Int64 = 0
    var isOnScreen = false
  }

  /// Shows `line` when the last one is old enough. `elapsed` is the time since the command began, in ns.
  func show(at elapsed: Int64, _ line: () -> String) {
    guard isShown, elapsed > 1_000_000_000, elapsed - state.last > 200_000_000 else { return }
    state.last = elapsed
    state.isOnScreen = true
    Console.write("\r\u{1b}[K\(line())")
  }

  /// Takes the line away.
  func clear() {
    guard state.isOnScreen else { return }
    state.isOnScreen = false
    Console.write("\r\u{1b}[K")
  }
}

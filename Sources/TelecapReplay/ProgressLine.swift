import TelecapRecording

/// Shows the progress of a long task.
public protocol ProgressLine {
  /// Shows `line` if the last one is old enough. `elapsed` is the time since the start, in ns.
  func show(at elapsed: Nanoseconds, _ line: () -> String)
  /// Removes the line.
  func clear()
}

/// Shows nothing.
public struct NoProgress: ProgressLine {
  /// A progress line that is never shown.
  public init() {}

  public func show(at elapsed: Nanoseconds, _ line: () -> String) {}
  public func clear() {}
}

import TelecapRecording

/// Shows how far a long work has got.
public protocol ProgressLine {
  /// Shows `line` when the last one is old enough. `elapsed` is the time since the work began, in ns.
  func show(at elapsed: Nanoseconds, _ line: () -> String)
  /// Takes the line away.
  func clear()
}

/// Shows nothing.
public struct NoProgress: ProgressLine {
  /// Nothing.
  public init() {}

  public func show(at elapsed: Nanoseconds, _ line: () -> String) {}
  public func clear() {}
}

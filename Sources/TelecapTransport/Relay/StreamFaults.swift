import TelecapImpairment
import TelecapRecording

/// What a relay does to connections, beside what its network does to their bytes.
public struct StreamFaults: Hashable, Sendable {
  /// So long after it was opened a connection is reset: both ends get RST, and what is on its way is lost; nil for never.
  public var reset: Interval?
  /// So long after it was opened a connection is half open: what one end sends is taken from it and goes nowhere; nil for never.
  public var halfOpen: Interval?
  /// Whether what clients send goes nowhere then.
  public var strikesUp: Bool
  /// Whether what the server sends does.
  public var strikesDown: Bool

  /// Whether there are none.
  public var isNone: Bool { reset == nil && halfOpen == nil }

  /// The option whose fault never comes, since a connection has been reset or the relay has ended by then; nil where each may.
  public func idleOption(within duration: Interval?) -> String? {
    func isOver(by time: Interval?, _ ends: Interval?...) -> Bool {
      guard let time else { return false }
      return ends.contains { $0.map { $0.nanoseconds <= time.nanoseconds } ?? false }
    }
    if isOver(by: halfOpen, reset, duration) { return "half-open" }
    return isOver(by: reset, duration) ? "reset" : nil
  }

  /// These faults; none at all without arguments.
  public init(reset: Interval? = nil, halfOpen: Interval? = nil, up: Bool = true, down: Bool = true) {
    (self.reset, self.halfOpen, strikesUp, strikesDown) = (reset, halfOpen, up, down)
  }
}

/// What came of them.
public struct StreamFaultCounts: Hashable, Sendable {
  /// Connections that were reset.
  public var resets = 0
  /// Connections that became half open.
  public var halfOpened = 0
  /// Bytes that were taken from an end and went nowhere.
  public var swallowedBytes = 0

  /// In words, a line each; empty for nothing.
  public var lines: [String] {
    (resets > 0 ? ["\(resets) \(resets == 1 ? "connection" : "connections") reset"] : [])
      + (halfOpened > 0
        ? [
          "\(halfOpened) \(halfOpened == 1 ? "connection" : "connections") half open: \(swallowedBytes) bytes went nowhere"
        ]
        : [])
  }
}

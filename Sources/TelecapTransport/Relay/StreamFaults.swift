import TelecapImpairment
import TelecapRecording

/// The faults of a relay's connections, in addition to impairments of their bytes.
public struct StreamFaults: Hashable, Sendable {
  /// The time after its opening at which a connection is reset: both peers get RST, and data in flight is lost; nil for
  /// never.
  public var reset: Interval?
  /// The time after its opening at which a connection becomes half-open: the bytes of one peer are read and dropped;
  /// nil for never.
  public var halfOpen: Interval?
  /// Whether the bytes of clients are dropped then.
  public var strikesUp: Bool
  /// Whether the bytes of the server are dropped then.
  public var strikesDown: Bool

  /// Whether there are no faults.
  public var isNone: Bool { reset == nil && halfOpen == nil }

  /// The option whose fault never occurs, since connections are reset or the relay ends before; nil where each may.
  public func idleOption(within duration: Interval?) -> String? {
    func isOver(by time: Interval?, _ ends: Interval?...) -> Bool {
      guard let time else { return false }
      return ends.contains { $0.map { $0.nanoseconds <= time.nanoseconds } ?? false }
    }
    if isOver(by: halfOpen, reset, duration) { return "half-open" }
    return isOver(by: reset, duration) ? "reset" : nil
  }

  /// These faults; none without arguments.
  public init(reset: Interval? = nil, halfOpen: Interval? = nil, up: Bool = true, down: Bool = true) {
    (self.reset, self.halfOpen, strikesUp, strikesDown) = (reset, halfOpen, up, down)
  }
}

/// The counts of these faults.
public struct StreamFaultCounts: Hashable, Sendable {
  /// Connections that were reset.
  public var resets = 0
  /// Connections that became half open.
  public var halfOpened = 0
  /// The bytes that were read and dropped.
  public var swallowedBytes = 0

  /// The counts as text, a line each; empty without faults.
  public var lines: [String] {
    (resets > 0 ? ["\(resets) \(resets == 1 ? "connection" : "connections") reset"] : [])
      + (halfOpened > 0
        ? [
          "\(halfOpened) \(halfOpened == 1 ? "connection" : "connections") half open: \(swallowedBytes) bytes went nowhere"
        ]
        : [])
  }
}

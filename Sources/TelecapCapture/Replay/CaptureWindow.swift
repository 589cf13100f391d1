import TelecapRecording

/// The part of a capture that is wanted, in time since its first packet.
public struct CaptureWindow: Hashable, Sendable {
  /// Nanoseconds; packets before it are left out.
  public var from: Nanoseconds
  /// Nanoseconds; packets from here on are left out.
  public var until: Nanoseconds

  /// Everything, where nothing else is said.
  public init(from: Nanoseconds = 0, until: Nanoseconds = .max) { (self.from, self.until) = (from, until) }

  /// Whether a packet of this time is in it, where the capture began at `start`.
  public func contains(_ time: Timestamp, since start: Timestamp) -> Bool {
    let offset = max(0, time.nanoseconds(since: start))
    return offset >= from && offset < until
  }
}

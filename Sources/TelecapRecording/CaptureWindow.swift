/// A time window of a capture, relative to its first packet.
public struct CaptureWindow: Hashable, Sendable {
  /// Nanoseconds; packets before it are outside.
  public var from: Nanoseconds
  /// Nanoseconds; packets from here on are outside.
  public var until: Nanoseconds

  /// By default the whole capture.
  public init(from: Nanoseconds = 0, until: Nanoseconds = .max) { (self.from, self.until) = (from, until) }

  /// Whether a packet with this time is in it, in a capture that began at `start`.
  public func contains(_ time: Timestamp, since start: Timestamp) -> Bool {
    let offset = max(0, time.nanoseconds(since: start))
    return offset >= from && offset < until
  }
}

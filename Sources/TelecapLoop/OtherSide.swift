import TelecapRecording

/// The side that a receiver talks to: what it answers while a run goes on, which nobody can decide before.
public protocol OtherSide {
  /// It never answers anything: nothing needs to be kept for it.
  var isSilent: Bool { get }
  /// The answers, in their order, to what the receiver sent at `time`: each one datagram, or one piece of a stream. They
  /// come from the endpoint that was addressed.
  mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]]
}

/// Nobody answers.
public struct SilentSide: OtherSide, Sendable {
  /// Nobody.
  @inlinable
  public init() {}

  @inlinable
  public var isSilent: Bool { true }

  @inlinable
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] { [] }
}

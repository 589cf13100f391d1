import TelecapRecording

/// The other side of a receiver, whose answers depend on the run.
public protocol OtherSide {
  /// Whether it never answers, so that no bytes have to be stored for it.
  var isSilent: Bool { get }
  /// The answers, in order, to a payload that the receiver sent at `time`: each is one datagram, or one segment of a
  /// stream, from the addressed endpoint.
  mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]]
}

/// A side that never answers.
public struct SilentSide: OtherSide, Sendable {
  /// A silent side.
  @inlinable
  public init() {}

  @inlinable
  public var isSilent: Bool { true }

  @inlinable
  public mutating func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] { [] }
}

import TelecapWire

/// A value of a declared stream that a receiver applied.
public struct AppliedValue: Hashable, Sendable {
  /// The stream's name.
  public var stream: String
  /// Which of several streams of that name: the bits of its key fields; empty where there is no key.
  public var key: [UInt64]
  /// Its number; nil where the stream has none.
  public var number: UInt64?
  /// The numbers that were applied, in the order of the declaration; empty where the receiver does not show them.
  public var values: StreamValues

  /// A value that was applied.
  public init(stream: String, key: [UInt64] = [], number: UInt64? = nil, values: StreamValues = []) {
    self.stream = stream
    self.key = key
    self.number = number
    self.values = values
  }
}

/// A value of a declared stream that a receiver applied.
public struct AppliedValue: Hashable, Sendable {
  /// The stream's name.
  public var stream: String
  /// Which of several streams of that name: the bits of its key fields, one behind the other; 0 where there is no key.
  public var key: UInt64
  /// Its number; nil where the stream has none.
  public var number: UInt64?
  /// The numbers that were applied, in the order of the declaration.
  public var values: [Double]

  /// A value that was applied.
  public init(stream: String, key: UInt64 = 0, number: UInt64? = nil, values: [Double] = []) {
    self.stream = stream
    self.key = key
    self.number = number
    self.values = values
  }
}

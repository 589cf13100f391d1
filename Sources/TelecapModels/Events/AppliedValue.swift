import TelecapWire

/// A value of a declared stream that one side sent, received, dropped or applied.
public struct AppliedValue: Hashable, Sendable {
  /// The stream's name.
  public var stream: String
  /// The bits of its key fields, which distinguish streams of the same name; empty without a key.
  public var key: [UInt64]
  /// Its sequence number; nil if the stream has none.
  public var number: UInt64?
  /// Its numbers, in the order of the declaration; empty if the receiver does not report them.
  public var values: StreamValues
  /// Whether it changed the state; false if the receiver reports that it did not.
  public var isChange: Bool
  /// The names of its event lines; nil if they have only the stream's name.
  public var names: EventNames?

  /// A value with these parts.
  @inlinable
  public init(
    stream: String, key: [UInt64] = [], number: UInt64? = nil, values: StreamValues = [], isChange: Bool = true,
    names: EventNames? = nil
  ) {
    self.stream = stream
    self.key = key
    self.number = number
    self.values = values
    self.isChange = isChange
    self.names = names
  }
}

extension WireProtocol {
  /// The names of the event lines of one of its streams; nil if they have only the stream's name.
  public func names(of stream: String) -> EventNames? { streams.first { $0.name == stream }?.events }
}

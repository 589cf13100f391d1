import TelecapWire

/// A value of a declared stream, as one side of it sent, received, dropped or applied it.
public struct AppliedValue: Hashable, Sendable {
  /// The stream's name.
  public var stream: String
  /// Which of several streams of that name: the bits of its key fields; empty where there is no key.
  public var key: [UInt64]
  /// Its number; nil where the stream has none.
  public var number: UInt64?
  /// Its numbers, in the order of the declaration; empty where the receiver does not show them.
  public var values: StreamValues
  /// It made a difference; false where its receiver says that it did not.
  public var isChange: Bool
  /// How event lines call it; nil where they call it by the stream's name alone.
  public var names: EventNames?

  /// A value of these parts.
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
  /// How event lines call the values of one of its streams; nil where they call them by the stream's name alone.
  public func names(of stream: String) -> EventNames? { streams.first { $0.name == stream }?.events }
}

/// A message of others as bytes, with the values that its fields must decode to
/// (`Documentation/reference/protocol-file.md`, Test vectors).
public struct TestVector: Hashable, Sendable {
  /// The value of one field, as the file has it.
  public struct Expectation: Hashable, Sendable {
    /// The field's name.
    public var field: String
    /// The text after the `=`.
    public var value: String
    /// Its line in the file, from 1.
    public var line: Int
  }

  /// The message's name.
  public var message: String
  /// The name of the transport; nil for the first one that carries the message.
  public var carrier: String?
  /// The repository and path, or the page, that published the bytes.
  public var source: String
  /// The message without a frame around it.
  public var bytes: [UInt8]
  /// The values of its fields, in the order of the file.
  public var expectations: [Expectation]
  /// The line of the message's name, from 1.
  public var line: Int
}

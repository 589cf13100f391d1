/// How a byte stream is cut into messages.
public enum Framing: Hashable, Sendable {
  /// It is not: each payload is one message, as over UDP and Bluetooth.
  case none
  /// A length before each message.
  case length(LengthPrefix)
  /// Messages of a fixed size, each of which begins with one of these bytes.
  case fixed(size: Int, heads: [UInt8])
  /// Messages that follow one another, each of which shows its own size.
  case selfDelimited(MessageSizes)
}

import TelecapRecording
import TelecapWire

/// Decodes received payloads, and decides whether a receiver may use them.
public struct Inbox: Sendable {
  /// The result of decoding a payload.
  public enum Reading: Sendable {
    /// A valid message; warnings have no effect here.
    case valid(MessageKind)
    /// An invalid message, which is dropped for this reason.
    case invalid(MessageKind, Rule)
  }

  @usableFromInline let dialect: Dialect

  /// A decoder of messages of this protocol version.
  @inlinable
  public init(_ dialect: Dialect) { self.dialect = dialect }

  /// Decodes `bytes`, which must be one complete message.
  @inlinable
  public func read(_ bytes: RawSpan) -> Reading {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    return error.map { .invalid(kind, $0) } ?? .valid(kind)
  }
}

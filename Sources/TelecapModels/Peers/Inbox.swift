import TelecapRecording
import TelecapWire

/// Reads what arrives and says whether a receiver may use it.
public struct Inbox: Sendable {
  /// What a payload is to a receiver.
  public enum Reading: Sendable {
    /// A message that may be used; warnings do not matter here.
    case valid(MessageKind)
    /// To be dropped, for this reason.
    case invalid(MessageKind, Rule)
  }

  @usableFromInline let dialect: Dialect

  /// A reader of messages that are carried like this.
  @inlinable
  public init(_ dialect: Dialect) { self.dialect = dialect }

  /// What `bytes` are: one whole message.
  @inlinable
  public func read(_ bytes: RawSpan) -> Reading {
    let (kind, error) = MessageDecoder.check(bytes, as: dialect)
    return error.map { .invalid(kind, $0) } ?? .valid(kind)
  }
}

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

  private let dialect: Dialect
  private let decoder = MessageDecoder.shared
  /// Kept from call to call, so that its memory is.
  private var findings: [Finding] = []

  /// A reader of messages that are carried like this.
  public init(_ dialect: Dialect) { self.dialect = dialect }

  /// What `bytes` are: one whole message.
  public mutating func read(_ bytes: RawSpan) -> Reading {
    findings.removeAll(keepingCapacity: true)
    let kind = decoder.decode(bytes, as: dialect, findings: &findings)
    for finding in findings where finding.severity == .error { return .invalid(kind, finding.rule) }
    return .valid(kind)
  }
}

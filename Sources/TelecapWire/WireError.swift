/// Why a message cannot be written.
public enum WireError: Error, Hashable, Sendable {
  /// The message has no field of this name.
  case noSuchField(message: String, field: String)
  /// The field's type cannot hold the value.
  case doesNotFit(message: String, field: String, type: FieldType, value: FieldValue)
  /// A sender never sends this value: NaN, or +∞ (semantics, Clamping and what is not a number).
  case neverSent(message: String, field: String, value: Float)
  /// Text that the field must not hold.
  case badText(message: String, field: String, text: String, rule: FieldRule)
  /// A frame has at most 65,535 bytes (tele.md, Where the published texts disagree).
  case tooLongForFrame(bytes: Int)
}

extension WireError: CustomStringConvertible {
  /// The problem and the valid value.
  public var description: String {
    switch self {
    case .noSuchField(let message, let field): "\(message) has no field \(field)"
    case .doesNotFit(let message, let field, let type, let value):
      "\(message).\(field) is \(type.name) and cannot hold \(value)"
    case .neverSent(let message, let field, let value): "\(message).\(field): a sender never sends \(value)"
    case .badText(let message, let field, let text, let rule): "\(message).\(field) is \"\(text)\"; it must be \(rule)"
    case .tooLongForFrame(let bytes): "a message of \(bytes) bytes does not fit a frame; the maximum is 65535"
    }
  }
}

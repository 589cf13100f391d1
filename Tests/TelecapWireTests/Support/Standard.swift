import TelecapProtocols
import TelecapWire

extension MessageKind {
  /// Every message of the built-in protocols.
  static let all = Protocols.builtIn.flatMap(\.messages)
}

extension Dialect {
  /// Every version of the built-in protocols.
  static let all = Protocols.builtIn.flatMap(\.dialects)
}

extension Rule {
  /// Every rule of the built-in protocols and their streams, in the order of their findings.
  static let all = RuleBook.all(of: Protocols.builtIn)
}

import TelecapProtocols
import TelecapWire

extension MessageKind {
  /// Every message of the built-in protocols.
  static let all = Protocols.builtIn.flatMap(\.messages)
}

extension Dialect {
  /// Every dialect of the built-in protocols.
  static let all = Protocols.builtIn.flatMap(\.dialects)
}

extension Rule {
  /// Every rule that the built-in protocols and their streams are held to, in the order in which they are told.
  static let all = RuleBook.all(of: Protocols.builtIn)
}

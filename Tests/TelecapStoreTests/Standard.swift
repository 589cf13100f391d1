import TelecapProtocols
import TelecapWire

@testable import TelecapStore

extension CaptureSchema {
  /// The schema of a capture of the built-in protocols.
  static let standard = CaptureSchema(Protocols.builtIn)
}

extension MessageKind {
  /// Every message of the built-in protocols.
  static let all = Protocols.builtIn.flatMap(\.messages)
}

import TelecapProtocols
import TelecapStore

extension CaptureSchema {
  /// The schema of a capture of the built-in protocols.
  static let standard = CaptureSchema(Protocols.builtIn)
}

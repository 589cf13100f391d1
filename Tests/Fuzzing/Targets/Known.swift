import TelecapProtocols
import TelecapStore
import TelecapWire

/// What the targets know: the protocols that are built in, and one of a file.
enum Known {
  /// Reads a declaration as the program does.
  @Sendable
  static func declared(_ text: String, _ file: String, beside others: [WireProtocol]) throws -> WireProtocol {
    let surroundings = ProtocolSurroundings(others) { CaptureSchema.problem(ofColumn: $0) }
    return try ProtocolFile.read(text, file: file, beside: surroundings)
  }

  /// That of `Scenarios/protocols/dsu.yaml`.
  static let dsu: WireProtocol = {
    do {
      return try declared(Seeds.text("Scenarios/protocols/dsu.yaml"), "dsu.yaml", beside: Protocols.builtIn)
    } catch {
      fatalError("\(error)")
    }
  }()

  static let protocols = Protocols.builtIn + [dsu]
  static let dialects = protocols.flatMap(\.dialects)
}

extension RawSpan {
  var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

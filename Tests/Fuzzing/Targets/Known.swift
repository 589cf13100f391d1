import TelecapProtocols
import TelecapStore
import TelecapWire

/// The protocols that the targets know: the built-in ones, and one of a file.
enum Known {
  /// Reads a declaration as the program does.
  @Sendable
  static func declared(_ text: String, _ file: String, beside others: [WireProtocol]) throws -> WireProtocol {
    let surroundings = ProtocolSurroundings(others) { CaptureSchema.problem(ofColumn: $0) }
    return try ProtocolFile.read(text, file: file, beside: surroundings)
  }

  /// That of `Scenarios/protocols/dsu.yaml`.
  static let dsu = dsu { $0 }

  static let protocols = Protocols.builtIn + [dsu]
  /// All that payloads are read as, and a stream whose messages follow one another without frames.
  static let dialects =
    protocols.flatMap(\.dialects)
    + dsu { $0.replacing("over: udp, port: 26760", with: "over: tcp, port: 26760, framing: none") }.dialects

  private static func dsu(_ change: (String) -> String) -> WireProtocol {
    do {
      let text = change(try Seeds.text("Scenarios/protocols/dsu.yaml"))
      return try declared(text, "dsu.yaml", beside: Protocols.builtIn)
    } catch {
      fatalError("\(error)")
    }
  }
}

extension RawSpan {
  var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

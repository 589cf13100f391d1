import TelecapConformance
import TelecapProtocols
import TelecapSuites
import TelecapWire

extension FuzzTarget {
  /// A protocol file: what it declares reads payloads.
  static let protocolFile = FuzzTarget("protocol-file", seeds: { try Seeds.files(["Scenarios/protocols"], [".yaml"]) })
  {
    bytes in
    let protocolFile: WireProtocol
    do {
      protocolFile = try Known.declared(String(decoding: bytes, as: UTF8.self), "input.yaml", beside: Protocols.builtIn)
    } catch let error as YAMLFileError {
      try holdPlace(error)
      return false
    }
    for kind in protocolFile.messages {
      let right = Message.right(kind).bytes
      for dialect in protocolFile.dialects { _ = Message.decode(right.span.bytes, as: dialect) }
    }
    for dialect in protocolFile.dialects { _ = Message.decode(bytes.span.bytes, as: dialect) }
    return true
  }

  /// A scenario, and the script of its first case.
  static let scenario = FuzzTarget("scenario", seeds: { try Seeds.scenarios() }) { bytes in
    var input = FuzzBytes(bytes)
    let path = String(decoding: input.piece(Int(input.byte())), as: UTF8.self)
    return try reading {
      _ = try Scenario(String(decoding: input.rest, as: UTF8.self), path: path, file: "input.yaml", suites: .all)
    }
  }

  /// A network.
  static let network = FuzzTarget("network", seeds: { try Seeds.files(["Scenarios/networks"], [".yaml"]) }) { bytes in
    try reading { _ = try NetworkFile(String(decoding: bytes, as: UTF8.self), file: "input.yaml") }
  }

  /// A system file.
  static let system = FuzzTarget("system", seeds: { try Seeds.files(["Scenarios/systems"], [".yaml"]) }) { bytes in
    try reading { _ = try SystemFile(String(decoding: bytes, as: UTF8.self), file: "input.yaml", suites: .all) }
  }

  private static func reading(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as YAMLFileError {
      try holdPlace(error)
      return false
    }
  }

  private static func holdPlace(_ error: YAMLFileError) throws(Broken) {
    try hold(error.line > 0 && error.column > 0 && !error.problem.isEmpty, "no place or words: \(error)")
  }
}

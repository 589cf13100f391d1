import TelecapConformance
import TelecapHaptics
import TelecapProtocols
import TelecapRecording
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

  /// A script of senses, played where it is short.
  static let senses = FuzzTarget("senses", seeds: { try Seeds.files(["Captures/senses"], [".yaml"]) }) { bytes in
    try reading {
      var script = try SensesScriptFile.read(String(decoding: bytes, as: UTF8.self), file: "input.yaml")
      guard script.events.count <= 32, script.events.allSatisfy({ $0.time.seconds < 10 }) else { return }
      script.changes.removeAll { if case .busy = $0.change { true } else { false } }
      script.trials = 1
      let run = SensesRun(script)
      try hold(run.sensed.count == script.events.count, "of \(script.events.count) events \(run.sensed.count) arrived")
      for event in run.sensed {
        guard case .sound(let heard, let level, _, _, _) = event.perception.heard else { continue }
        let levels = [heard.gain, heard.left, heard.right, level]
        try hold(levels.allSatisfy { (0...1).contains($0) }, "heard beyond 0 to 1: \(heard)")
      }
    }
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

import TelecapRecording
import TelecapStore
import TelecapTransport
import TelecapWire

/// `--where`: the packets that an SQL condition chooses, of any recording.
enum Selecting {
  /// A pcap or pcapng file is imported into a temporary capture first: the condition is SQL, and only a capture has it.
  static func packets(of path: String, where condition: String, ports: Ports) throws -> PacketSelection {
    if path == "-" {
      throw Failure(.usage, "--where needs a file: standard input can be read only once", advice: "import it first")
    }
    if try CaptureFile.isSQLite(path) {
      try Derivation.deriveIfNeeded(path)
      return try Loaded.reader(path).select(where: condition)
    }
    return try TemporaryFile.with(suffix: ".telecap") { temporary in
      _ = try Importing.run(path, into: temporary, force: true, ports: ports)
      return try CaptureReader(path: temporary, Loaded.schema).select(where: condition)
    }
  }
}

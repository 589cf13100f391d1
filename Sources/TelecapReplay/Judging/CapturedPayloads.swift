import TelecapCapture
import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapTransport
import TelecapWire

extension RecordingFiles {
  /// What `sender` sent in a recording, at its times since the first packet: what a scenario takes from a capture.
  ///
  /// - Throws: what opening and reading the recording throws.
  public func payloads(of path: String, by sender: Role) throws -> [CapturedPayload] {
    var input = try open(.path(path))
    var reader = UnitReader(ports: .standard, role: sender)
    var start: Timestamp?
    var payloads: [CapturedPayload] = []
    try input.forEach { header, frame in
      let begin = start ?? header.time
      start = begin
      try reader.receive(header, frame) { unit, _, bytes in
        payloads.append(
          CapturedPayload(
            time: max(0, unit.time.nanoseconds(since: begin)), carrier: unit.carrier,
            bytes: bytes.withUnsafeBytes { Array($0) }))
      }
    }
    return payloads
  }

  /// Recordings of a program that knows the protocols that are written in Swift.
  public static let builtIn = RecordingFiles(
    builtIn: Protocols.builtIn, declared: [], maker: Maker(version: "", now: { WallClock.now() }),
    reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
}

import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapTransport
import TelecapWire

extension ReplaySource {
  /// All sent payloads, with times since the recording's first packet, for a scenario with a capture.
  ///
  /// - Throws: errors of opening and reading the recording.
  public func payloads() throws -> [CapturedPayload] {
    var units: [(time: Timestamp, carrier: Carrier, bytes: [UInt8])] = []
    let reading = try read { unit, _, bytes in
      units.append((unit.time, unit.carrier, bytes.withUnsafeBytes { Array($0) }))
    }
    if let damage = reading.damage { throw damage }
    let start = reading.start ?? .zero
    return units.map {
      CapturedPayload(time: max(0, $0.time.nanoseconds(since: start)), carrier: $0.carrier, bytes: $0.bytes)
    }
  }
}

extension RecordingFiles {
  /// Recordings for the built-in protocols.
  public static let builtIn = knowing([])

  /// Recordings for the built-in protocols and these.
  static func knowing(_ declared: [WireProtocol]) -> RecordingFiles {
    RecordingFiles(
      builtIn: Protocols.builtIn, declared: declared, maker: Maker(version: "", now: { WallClock.now() }),
      reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
  }
}

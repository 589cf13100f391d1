import TelecapConformance
import TelecapFiles
import TelecapProtocols
import TelecapRecording
import TelecapTransport
import TelecapWire

extension ReplaySource {
  /// All that was sent, at its times since the recording's first packet: what a scenario takes from a capture.
  ///
  /// - Throws: what opening and reading the recording throws.
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
  /// Recordings of a program that knows the protocols that are written in Swift.
  public static let builtIn = knowing([])

  /// Recordings of a program that knows the protocols that are written in Swift, and these.
  static func knowing(_ declared: [WireProtocol]) -> RecordingFiles {
    RecordingFiles(
      builtIn: Protocols.builtIn, declared: declared, maker: Maker(version: "", now: { WallClock.now() }),
      reading: { try ProtocolFile.read($0, file: $1, beside: ProtocolSurroundings($2)) })
  }
}

import TelecapCapture
import TelecapRecording
import TelecapStore

/// A recording to read, whatever it was stored as: a capture, a pcap or a pcapng file.
enum Input: ~Copyable {
  case capture(CaptureReader)
  case file(CaptureFileReader)

  /// Opens `path`; `-` is standard input, which holds pcap or pcapng.
  ///
  /// - Throws: `Failure` with status 66 when there is no such file and 65 when it is no recording.
  init(path: String) throws {
    if path != "-", try CaptureFile.isSQLite(path) {
      self = .capture(try Loaded.reader(path))
    } else {
      self = .file(try CaptureFileReader(path: path))
    }
  }

  /// Hands every packet to `body`.
  mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    switch consume self {
    case .capture(let reader):
      self = .capture(reader)
      try reader.forEachPacket(in: nil, body)
    case .file(var reader):
      do {
        try reader.forEach(body)
        self = .file(reader)
      } catch {
        self = .file(reader)
        throw error
      }
    }
  }
}

import TelecapCapture
import TelecapRecording

/// A recording to read, whatever it was stored as: a capture, a pcap or a pcapng file.
enum Input: ~Copyable {
  case file(CaptureFileReader)

  /// Opens `path`; `-` is standard input, which holds pcap or pcapng.
  ///
  /// - Throws: `Failure` with status 66 when there is no such file and 65 when it is no recording.
  init(path: String) throws {
    self = .file(try CaptureFileReader(path: path))
  }

  /// Where packets were captured; for a file, those known so far.
  var interfaces: [Interface] {
    switch self {
    case .file(let reader): reader.interfaces
    }
  }

  /// Hands every packet to `body`.
  mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    switch consume self {
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

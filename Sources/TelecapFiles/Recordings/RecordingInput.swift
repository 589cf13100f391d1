import TelecapCapture
import TelecapRecording
import TelecapStore

/// Where a recording is.
public enum RecordingPlace: Sendable {
  /// In a file: a capture, pcap or pcapng.
  case path(String)
  /// In memory.
  case packets(PacketList)

  /// Whether what is at this path can be read once only: `-`, which is standard input, a pipe such as that of `<(…)`, a device.
  public static func isStream(_ path: String) -> Bool { path == "-" || CaptureFile.isStream(path) }
}

/// A recording to read, whatever it was stored as.
public enum RecordingInput: ~Copyable {
  /// A capture.
  case capture(CaptureReader)
  /// A pcap or pcapng file.
  case file(CaptureFileReader)
  /// Packets in memory.
  case packets(PacketList)

  /// The capture that it is, if it is one.
  public var capture: CaptureReader? {
    switch self {
    case .capture(let reader): reader
    default: nil
    }
  }

  /// The numbers of ports that a file says it was recorded with, by their ids.
  var ports: [String: UInt16] {
    switch self {
    case .file(let reader): reader.ports
    default: [:]
    }
  }

  /// Hands every packet to `body`, its frame valid during the call only.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` where the recording breaks; what `body` throws.
  public mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    try forEachNoted { header, frame, _ in try body(header, frame) }
  }

  /// The same with what the recording says of each packet beside its frame; nil where it says nothing.
  ///
  /// - Throws: as above.
  mutating func forEachNoted(_ body: (PacketHeader, RawSpan, PacketNote?) throws -> Void) throws {
    switch consume self {
    case .capture(let reader):
      self = .capture(reader)
      try reader.forEachNotedPacket(in: nil, body)
    case .packets(let list):
      self = .packets(list)
      try list.forEach { try body($0, $1, nil) }
    case .file(var reader):
      do {
        while try reader.nextNoted(body) {}
        self = .file(reader)
      } catch {
        self = .file(reader)
        throw error
      }
    }
  }
}

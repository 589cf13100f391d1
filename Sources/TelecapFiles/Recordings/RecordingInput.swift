import TelecapCapture
import TelecapRecording
import TelecapStore

/// The location of a recording.
public enum RecordingPlace: Sendable {
  /// In a file: a capture, pcap or pcapng.
  case path(String)
  /// In memory.
  case packets(PacketList)

  /// Whether the path can be read only once: `-`, which is standard input, a pipe such as that of `<(…)`, or a device.
  public static func isStream(_ path: String) -> Bool { path == "-" || CaptureFile.isStream(path) }
}

/// An open recording of any form.
public enum RecordingInput: ~Copyable {
  /// A capture.
  case capture(CaptureReader)
  /// A pcap or pcapng file.
  case file(CaptureFileReader)
  /// Packets in memory.
  case packets(PacketList)

  /// The capture; nil for other forms.
  public var capture: CaptureReader? {
    switch self {
    case .capture(let reader): reader
    default: nil
    }
  }

  /// The port numbers in a file, by the ports' ids.
  var ports: [String: UInt16] {
    switch self {
    case .file(let reader): reader.ports
    default: [:]
    }
  }

  /// Passes every packet to `body`; its frame is valid only during the call.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` if the recording is damaged; any error of `body`.
  public mutating func forEach(_ body: (PacketHeader, RawSpan) throws -> Void) throws {
    try forEachNoted { header, frame, _ in try body(header, frame) }
  }

  /// The same with the metadata of each packet in addition to its frame; nil if the recording has none.
  ///
  /// - Throws: `StoreError` or `CaptureFileError` if the recording is damaged; any error of `body`.
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

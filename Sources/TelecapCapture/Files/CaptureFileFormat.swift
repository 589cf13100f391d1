import TelecapRecording

/// The format of a capture file, detected by its first bytes.
public enum CaptureFileFormat: String, Hashable, Sendable {
  /// The classic format (draft-ietf-opsawg-pcap).
  case pcap
  /// Blocks, sections and interfaces (draft-ietf-opsawg-pcapng).
  case pcapng
  /// The format in which Android, BlueZ and others log Bluetooth (https://www.fte.com/webhelpii/bpa600/Content/Technical_Information/BT_Snoop_File_Format.htm).
  case btsnoop
  /// The format of Solaris's snoop (RFC 1761).
  case snoop
  /// The format of Apple's PacketLogger, which logs Bluetooth on Macs and, with its profile, on iPhones.
  case packetLogger = "PacketLogger"
}

/// The magic numbers of capture files, and of files that users mistake for them.
enum Magic {
  static let microseconds: UInt32 = 0xa1b2_c3d4
  static let nanoseconds: UInt32 = 0xa1b2_3c4d
  /// The format of Alexey Kuznetzov's patch in old Linux distributions, with longer record headers.
  static let kuznetzov: UInt32 = 0xa1b2_cd34
  static let sectionHeader: UInt32 = 0x0a0d_0d0a
  static let byteOrder: UInt32 = 0x1a2b_3c4d
  static let btsnoop = Array("btsnoop\0".utf8)
  static let snoop = Array("snoop\0\0\0".utf8)

  /// Compressions that are not supported.
  private static let others: [(name: String, magic: [UInt8])] = [
    ("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]), ("bzip2", [0x42, 0x5a, 0x68]), ("lz4", [0x04, 0x22, 0x4d, 0x18]),
    ("zip", [0x50, 0x4b, 3, 4]),
  ]

  /// The first four bytes of `start` as a number in this machine's byte order; nil when there are fewer.
  static func number(_ start: UnsafeRawBufferPointer) -> UInt32? {
    start.count >= 4 ? start.loadUnaligned(as: UInt32.self) : nil
  }

  /// A description of a file that is not a capture, for the error.
  static func describe(_ start: UnsafeRawBufferPointer) -> String {
    if start.isEmpty { return "it is empty" }
    if start.starts(with: "SQLite format 3".utf8) { return "it is an SQLite database" }
    if let compression = Compression(start) { return "it is compressed with \(compression.rawValue) twice" }
    for (name, magic) in others where start.starts(with: magic) {
      return "it is compressed with \(name), decompress it first"
    }
    if start.allSatisfy({ (0x20...0x7e).contains($0) || (0x09...0x0d).contains($0) }) { return "it looks like text" }
    return "it begins with the bytes \(Hex.text(start.prefix(4), separator: " "))"
  }
}

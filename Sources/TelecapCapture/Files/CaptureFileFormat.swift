/// What kind of file this is, told by its first bytes.
public enum CaptureFileFormat: String, Hashable, Sendable {
  /// The classic format (draft-ietf-opsawg-pcap).
  case pcap
  /// Blocks, sections and interfaces (draft-ietf-opsawg-pcapng).
  case pcapng
  /// What Android, BlueZ and others log of Bluetooth (https://www.fte.com/webhelpii/bpa600/Content/Technical_Information/BT_Snoop_File_Format.htm).
  case btsnoop
}

/// The first bytes of capture files, and of the files that people mistake for them.
enum Magic {
  static let microseconds: UInt32 = 0xa1b2_c3d4
  static let nanoseconds: UInt32 = 0xa1b2_3c4d
  static let sectionHeader: UInt32 = 0x0a0d_0d0a
  static let byteOrder: UInt32 = 0x1a2b_3c4d
  static let btsnoop = Array("btsnoop\0".utf8)

  /// The first four bytes of `start` as a number in this machine's byte order; nil when there are fewer.
  static func number(_ start: UnsafeRawBufferPointer) -> UInt32? {
    start.count >= 4 ? start.loadUnaligned(as: UInt32.self) : nil
  }

  /// What a file that is no capture seems to be.
  static func describe(_ start: UnsafeRawBufferPointer) -> String {
    if start.isEmpty { return "it is empty" }
    if start.starts(with: "SQLite format 3".utf8) { return "it is an SQLite database" }
    if start.starts(with: [0x1f, 0x8b]) { return "it is compressed with gzip, decompress it first" }
    if start.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return "it is compressed with zstd, decompress it first" }
    if start.starts(with: [0x34, 0xcd, 0xb2, 0xa1]) || start.starts(with: [0xa1, 0xb2, 0xcd, 0x34]) {
      return "it is of the modified pcap form of Kuznetzov, convert it with editcap -F pcap"
    }
    if start.allSatisfy({ (0x20...0x7e).contains($0) || (0x09...0x0d).contains($0) }) { return "it looks like text" }
    let hex = start.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    return "it begins with the bytes \(hex)"
  }
}

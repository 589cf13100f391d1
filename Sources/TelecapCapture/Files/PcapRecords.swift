// The pcap format (draft-ietf-opsawg-pcap): a file header of 24 bytes, then records of a 16 byte header and a frame.
import TelecapRecording

/// How the records of this pcap file are to be read.
struct PcapLayout {
  /// The file's byte order is not this machine's.
  var isSwapped = false
  /// Nanoseconds in one unit of a timestamp's fraction: 1 or 1000.
  var nanosecondsPerTick: Int64 = 1000
  var linkType: UInt16 = 0

  static let fileHeaderLength = 24
  static let recordHeaderLength = 16
}

extension CaptureFileReader {
  mutating func readFileHeader() throws(CaptureFileError) {
    let needed = PcapLayout.fileHeaderLength
    try requireFileHeader(needed)
    let bytes = source.bytes
    let magic: UInt32 = bytes.integer(0, swapped: false)
    pcap.isSwapped = magic == Magic.microseconds.byteSwapped || magic == Magic.nanoseconds.byteSwapped
    let swapped = pcap.isSwapped
    let isNanoseconds = (swapped ? magic.byteSwapped : magic) == Magic.nanoseconds
    let major: UInt16 = bytes.integer(4, swapped: swapped)
    guard major == 2 else {
      throw .damaged(path: path, offset: 0, .fileHeader, reason: "its version is \(major), and only 2 is known")
    }
    let snapLength: UInt32 = bytes.integer(16, swapped: swapped)
    // The upper bits say how long a frame check sequence is; it is a trailer that the layers cut off anyway.
    pcap.linkType = UInt16(truncatingIfNeeded: bytes.integer(20, as: UInt32.self, swapped: swapped))
    pcap.nanosecondsPerTick = isNanoseconds ? 1 : 1000
    interfaces = [
      Interface(
        name: "", linkType: pcap.linkType, snapLength: Int(snapLength),
        ticksPerSecond: isNanoseconds ? 1_000_000_000 : 1_000_000)
    ]
    statistics = [Statistics()]
    source.advance(needed)
  }

  mutating func nextRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = PcapLayout.recordHeaderLength
    guard try hasRecordHeader(headerLength) else { return nil }
    let swapped = pcap.isSwapped
    let captured = Int(source.bytes.integer(8, as: UInt32.self, swapped: swapped))
    try requireRecord(headerLength, captured)
    let bytes = source.bytes
    let seconds = Int64(bytes.integer(0, as: UInt32.self, swapped: swapped))
    let fraction = Int64(bytes.integer(4, as: UInt32.self, swapped: swapped))
    let original = Int(bytes.integer(12, as: UInt32.self, swapped: swapped))
    source.advance(headerLength + captured)
    packets += 1
    let header = PacketHeader(
      number: packets,
      time: Timestamp(nanoseconds: seconds * 1_000_000_000 + fraction * pcap.nanosecondsPerTick),
      originalLength: max(original, captured), linkType: pcap.linkType)
    return FoundPacket(
      header: header, frame: UnsafeRawBufferPointer(start: bytes + headerLength, count: captured))
  }
}

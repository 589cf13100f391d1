// The snoop format (RFC 1761): a file header of 16 bytes, then records of a header of 24 bytes, a packet and padding, the most
// significant byte first.
import TelecapRecording

/// How the records of this snoop file are to be read.
struct SnoopLayout {
  var linkType: UInt16 = 0

  static let fileHeaderLength = 16
  static let recordHeaderLength = 24

  /// Which LINKTYPE_ number frames of a datalink number have; nil for those that no number is the same as.
  static func linkType(of datalink: UInt32) -> UInt16? {
    switch datalink {
    case 0, 4: LinkType.ethernet  // IEEE 802.3 and Ethernet
    case 2: 6  // IEEE 802.5, token ring
    case 8: 10  // FDDI
    default: nil
    }
  }
}

extension CaptureFileReader {
  mutating func readSnoopHeader() throws(CaptureFileError) {
    let needed = SnoopLayout.fileHeaderLength
    try requireFileHeader(needed)
    let version = source.number(8)
    guard version == 2 else {
      throw .damaged(path: path, offset: 0, .fileHeader, reason: "its version is \(version), and only 2 is known")
    }
    let datalink = source.number(12)
    guard let linkType = SnoopLayout.linkType(of: datalink) else {
      throw .damaged(
        path: path, offset: 0, .fileHeader,
        reason: "its datalink is \(datalink); known are 0 and 4 (Ethernet), 2 (token ring) and 8 (FDDI)")
    }
    snoop.linkType = linkType
    interfaces = [Interface(name: "", linkType: linkType, snapLength: 0, ticksPerSecond: 1_000_000)]
    statistics = [Statistics()]
    source.advance(needed)
  }

  mutating func nextSnoopRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = SnoopLayout.recordHeaderLength
    guard try hasRecordHeader(headerLength) else { return nil }
    let captured = Int(source.number(4))
    let length = Int(source.number(8))
    guard length >= headerLength + captured, length <= headerLength + Self.largestFrame else {
      throw .damaged(
        path: path, offset: source.offset, .record,
        reason: "its length is \(length) bytes, and its frame has \(captured)")
    }
    try requireRecord(headerLength, length - headerLength)
    let original = Int(source.number(0))
    let drops = UInt64(source.number(12))
    if drops > 0 { statistics[0].droppedByInterface = drops }
    let seconds = Int64(source.number(16))
    let microseconds = Int64(source.number(20))
    let frame = UnsafeRawBufferPointer(start: source.bytes + headerLength, count: captured)
    source.advance(length)
    packets += 1
    let header = PacketHeader(
      number: packets, time: Timestamp(nanoseconds: seconds * 1_000_000_000 + microseconds * 1_000),
      originalLength: max(original, captured), linkType: snoop.linkType)
    return FoundPacket(header: header, frame: frame)
  }
}

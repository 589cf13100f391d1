// The snoop format (RFC 1761): a file header, then records of a header, a packet and padding (`SnoopHeader`).
import TelecapRecording

/// The layout of the records in this snoop file.
struct SnoopLayout {
  var linkType: UInt16 = 0

  /// The LINKTYPE_ number of a datalink number; nil if none is equivalent.
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
    snoop.linkType = try readSnoopHeader(
      version: 2, datalinks: "0 and 4 (Ethernet), 2 (token ring) and 8 (FDDI)"
    ) { datalink in SnoopLayout.linkType(of: datalink).map { ($0, $0) } }
  }

  mutating func nextSnoopRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = SnoopHeader.ofRecord
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
    keepSnoopDrops()
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

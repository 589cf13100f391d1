// The pcap format (draft-ietf-opsawg-pcap): a file header of 24 bytes, then records of a 16 byte header and a frame. What libpcap
// knows of older forms is read as it does (pcap-savefile(5), libpcap's sf-pcap.c).
import TelecapRecording

/// How the records of this pcap file are to be read.
struct PcapLayout {
  /// The file's byte order is not this machine's.
  var isSwapped = false
  /// Nanoseconds in one unit of a timestamp's fraction: 1 or 1000.
  var nanosecondsPerTick: Int64 = 1000
  var linkType: UInt16 = 0
  /// In Kuznetzov's form interface, protocol and direction follow: 24 bytes in place of 16.
  var recordHeaderLength = 16
  var lengths = Lengths.inOrder

  static let fileHeaderLength = 24

  /// In which order a record has its two lengths: since version 2.3 that of the captured bytes is the first, but some files of
  /// version 2.3 have them as before. DG/UX wrote its own version, 543.0, as before.
  enum Lengths {
    case inOrder
    case swapped
    /// The smaller one is that of the captured bytes.
    case either

    init(major: UInt16, minor: UInt16) {
      self = major == 543 || minor < 3 ? .swapped : minor == 3 ? .either : .inOrder
    }

    /// The length that was captured and the one on the wire, of the two in a record.
    @inline(__always)
    func sorted(_ first: Int, _ second: Int) -> (captured: Int, original: Int) {
      switch self {
      case .inOrder: (first, second)
      case .swapped: (second, first)
      case .either: (min(first, second), max(first, second))
      }
    }
  }
}

extension CaptureFileReader {
  mutating func readFileHeader() throws(CaptureFileError) {
    let needed = PcapLayout.fileHeaderLength
    try requireFileHeader(needed)
    let bytes = source.bytes
    let magic: UInt32 = bytes.integer(0, swapped: false)
    pcap.isSwapped = ![Magic.microseconds, Magic.nanoseconds, Magic.kuznetzov].contains(magic)
    let swapped = pcap.isSwapped
    let form = swapped ? magic.byteSwapped : magic
    let isNanoseconds = form == Magic.nanoseconds
    if form == Magic.kuznetzov { pcap.recordHeaderLength = 24 }
    let major: UInt16 = bytes.integer(4, swapped: swapped)
    let minor: UInt16 = bytes.integer(6, swapped: swapped)
    pcap.lengths = PcapLayout.Lengths(major: major, minor: minor)
    guard major == 2 || major == 543 && minor == 0 else {
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
    let headerLength = pcap.recordHeaderLength
    guard try hasRecordHeader(headerLength) else { return nil }
    let swapped = pcap.isSwapped
    let (captured, original) = pcap.lengths.sorted(
      Int(source.bytes.integer(8, as: UInt32.self, swapped: swapped)),
      Int(source.bytes.integer(12, as: UInt32.self, swapped: swapped)))
    try requireRecord(headerLength, captured)
    let bytes = source.bytes
    let seconds = Int64(bytes.integer(0, as: UInt32.self, swapped: swapped))
    let fraction = Int64(bytes.integer(4, as: UInt32.self, swapped: swapped))
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

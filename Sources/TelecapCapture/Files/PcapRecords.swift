// The pcap format (draft-ietf-opsawg-pcap): a file header of 24 bytes, then records of a 16-byte header and a frame.
// Older forms that libpcap knows are read as libpcap reads them (pcap-savefile(5), libpcap's sf-pcap.c).
import TelecapRecording

/// The layout of the records in this pcap file.
struct PcapLayout {
  /// Whether the file's byte order differs from this machine's.
  var isSwapped = false
  /// The nanoseconds in one unit of a timestamp's fraction: 1 or 1000.
  var nanosecondsPerTick: Int64 = 1000
  var linkType: UInt16 = 0
  /// In Kuznetzov's form, interface, protocol and direction follow: 24 bytes instead of 16.
  var recordHeaderLength = 16
  var lengths = Lengths.inOrder

  static let fileHeaderLength = 24

  /// The order of the two lengths in a record: since version 2.3 the captured length is the first, but some files of
  /// version 2.3 have the old order. DG/UX wrote its own version, 543.0, in the old order.
  enum Lengths {
    case inOrder
    case swapped
    /// The captured length is the smaller one.
    case either

    init(major: UInt16, minor: UInt16) {
      self = major == 543 || minor < 3 ? .swapped : minor == 3 ? .either : .inOrder
    }

    /// The captured and the original length, of the two in a record.
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
    // The upper bits are the length of a frame check sequence, a trailer that the layers ignore anyway.
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

// The btsnoop format: a file header of 16 bytes, then records of a header of 24 bytes and a packet, the most significant byte
// first (https://www.fte.com/webhelpii/bpa600/Content/Technical_Information/BT_Snoop_File_Format.htm).
import TelecapRecording

/// What the packets of a btsnoop file look like, by its datalink number.
enum BtsnoopForm: UInt32 {
  /// HCI without its type: the record says whether it is a command or an event, or data.
  case h1 = 1001
  /// HCI behind its type.
  case h4 = 1002
  /// What Linux's monitor hears: adapter and opcode stand in the record.
  case monitor = 2001

  /// Which of pcap's forms holds the same: the record's words stand before the packet there.
  var linkType: UInt16 { self == .monitor ? LinkType.bluetoothMonitor : LinkType.bluetoothH4WithDirection }

  static let fileHeaderLength = 16
  static let recordHeaderLength = 24
  /// Seconds from the year 0, from which records count, to 1970: 0x00dcddb30f2f8000 µs.
  static let epoch: Int64 = 0x00dc_ddb3_0f2f_8000 / 1_000_000

  /// What stands before a packet in that form, by the flags of its record: bit 0 it was received, bit 1 it is a command or an
  /// event.
  func head(_ flags: UInt32) -> [UInt8] {
    switch self {
    case .h4: [0, 0, 0, UInt8(flags & 1)]
    case .h1: [0, 0, 0, UInt8(flags & 1), flags & 2 == 0 ? 2 : flags & 1 == 0 ? 1 : 4]
    case .monitor: (0..<4).map { UInt8(truncatingIfNeeded: flags >> UInt32(8 * (3 - $0))) }
    }
  }
}

extension CaptureFileReader {
  mutating func readBtsnoopHeader() throws(CaptureFileError) {
    let needed = BtsnoopForm.fileHeaderLength
    try requireFileHeader(needed)
    let version = source.number(8)
    guard version == 1 else {
      throw .damaged(path: path, offset: 0, .fileHeader, reason: "its version is \(version), and only 1 is known")
    }
    let datalink = source.number(12)
    guard let form = BtsnoopForm(rawValue: datalink) else {
      throw .damaged(
        path: path, offset: 0, .fileHeader,
        reason: "its datalink is \(datalink); known are 1001 (H1), 1002 (H4) and 2001 (Linux monitor)")
    }
    btsnoop = form
    interfaces = [Interface(name: "", linkType: form.linkType, snapLength: 0, ticksPerSecond: 1_000_000)]
    statistics = [Statistics()]
    source.advance(needed)
  }

  mutating func nextBtsnoopRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = BtsnoopForm.recordHeaderLength
    guard try hasRecordHeader(headerLength) else { return nil }
    let captured = Int(source.number(4))
    try requireRecord(headerLength, captured)
    let original = max(Int(source.number(0)), captured)
    let drops = UInt64(source.number(12))
    let ticks = Int64(source.number(16)) << 32 | Int64(source.number(20))
    if drops > 0 { statistics[0].droppedByInterface = drops }
    // The words of the record that belong to the packet take the place of its last bytes, before the packet.
    let head = btsnoop.head(source.number(8))
    let begin = headerLength - head.count
    source.replace(begin, with: head)
    let frame = UnsafeRawBufferPointer(start: source.bytes + begin, count: head.count + captured)
    source.advance(headerLength + captured)
    packets += 1
    // Whole seconds round down, so that the fraction is never negative.
    let (quotient, rest) = ticks.quotientAndRemainder(dividingBy: 1_000_000)
    let time = FileTime(
      offset: quotient - BtsnoopForm.epoch - (rest < 0 ? 1 : 0), fraction: (rest < 0 ? rest + 1_000_000 : rest) * 1_000)
    let header = PacketHeader(
      number: packets, time: times.timestamp(time),
      originalLength: original + head.count, linkType: btsnoop.linkType)
    return FoundPacket(header: header, frame: frame)
  }
}

extension ByteSource {
  /// The four bytes at `at` of the window as a number, the most significant first.
  func number(_ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }
}

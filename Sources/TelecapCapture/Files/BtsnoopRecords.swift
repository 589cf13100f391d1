// The btsnoop format: a file header, then records of a header and a packet (`SnoopHeader`;
// https://www.fte.com/webhelpii/bpa600/Content/Technical_Information/BT_Snoop_File_Format.htm).
import TelecapRecording

/// The form of the packets in a btsnoop file, by its datalink number.
enum BtsnoopForm: UInt32 {
  /// HCI without its packet type: the record's flags distinguish commands and events from data.
  case h1 = 1001
  /// HCI with its packet type.
  case h4 = 1002
  /// Linux's monitor: adapter and opcode are in the record.
  case monitor = 2001

  /// The equivalent pcap link type, in which the words of the record are before the packet.
  var linkType: UInt16 { self == .monitor ? LinkType.bluetoothMonitor : LinkType.bluetoothH4WithDirection }

  /// The seconds from the year 0, the epoch of records, to 1970: 0x00dcddb30f2f8000 µs.
  static let epoch: Int64 = 0x00dc_ddb3_0f2f_8000 / 1_000_000

  /// The bytes before a packet in that form, by the flags of its record: bit 0 for a received packet, bit 1 for a
  /// command or an event.
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
    btsnoop = try readSnoopHeader(
      version: 1, datalinks: "1001 (H1), 1002 (H4) and 2001 (Linux monitor)"
    ) { datalink in BtsnoopForm(rawValue: datalink).map { ($0, $0.linkType) } }
  }

  mutating func nextBtsnoopRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = SnoopHeader.ofRecord
    guard try hasRecordHeader(headerLength) else { return nil }
    let captured = Int(source.number(4))
    try requireRecord(headerLength, captured)
    let original = max(Int(source.number(0)), captured)
    let ticks = Int64(source.number(16)) << 32 | Int64(source.number(20))
    keepSnoopDrops()
    // The words of the record that belong to the packet overwrite the record's last bytes, just before the packet.
    let head = btsnoop.head(source.number(8))
    let begin = headerLength - head.count
    source.replace(begin, with: head)
    let frame = UnsafeRawBufferPointer(start: source.bytes + begin, count: head.count + captured)
    source.advance(headerLength + captured)
    packets += 1
    // Round whole seconds down, so that the fraction is never negative.
    let (quotient, rest) = ticks.quotientAndRemainder(dividingBy: 1_000_000)
    let time = FileTime(
      offset: quotient - BtsnoopForm.epoch - (rest < 0 ? 1 : 0), fraction: (rest < 0 ? rest + 1_000_000 : rest) * 1_000)
    let header = PacketHeader(
      number: packets, time: times.timestamp(time),
      originalLength: original + head.count, linkType: btsnoop.linkType)
    return FoundPacket(header: header, frame: frame)
  }
}

// The format of Apple's PacketLogger (.pklg): records of a length, a time, a type and a packet, without a file header.
// Apple published no specification; Wireshark's wiretap/packetlogger.c and BTstack's hci_dump agree on the fields.
import TelecapRecording

/// The layout of the records in this PacketLogger file.
struct PacketLoggerLayout {
  /// Whether numbers are not in this machine's byte order; it depends on the Mac that wrote the file.
  var isSwapped = false
  /// The number of records without a packet between host and controller: log messages, and LMP packets between
  /// controllers.
  var others = 0

  /// Length, seconds, microseconds, type. The length does not count itself.
  static let recordHeaderLength = 13
  /// The bytes that a length counts before the packet: the time and the type.
  static let beforePacket = 9
  /// The maximum plausible length.
  static let maxLength = 65_535
  /// Types without packets: LMP sent and received, and log messages from the system to a new controller.
  private static let otherTypes: Set<UInt8> = [0x0a, 0x0b, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe]

  init() {}

  /// The layout of a file that starts with a plausible record; nil otherwise. There is no magic number: length,
  /// microseconds and type must all be those of a record.
  init?(_ start: UnsafeRawBufferPointer) {
    guard start.count >= Self.recordHeaderLength, let bytes = start.baseAddress else { return nil }
    func number(_ at: Int) -> UInt32 { bytes.integer(at, swapped: isSwapped) }
    // A length below 65,536 has two bytes of 0, the first or the last two.
    isSwapped = number(0) & 0xffff == 0
    let type = start[12]
    guard (Self.beforePacket...Self.maxLength).contains(Int(number(0))), number(8) < 1_000_000,
      Self.head(type) != nil || Self.otherTypes.contains(type)
    else { return nil }
  }

  /// The bytes before a packet of this type in pcap's form (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR): its direction and its
  /// type; nil if the packet is not between host and controller.
  static func head(_ type: UInt8) -> [UInt8]? {
    switch type {
    case 0: [0, 0, 0, 0, 1]  // command
    case 1: [0, 0, 0, 1, 4]  // event
    case 2: [0, 0, 0, 0, 2]  // ACL data, sent
    case 3: [0, 0, 0, 1, 2]  // and received
    case 8: [0, 0, 0, 0, 3]  // synchronous data, sent
    case 9: [0, 0, 0, 1, 3]  // and received
    default: nil
    }
  }
}

extension CaptureFileReader {
  mutating func readPacketLoggerStart() {
    interfaces = [
      Interface(name: "", linkType: LinkType.bluetoothH4WithDirection, snapLength: 0, ticksPerSecond: 1_000_000)
    ]
    statistics = [Statistics()]
  }

  mutating func nextPacketLoggerRecord() throws(CaptureFileError) -> FoundPacket? {
    let headerLength = PacketLoggerLayout.recordHeaderLength
    // A record without a type is shorter than the header of the others.
    while try hasRecordHeader(12) {
      let length = Int(number(0))
      guard (8...PacketLoggerLayout.maxLength).contains(length) else {
        throw .damaged(
          path: path, offset: source.offset, .record,
          reason: "its length is \(length), and one of 8 to \(PacketLoggerLayout.maxLength) is believed")
      }
      guard try source.has(4 + length) else {
        throw .truncated(path: path, offset: source.offset, .record, needed: 4 + length, had: source.available)
      }
      let type = length >= PacketLoggerLayout.beforePacket ? source.bytes.load(fromByteOffset: 12, as: UInt8.self) : nil
      guard let head = type.flatMap(PacketLoggerLayout.head) else {
        packetLogger.others += 1
        source.advance(4 + length)
        continue
      }
      let time = Timestamp(nanoseconds: Int64(number(4)) * 1_000_000_000 + Int64(number(8)) * 1_000)
      // The head overwrites the last bytes before the packet.
      let begin = headerLength - head.count
      source.replace(begin, with: head)
      let frame = UnsafeRawBufferPointer(start: source.bytes + begin, count: 4 + length - begin)
      source.advance(4 + length)
      packets += 1
      let header = PacketHeader(
        number: packets, time: time, originalLength: frame.count, linkType: LinkType.bluetoothH4WithDirection)
      return FoundPacket(header: header, frame: frame)
    }
    return nil
  }

  private func number(_ at: Int) -> UInt32 { source.bytes.integer(at, swapped: packetLogger.isSwapped) }
}

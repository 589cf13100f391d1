// The format of Apple's PacketLogger (.pklg): records of a length, a time, a type and a packet, without a file header. Apple wrote
// no specification; Wireshark's wiretap/packetlogger.c and BTstack's hci_dump name the same fields.
import TelecapRecording

/// How the records of this PacketLogger file are to be read.
struct PacketLoggerLayout {
  /// Its numbers are not in this machine's byte order: it has both, by the Mac that wrote it.
  var isSwapped = false
  /// Records that hold no packet between host and controller: notes, and what the controllers said to each other.
  var others = 0

  /// Length, seconds, microseconds, type. The length does not count itself.
  static let recordHeaderLength = 13
  /// The bytes that a length counts before the packet: the time and the type.
  static let beforePacket = 9
  /// A length is believed up to here.
  static let maxLength = 65_535
  /// Types that are no packets: LMP sent and received, and texts from the system's log to a new controller.
  private static let otherTypes: Set<UInt8> = [0x0a, 0x0b, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe]

  init() {}

  /// The layout of a file that begins with such a record; nil where it does not. There is no magic: length, microseconds and type
  /// must all be those of a record.
  init?(_ start: UnsafeRawBufferPointer) {
    guard start.count >= Self.recordHeaderLength, let bytes = start.baseAddress else { return nil }
    func number(_ at: Int) -> UInt32 { bytes.integer(at, swapped: isSwapped) }
    // Of a length below 65,536 two bytes are 0, and they are the first or the last.
    isSwapped = number(0) & 0xffff == 0
    let type = start[12]
    guard (Self.beforePacket...Self.maxLength).contains(Int(number(0))), number(8) < 1_000_000,
      Self.head(type) != nil || Self.otherTypes.contains(type)
    else { return nil }
  }

  /// The bytes before a packet of this type in pcap's form of Bluetooth (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR): its direction and
  /// its type there; nil where it is no packet between host and controller.
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
      // The head takes the place of the last bytes before the packet.
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

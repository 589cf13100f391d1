import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// Apple's PacketLogger, in both byte orders.
@Suite("PacketLogger files") struct PacketLoggerTests {
  static func file(_ records: [(type: UInt8?, bytes: [UInt8])], isBig: Bool = true) -> [UInt8] {
    var list = ByteList(isBig: isBig)
    for (index, record) in records.enumerated() {
      let content = [record.type].compactMap(\.self) + record.bytes
      list.add(UInt32(8 + content.count), UInt32(index), 250_000)
      list.add(content)
    }
    return list.bytes
  }

  @Test("Packets get the direction and type that they have in pcap", arguments: [true, false])
  func packets(isBig: Bool) throws {
    let types: [(UInt8, [UInt8])] = [
      (0, [0, 0, 0, 0, 1]), (1, [0, 0, 0, 1, 4]), (2, [0, 0, 0, 0, 2]), (3, [0, 0, 0, 1, 2]), (8, [0, 0, 0, 0, 3]),
      (9, [0, 0, 0, 1, 3]),
    ]
    let result = try read(Self.file(types.map { ($0.0, [$0.0, 7]) }, isBig: isBig))
    #expect(result.error == nil)
    #expect(result.packets.map(\.frame) == types.map { $0.1 + [$0.0, 7] })
    #expect(result.packets.map(\.header.time.nanoseconds) == (0..<6).map { $0 * 1_000_000_000 + 250_000_000 })
    #expect(result.packets.allSatisfy { $0.header.linkType == LinkType.bluetoothH4WithDirection })
    #expect(result.packets.allSatisfy { $0.header.originalLength == 7 })
  }

  @Test("Notes and logs are skipped and counted", arguments: [true, false])
  func others(isBig: Bool) throws {
    let file = Self.file([(0xfc, Array("hello".utf8)), (2, [1]), (nil, []), (0x0a, [1, 2]), (0x77, [])], isBig: isBig)
    #expect(try read(file).packets.map(\.frame) == [[0, 0, 0, 0, 2, 1]])
    try withTemporaryPath { path in
      try file.write(to: path)
      var reader = try CaptureFileReader(path: path)
      #expect(reader.format == .packetLogger)
      while try reader.next({ _, _ in }) {}
      #expect(
        reader.notes == [
          "4 PacketLogger records were skipped: notes, logs and LMP are not HCI packets"
        ])
    }
  }

  @Test("The error for every truncation names the offset")
  func everyTruncation() throws {
    let whole = Self.file([(2, [1, 2, 3]), (3, [4])])
    for count in 13..<whole.count {
      let result = try read(Array(whole.prefix(count)))
      #expect((result.error == nil) == (count == 16), "\(count)")
      #expect(result.packets.count == (count < 16 ? 0 : 1), "\(count)")
    }
  }

  @Test("A file is recognised by its first record alone, on both sides of each limit")
  func detection() throws {
    func isOne(_ file: [UInt8]) throws -> Bool { try read(file).packets.count == 1 }
    #expect(try isOne(Self.file([(2, [])])))
    #expect(try !isOne(Self.file([(0x04, [])])), "a type that nobody defined")
    var late = Self.file([(2, [])])
    late.replaceSubrange(8..<12, with: [0, 0x0f, 0x42, 0x3f])
    #expect(try isOne(late))
    late[11] = 0x40
    #expect(try !isOne(late), "a million microseconds")
    var long = Self.file([(2, [UInt8](repeating: 1, count: 65_526))])
    #expect(try isOne(long))
    long[1] = 1
    #expect(try !isOne(long), "a length of 131,071")
  }

  @Test("An impossible length is damage at its record")
  func damage() throws {
    let file = Self.file([(2, [1])]) + [0, 0, 0, 7] + [UInt8](repeating: 0, count: 20)
    let result = try read(file)
    #expect(result.packets.count == 1)
    #expect(
      result.error
        == .damaged(
          path: "file", offset: 14, .record, reason: "its length is 7, and one of 8 to 65535 is believed"))
  }
}

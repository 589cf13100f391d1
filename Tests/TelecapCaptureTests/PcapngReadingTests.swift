import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// A pcapng file built block by block.
struct PcapngList {
  var list: ByteList

  init(isBig: Bool = false) { list = ByteList(isBig: isBig) }

  mutating func block(_ type: UInt32, _ fill: (inout ByteList) -> Void) {
    var body = ByteList(isBig: list.isBig)
    fill(&body)
    body.pad()
    list.add(type, UInt32(body.bytes.count + 12))
    list.add(body.bytes)
    list.add(UInt32(body.bytes.count + 12))
  }

  mutating func section(_ options: (inout ByteList) -> Void = { _ in }) {
    block(0x0a0d_0d0a) { body in
      body.add(UInt32(0x1a2b_3c4d))
      body.add(UInt16(1), UInt16(0))
      body.add(UInt64.max)
      options(&body)
    }
  }

  mutating func interface(
    _ linkType: UInt16, snapLength: UInt32 = 0, name: String = "", resolution: UInt8? = nil, offset: Int64? = nil,
    comment: String = ""
  ) {
    block(1) { body in
      body.add(linkType, 0)
      body.add(snapLength)
      if !name.isEmpty { body.option(2, Array(name.utf8)) }
      if !comment.isEmpty { body.option(1, Array(comment.utf8)) }
      if let resolution { body.option(9, [resolution]) }
      if let offset {
        body.add(UInt16(14), UInt16(8))
        body.add(offset)
      }
      body.add(UInt32(0))
    }
  }

  mutating func packet(_ interface: UInt32, ticks: UInt64, _ frame: [UInt8], original: UInt32? = nil) {
    block(6) { body in
      body.add(interface, UInt32(ticks >> 32), UInt32(truncatingIfNeeded: ticks))
      body.add(UInt32(frame.count), original ?? UInt32(frame.count))
      body.add(frame)
    }
  }
}

extension ByteList {
  mutating func option(_ code: UInt16, _ value: [UInt8]) {
    add(code, UInt16(value.count))
    add(value)
    pad()
  }
}

@Suite struct PcapngReadingTests {
  /// Two sections, three interfaces, one packet of each kind, and blocks that mean nothing to us.
  static func mixed(isBig: Bool, secondIsBig: Bool) -> [UInt8] {
    var first = PcapngList(isBig: isBig)
    first.section { $0.option(1, Array("grüße".utf8)) }
    first.interface(1, snapLength: 4, name: "lo", comment: "one")
    first.interface(101, name: "tun0", resolution: 9, offset: 5)
    first.block(0xbad) { $0.add([1, 2, 3]) }
    first.packet(0, ticks: 7, [1, 2, 3])
    first.packet(1, ticks: 1_000_000_001, [4, 5, 6, 7], original: 90)
    first.block(3) { body in
      body.add(UInt32(6))
      body.add([8, 9, 10, 11])
    }
    first.block(2) { body in
      body.add(UInt16(1), UInt16(3))
      body.add(UInt32(0), UInt32(2), UInt32(1), UInt32(1))
      body.add([12])
    }
    var second = PcapngList(isBig: secondIsBig)
    second.section()
    second.interface(276, resolution: 0x80 | 10)
    second.packet(0, ticks: 1536, [])
    second.block(5) { body in
      body.add(UInt32(0), UInt32(0), UInt32(0))
      body.add(UInt16(4), UInt16(8))
      body.add(UInt64(100))
      body.add(UInt16(5), UInt16(8))
      body.add(UInt64(2))
      body.add(UInt16(7), UInt16(8))
      body.add(UInt64(1) << 40)
    }
    return first.list.bytes + second.list.bytes
  }

  @Test(
    "Sections, interfaces and packets of every kind are read",
    arguments: [(false, false), (true, true), (false, true), (true, false)])
  func sectionsInterfacesAndPacketsOfEveryKind(isBig: Bool, secondIsBig: Bool) throws {
    let result = try read(Self.mixed(isBig: isBig, secondIsBig: secondIsBig))
    #expect(result.error == nil)
    #expect(result.comments == ["grüße"])
    #expect(
      result.interfaces == [
        Interface(name: "lo", linkType: 1, snapLength: 4, ticksPerSecond: 1_000_000, comment: "one"),
        Interface(name: "tun0", linkType: 101, snapLength: 0),
        Interface(name: "", linkType: 276, snapLength: 0, ticksPerSecond: 1024),
      ])
    let expected: [(Int64, Int, Int, UInt16, [UInt8])] = [
      (7_000, 0, 3, 1, [1, 2, 3]), (6_000_000_001, 1, 90, 101, [4, 5, 6, 7]),
      (6_000_000_001, 0, 6, 1, [8, 9, 10, 11]), (5_000_000_002, 1, 1, 101, [12]), (1_500_000_000, 2, 0, 276, []),
    ]
    #expect(
      result.packets
        == expected.enumerated().map { index, packet in
          SeenPacket(
            header: PacketHeader(
              number: index + 1, time: Timestamp(nanoseconds: packet.0), interface: packet.1,
              originalLength: packet.2, linkType: packet.3),
            frame: packet.4)
        })
    var statistics = CaptureFileReader.Statistics()
    statistics.received = 100
    statistics.droppedByInterface = 2
    statistics.droppedByKernel = 1 << 40
    #expect(result.statistics == [.init(), .init(), statistics])
  }

  @Test("The error for every truncation names the offset and the missing bytes")
  func everyTruncationSaysWhereAndHowMuch() throws {
    let whole = Self.mixed(isBig: false, secondIsBig: true)
    let (starts, packets) = Self.layout(whole)
    for cut in 4..<whole.count {
      let result = try read(Array(whole[..<cut]))
      let index = starts.lastIndex { $0 <= cut } ?? 0
      let start = starts[index]
      #expect(result.packets.count == packets[..<index].reduce(0, +))
      let had = cut - start
      if had == 0 {
        #expect(result.error == nil)
        continue
      }
      let isSection = start == 0 || whole[start] == 0x0a
      let length = (starts + [whole.count])[index + 1] - start
      let part: CaptureFileError.Part = isSection && (had >= 8 || start == 0) ? .sectionHeader : .block
      let needed = had < 8 && start > 0 ? 12 : isSection && had < 12 ? 28 : length
      let error = CaptureFileError.truncated(path: "file", offset: Int64(start), part, needed: needed, had: had)
      #expect(result.error == error, "cut at \(cut)")
    }
  }

  /// The start of each block, and the number of packets in it.
  private static func layout(_ whole: [UInt8]) -> (starts: [Int], packets: [Int]) {
    var starts: [Int] = []
    var packets: [Int] = []
    var at = 0
    var isBig = false
    while at < whole.count {
      if whole[at] == 0x0a { isBig = whole[at + 8] == 0x1a }
      let type = isBig ? whole[at + 3] : whole[at]
      let isKnown = isBig ? whole[at] == 0 && whole[at + 2] == 0 : whole[at + 1] == 0
      starts.append(at)
      packets.append(isKnown && [2, 3, 6].contains(type) ? 1 : 0)
      at += isBig ? Int(whole[at + 6]) << 8 | Int(whole[at + 7]) : Int(whole[at + 5]) << 8 | Int(whole[at + 4])
    }
    return (starts, packets)
  }

  /// A section, an interface and a packet, with a change made to the bytes.
  private func damaged(_ change: (inout [UInt8], _ packet: Int) -> Void) throws -> ReadResult {
    var file = PcapngList()
    file.section()
    file.interface(1)
    let start = file.list.bytes.count
    file.packet(0, ticks: 1, [1, 2, 3, 4])
    change(&file.list.bytes, start)
    return try read(file.list.bytes)
  }

  @Test("A wrong block length is damage at its offset")
  func aWrongBlockLengthIsDamageAtItsOffset() throws {
    let lengths: [(UInt8, String)] = [
      (0, "its length is 0, and a block's is a multiple of 4 and at least 12"),
      (8, "its length is 8, and a block's is a multiple of 4 and at least 12"),
      (37, "its length is 37, and a block's is a multiple of 4 and at least 12"),
      (32, "it says 32 bytes at its start and 67305985 at its end"),
    ]
    for (length, reason) in lengths {
      let result = try damaged { bytes, start in bytes[start + 4] = length }
      #expect(result.error == .damaged(path: "file", offset: 52, .block, reason: reason))
    }
  }

  @Test("Lengths that disagree are damage")
  func lengthsThatDisagreeAreDamage() throws {
    let result = try damaged { bytes, start in bytes[start + 32] = 40 }
    #expect(
      result.error
        == .damaged(path: "file", offset: 52, .block, reason: "it says 36 bytes at its start and 40 at its end"))
  }

  @Test("A frame that does not fit its block is damage")
  func aFrameThatDoesNotFitItsBlockIsDamage() throws {
    let result = try damaged { bytes, start in bytes[start + 20] = 5 }
    #expect(
      result.error
        == .damaged(
          path: "file", offset: 52, .block, reason: "its frame is 5 bytes, and a block of 36 has no room for it"))
  }

  @Test("An interface that was not described is damage")
  func anInterfaceThatWasNotDescribedIsDamage() throws {
    let result = try damaged { bytes, start in bytes[start + 8] = 1 }
    #expect(
      result.error
        == .damaged(
          path: "file", offset: 52, .block, reason: "it names interface 1, and the section has described 1"))
  }

  @Test("A block above the limit is damage, and takes no memory")
  func aBlockLargerThanBelievedIsDamageAndNotMemory() throws {
    let result = try damaged { bytes, start in bytes[start + 7] = 0x7f }
    #expect(
      result.error
        == .damaged(
          path: "file", offset: 52, .block,
          reason: "its length is 2130706468, and 1310720 is the most that is believed"))
  }

  @Test("The early end of a huge unknown block is found")
  func aHugeUnknownBlockIsSkippedAndSeenToEndEarly() throws {
    let result = try damaged { bytes, start in
      bytes[start] = 77
      bytes[start + 7] = 0x7f
    }
    #expect(result.error == .truncated(path: "file", offset: 52, .block, needed: 2_130_706_468, had: 36))
  }

  @Test("A large unknown block is skipped across reads")
  func aLargeUnknownBlockIsSkippedAcrossReads() throws {
    var file = PcapngList()
    file.section()
    file.interface(1)
    file.block(0x1234) { $0.add([UInt8](repeating: 3, count: 3_000_000)) }
    file.packet(0, ticks: 1, [1])
    let result = try read(file.list.bytes)
    #expect(result.error == nil)
    #expect(result.packets.map(\.frame) == [[1]])
  }

  @Test("An invalid byte order is damage")
  func aByteOrderThatIsNoneIsDamage() throws {
    var file = PcapngList()
    file.section()
    file.list.bytes[8] = 0
    #expect(
      try read(file.list.bytes).error
        == .damaged(path: "file", offset: 0, .sectionHeader, reason: "it has no byte-order magic at its byte 8"))
  }

  @Test("Every timestamp resolution is exact")
  func resolutionsOfEveryKindAreExact() throws {
    let table: [(UInt8?, Int64?, UInt64, Int64)] = [
      (nil, nil, 1_700_000_000_123_456, 1_700_000_000_123_456_000), (0, nil, 12, 12_000_000_000),
      (3, nil, 1_234, 1_234_000_000), (9, nil, 1_700_000_000_123_456_789, 1_700_000_000_123_456_789),
      (12, nil, 1_999, 1), (19, nil, .max, 1_844_674_407), (0x80, nil, 2, 2_000_000_000),
      (0x80 | 20, nil, 1 << 19, 500_000_000), (0x80 | 63, nil, 1 << 62, 500_000_000),
      (6, -1, 500_000, -500_000_000), (9, 1, 5, 1_000_000_005),
      // A time outside every timestamp counts from the first packet.
      (9, .max, 1, 0), (9, .min, 1, 0), (0, nil, .max, 0), (9, nil, .max, 0),
    ]
    for (resolution, offset, ticks, nanoseconds) in table {
      var file = PcapngList()
      file.section()
      file.interface(1, resolution: resolution, offset: offset)
      file.packet(0, ticks: ticks, [])
      let result = try read(file.list.bytes)
      #expect(result.packets.map(\.header.time.nanoseconds) == [nanoseconds], "resolution \(resolution ?? 255)")
    }
  }

  @Test("A resolution without meaning is damage", arguments: [20, 0x7f, 0xc0] as [UInt8])
  func aResolutionWithoutMeaningIsDamage(byte: UInt8) throws {
    var file = PcapngList()
    file.section()
    file.interface(1, resolution: byte)
    #expect(
      try read(file.list.bytes).error
        == .damaged(
          path: "file", offset: 28, .block, reason: "its timestamp resolution (if_tsresol) has no meaning"))
  }

  @Test("Random bytes after a valid start never trap")
  func randomBytesBehindAGoodStartNeverTrap() throws {
    var random = SplitMix64(seed: 1)
    let whole = Self.mixed(isBig: false, secondIsBig: true)
    let pcap = smallPcap()
    for round in 0..<20_000 {
      var bytes = round % 2 == 0 ? whole : pcap
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let byte: UInt8 = random.next().isMultiple(of: 3) ? 0xff : UInt8(truncatingIfNeeded: random.next())
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = byte
      }
      #expect(try read(bytes).packets.count <= 5)
    }
  }
}

import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// The btsnoop format, in each of its forms.
@Suite struct BtsnoopTests {
  private static func file(_ datalink: UInt32, _ records: [(flags: UInt32, bytes: [UInt8])], version: UInt32 = 1)
    -> [UInt8]
  {
    var list = ByteList(isBig: true)
    list.add(Array("btsnoop\0".utf8))
    list.add(version, datalink)
    for (place, record) in records.enumerated() {
      list.add(UInt32(record.bytes.count), UInt32(record.bytes.count), record.flags, UInt32(place))
      list.add(Int64(0x00dc_ddb3_0f2f_8000) + Int64(place) * 1_500)
      list.add(record.bytes)
    }
    return list.bytes
  }

  @Test("The fields of a record become a header before the packet")
  func whatStandsInARecordComesBeforeThePacket() throws {
    let data: [UInt8] = [0x40, 0x20, 1, 0, 9]
    let cases: [(UInt32, UInt32, UInt16, [UInt8])] = [
      (1001, 0, 201, [0, 0, 0, 0, 2]), (1001, 1, 201, [0, 0, 0, 1, 2]), (1001, 2, 201, [0, 0, 0, 0, 1]),
      (1001, 3, 201, [0, 0, 0, 1, 4]), (1002, 1, 201, [0, 0, 0, 1]), (2001, 0x0001_0005, 254, [0, 1, 0, 5]),
    ]
    for (datalink, flags, linkType, head) in cases {
      let result = try read(Self.file(datalink, [(flags, data), (flags, data + data)]))
      #expect(result.error == nil)
      #expect(result.packets.map(\.frame) == [head + data, head + data + data], "\(datalink) \(flags)")
      #expect(result.packets.map(\.header.linkType) == [linkType, linkType])
      #expect(result.packets.map(\.header.time.nanoseconds) == [0, 1_500_000])
      #expect(result.packets.map(\.header.originalLength) == [head.count + 5, head.count + 10])
      #expect(result.statistics.map(\.droppedByInterface) == [1])
    }
  }

  @Test("The error for every truncation names the offset")
  func everyTruncation() throws {
    let whole = Self.file(1002, [(0, [2, 0x40, 0, 1, 0, 9]), (1, [4, 1, 0])])
    let ends = [16, 46, 73]
    for count in 8..<whole.count {
      let result = try read(Array(whole.prefix(count)))
      #expect((result.error == nil) == ends.contains(count), "\(count)")
      #expect(result.packets.count == ends.firstIndex { $0 > count }.map { $0 - 1 > 0 ? $0 - 1 : 0 } ?? 1)
    }
  }

  @Test("The error for an unknown datalink or version names the known ones")
  func whatIsNotKnownIsSaid() throws {
    for (bytes, words) in [
      (Self.file(1004, []), "its datalink is 1004; known are 1001 (H1), 1002 (H4) and 2001 (Linux monitor)"),
      (Self.file(1002, [], version: 2), "its version is 2, and only 1 is known"),
    ] {
      #expect(try read(bytes).error?.description.contains(words) == true)
    }
  }
}

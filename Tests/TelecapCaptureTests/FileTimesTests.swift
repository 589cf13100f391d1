import Foundation
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// Times of a file that a clock counting from 1970, or an Int64, cannot represent.
@Suite("Times of capture files") struct FileTimesTests {
  private static func file(
    resolution: UInt8? = nil, offset: Int64? = nil, _ ticks: [UInt64], before: ((inout PcapngList) -> Void)? = nil
  ) -> [UInt8] {
    var file = PcapngList()
    file.section()
    before?(&file)
    file.interface(1, resolution: resolution, offset: offset)
    for one in ticks { file.packet(0, ticks: one, [1]) }
    return file.list.bytes
  }

  /// The times that a reader returned, and its note on them.
  private func times(_ bytes: [UInt8]) throws -> (nanoseconds: [Int64], note: String?, isRelative: Bool) {
    try withTemporaryPath { path in
      try bytes.write(to: path)
      var reader = try CaptureFileReader(path: path)
      var found: [Int64] = []
      try reader.forEach { header, _ in found.append(header.time.nanoseconds) }
      return (found, reader.timeNote, reader.countsFromFirstPacket)
    }
  }

  @Test("Times outside every timestamp keep their differences, with a note")
  func differencesAreKept() throws {
    // In the year 2500, and in year 0.
    for (resolution, offset, ticks) in [
      (6, nil, [16_725_225_600_000_000, 16_725_225_601_500_000, 16_725_225_600_000_001]),
      (9, Int64(-62_167_219_200), [5_000_000_000, 6_500_000_000, 5_000_001_000]),
      (0x80, .max, [7, 8, 7]), (0, .min, [1 << 63, (1 << 63) + 1, 1 << 63]), (0, 0, [.max - 1, .max, .max - 1]),
    ] as [(UInt8, Int64?, [UInt64])] {
      let (found, note, isRelative) = try times(Self.file(resolution: resolution, offset: offset, ticks))
      let isInSeconds = resolution == 0x80 || resolution == 0
      #expect(found == (isInSeconds ? [0, 1_000_000_000, 0] : [0, 1_500_000_000, 1_000]), "resolution \(resolution)")
      // 2⁶³ s before 1970 and as many after that are 1970 itself.
      if offset == .min {
        #expect(note == nil && !isRelative)
      } else {
        #expect(note?.hasPrefix("its first packet is from outside the years 1677 to 2262") == true && isRelative)
      }
    }
  }

  @Test("A time too far from those before it is clamped, and counted")
  func clampedIsCounted() throws {
    let (found, note, isRelative) = try times(Self.file(resolution: 0, [1, 1 << 40, .max, 2]))
    #expect(found == [1_000_000_000, .max, .max, 2_000_000_000] && !isRelative)
    #expect(note?.hasPrefix("2 packets are from outside the years 1677 to 2262") == true)
    let far = try times(Self.file(resolution: 0, offset: .max, [0, 1 << 62, 1]))
    #expect(far.nanoseconds == [0, .max, 1_000_000_000] && far.isRelative)
    #expect(far.note?.hasSuffix("1 packet is more than 292 years away, and the nearest time stands for theirs") == true)
  }

  @Test("A btsnoop clock that starts at 0 keeps its differences")
  func btsnoopUptime() throws {
    var list = ByteList(isBig: true)
    list.add(Array("btsnoop\0".utf8))
    list.add(UInt32(1), UInt32(1002))
    for microseconds in [1_000_000, 2_000_000, 3_500_000, -1] as [Int64] {
      list.add(UInt32(1), UInt32(1), UInt32(0), UInt32(0))
      list.add(microseconds)
      list.add([4])
    }
    let (found, note, isRelative) = try times(list.bytes)
    #expect(found == [0, 1_000_000_000, 2_500_000_000, -1_000_001_000] && isRelative)
    #expect(note?.contains("all times count from it") == true)
  }

  @Test("The limits of a timestamp are exact, on both sides")
  func endsAreExact() {
    for (time, nanoseconds) in [
      (FileTime(offset: 9_223_372_036, fraction: 854_775_807), .max),
      (FileTime(offset: 9_223_372_036, fraction: 854_775_808), nil),
      (FileTime(offset: -9_223_372_037, fraction: 145_224_192), .min),
      (FileTime(offset: -9_223_372_037, fraction: 145_224_191), nil),
      (FileTime(offset: -1, fraction: 999_999_999), -1), (FileTime(seconds: .max, offset: .min, fraction: 0), nil),
      (FileTime(seconds: 1 << 63, offset: .min, fraction: 5), 5), (FileTime(offset: .min, fraction: 0), nil),
    ] as [(FileTime, Int64?)] {
      #expect(time.nanoseconds() == nanoseconds, "\(time)")
    }
  }

  @Test("Times before 1970 are written to pcapng and read back, to both ends of an Int64")
  func timesBefore1970() throws {
    for times in [
      [-1, 0, 1], [-1_000_000_000, 5], [-999_999_999], [.min, .min + 1, -1, 0, 1], [.min, 9_000_000_000_000_000_000],
      [-2_208_988_800_000_000_000, 1_700_000_000_123_456_789], [0, .max], [.min],
    ] as [[Int64]] {
      let earliest = Timestamp(nanoseconds: times.min() ?? 0)
      let bytes = try withTemporaryPath { path in
        var writer = try PcapngWriter(path: path, tool: "t", earliest: earliest)
        try writer.add(Interface(name: "lo", linkType: 1))
        for time in times {
          let header = PacketHeader(number: 1, time: Timestamp(nanoseconds: time), originalLength: 1, linkType: 1)
          try writer.write(header, [1].span.bytes)
        }
        try writer.finish()
        return try [UInt8](file: path)
      }
      let (found, note, _) = try self.times(bytes)
      #expect(found == times && note == nil)
    }
  }

  @Test("Statistics before the description of their interface count; those of an undescribed one do not")
  func statisticsBeforeTheirInterface() throws {
    func statistics(_ file: inout PcapngList, of interface: UInt32, dropped: UInt64) {
      file.block(5) { body in
        body.add(interface, UInt32(0), UInt32(0))
        body.add(UInt16(5), UInt16(8))
        body.add(dropped)
        body.add(UInt32(0))
      }
    }
    let bytes = Self.file([1, 2]) { file in
      statistics(&file, of: 3, dropped: 9)
      statistics(&file, of: 0, dropped: 7)
      statistics(&file, of: .max, dropped: 1)
    }
    let result = try read(bytes)
    #expect(result.error == nil && result.packets.count == 2)
    #expect(result.statistics.map(\.droppedByInterface) == [7])
  }
}

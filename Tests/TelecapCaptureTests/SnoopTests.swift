import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapCapture

/// Solaris's snoop (RFC 1761).
@Suite("snoop files") struct SnoopTests {
  /// A file of frames, each padded to four bytes.
  static func file(_ frames: [[UInt8]], datalink: UInt32 = 4, version: UInt32 = 2, drops: UInt32 = 0) -> [UInt8] {
    var list = ByteList(isBig: true)
    list.add(Array("snoop\0\0\0".utf8))
    list.add(version, datalink)
    for (index, frame) in frames.enumerated() {
      let padding = frame.count.paddedTo4 - frame.count
      list.add(UInt32(frame.count + 1), UInt32(frame.count), UInt32(24 + frame.count + padding), drops)
      list.add(UInt32(index), 500_000)
      list.add(frame + [UInt8](repeating: 0xff, count: padding))
    }
    return list.bytes
  }

  @Test("Frames, lengths, times, drops and padding are read", arguments: [UInt32(0), 4])
  func wholeFile(datalink: UInt32) throws {
    let result = try read(Self.file([[1, 2, 3, 4, 5], [], [6, 7, 8, 9]], datalink: datalink, drops: 3))
    #expect(result.error == nil)
    #expect(result.packets.map(\.frame) == [[1, 2, 3, 4, 5], [], [6, 7, 8, 9]])
    #expect(result.packets.map(\.header.originalLength) == [6, 1, 5])
    #expect(result.packets.map(\.header.time.nanoseconds) == [500_000_000, 1_500_000_000, 2_500_000_000])
    #expect(result.packets.allSatisfy { $0.header.linkType == 1 })
    #expect(result.statistics.map(\.droppedByInterface) == [3])
  }

  @Test("The error for every truncation names the offset, after the packets before it")
  func everyTruncation() throws {
    let whole = Self.file([[1, 2, 3, 4, 5], [6]])
    let ends = [16, 16 + 32]
    for count in 8..<whole.count {
      let result = try read(Array(whole.prefix(count)))
      #expect((result.error == nil) == ends.contains(count), "\(count)")
      #expect(result.packets.count == (count < 48 ? 0 : 1), "\(count)")
    }
  }

  @Test("Other link types keep their number, and those without one are rejected")
  func datalinks() throws {
    #expect(try read(Self.file([[1]], datalink: 8)).packets.map(\.header.linkType) == [10])
    #expect(try read(Self.file([[1]], datalink: 2)).packets.map(\.header.linkType) == [6])
    let words = "its datalink is 9; known are 0 and 4 (Ethernet), 2 (token ring) and 8 (FDDI)"
    #expect(try read(Self.file([], datalink: 9)).error?.description.contains(words) == true)
    let version = "its version is 1, and only 2 is known"
    #expect(try read(Self.file([], version: 1)).error?.description.contains(version) == true)
  }

  @Test("A record whose lengths contradict each other is damage there")
  func contradiction() throws {
    var file = Self.file([[1, 2, 3, 4], [5]])
    file[16 + 11] = 27
    #expect(
      try read(file).error
        == .damaged(path: "file", offset: 16, .record, reason: "its length is 27 bytes, and its frame has 4"))
    var large = Self.file([[1, 2, 3, 4], [5]])
    large.replaceSubrange(24..<28, with: [0, 4, 0, 25])
    #expect(try read(large).error?.description.contains("is damaged: its length is 262169 bytes") == true)
  }
}

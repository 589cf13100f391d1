import Foundation
import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

/// A pcap file of three frames of 5, 0 and 3 bytes; the last was 9 bytes long on the wire.
func smallPcap(isBig: Bool = false, magic: UInt32 = 0xa1b2_c3d4, linkType: UInt32 = 1) -> [UInt8] {
  var file = ByteList(isBig: isBig)
  file.add(magic)
  file.add(UInt16(2), UInt16(4))
  file.add(UInt32(0), UInt32(0), UInt32(65_535), linkType)
  for (seconds, fraction, frame, original) in [
    (UInt32(1), UInt32(2), [UInt8](1...5), UInt32(5)), (3, 999_999, [], 0), (0xffff_ffff, 7, [9, 8, 7], 9),
  ] {
    file.add(seconds, fraction, UInt32(frame.count), original)
    file.add(frame)
  }
  return file.bytes
}

@Suite struct PcapReadingTests {
  @Test("Microseconds are read in both byte orders", arguments: [false, true]) func microsecondsAreReadInBothByteOrders(
    isBig: Bool
  ) throws {
    let result = try read(smallPcap(isBig: isBig))
    #expect(result.error == nil)
    #expect(result.interfaces == [Interface(name: "", linkType: 1, snapLength: 65_535, ticksPerSecond: 1_000_000)])
    let times: [Int64] = [1_000_002_000, 3_999_999_000, 4_294_967_295_000_007_000]
    let frames: [[UInt8]] = [[1, 2, 3, 4, 5], [], [9, 8, 7]]
    let lengths = [5, 0, 9]
    let expected = (0..<3).map { index in
      SeenPacket(
        header: PacketHeader(
          number: index + 1, time: Timestamp(nanoseconds: times[index]), originalLength: lengths[index], linkType: 1),
        frame: frames[index])
    }
    #expect(result.packets == expected)
  }

  @Test("Nanoseconds are read in both byte orders", arguments: [false, true]) func nanosecondsAreReadInBothByteOrders(
    isBig: Bool
  ) throws {
    let result = try read(smallPcap(isBig: isBig, magic: 0xa1b2_3c4d))
    #expect(result.packets.map(\.header.time.nanoseconds) == [1_000_000_002, 3_000_999_999, 4_294_967_295_000_000_007])
    #expect(result.interfaces.map(\.ticksPerSecond) == [1_000_000_000])
  }

  @Test("The frame check sequence bits are no link type")
  func theFrameCheckSequenceBitsAreNoLinkType() throws {
    #expect(try read(smallPcap(linkType: 0x2400_0071)).interfaces.map(\.linkType) == [113])
  }

  @Test("The error for every truncation names the offset and the missing bytes")
  func everyTruncationSaysWhereAndHowMuch() throws {
    let whole = smallPcap()
    let starts = [24, 24 + 21, 24 + 21 + 16, 24 + 21 + 16 + 19]
    let lengths = [21, 16, 19]
    for cut in 4..<whole.count {
      let result = try read(Array(whole[..<cut]))
      let packets = cut < 24 ? 0 : starts.lastIndex { $0 <= cut } ?? 0
      #expect(result.packets.count == packets)
      if cut < 24 {
        #expect(result.error == .truncated(path: "file", offset: 0, .fileHeader, needed: 24, had: cut))
      } else if starts.contains(cut) {
        #expect(result.error == nil)
      } else {
        let had = cut - starts[packets]
        let error = CaptureFileError.truncated(
          path: "file", offset: Int64(starts[packets]), .record, needed: had < 16 ? 16 : lengths[packets], had: had)
        #expect(result.error == error)
      }
    }
  }

  @Test("An absurd length is damage at its record")
  func anAbsurdLengthIsDamageAtItsRecord() throws {
    var file = smallPcap()
    file.replaceSubrange(53..<57, with: [0x01, 0x00, 0x04, 0x00])
    let result = try read(file)
    #expect(result.packets.count == 1)
    #expect(
      result.error
        == .damaged(
          path: "file", offset: 45, .record,
          reason: "its length is 262145 bytes, and no frame is longer than 262144"))
    #expect(
      result.error?.description
        == "file: the packet record at byte 45 is damaged: its length is 262145 bytes, and no frame is longer than "
        + "262144; the packets before it were read; copy or record the file again for the rest")
  }

  @Test("An unknown version is rejected")
  func anUnknownVersionIsRefused() throws {
    var file = smallPcap()
    file[4] = 3
    #expect(
      try read(file).error
        == .damaged(path: "file", offset: 0, .fileHeader, reason: "its version is 3, and only 2 is known"))
  }

  @Test(
    "The error for a file that is no capture names what the file looks like",
    arguments: [
      ("", "it is empty"), ("time,x,y\n1,2,3\n", "it looks like text"), ("ab", "it looks like text"),
      ("SQLite format 3\u{0}rest", "it is an SQLite database"),
      ("\u{1}\u{2}\u{3}\u{4}\u{5}", "it begins with the bytes 01 02 03 04"),
    ]) func whatIsNoCaptureIsNamed(text: String, words: String) throws
  {
    let error = try read(Array(text.utf8)).error
    #expect(error == .notCapture(path: "file", looksLike: words))
    #expect(
      error?.description
        == "file: not a capture file: \(words); give a pcap, pcapng, btsnoop, snoop or PacketLogger file")
  }

  @Test("The error for an unsupported compression names it")
  func compressionsAreNamed() throws {
    for (name, magic) in [("xz", hex("fd377a585a00")), ("bzip2", hex("425a6839")), ("lz4", hex("04224d18"))] {
      #expect(
        try read(magic).error
          == .notCapture(path: "file", looksLike: "it is compressed with \(name), decompress it first"))
    }
  }

  @Test("Kuznetzov's form has eight more bytes in each record's header", arguments: [false, true])
  func kuznetzov(isBig: Bool) throws {
    // Interface, protocol, direction and padding, of which nothing is needed.
    let more: [UInt8] = [0, 0, 0, 2, 8, 0, 4, 0]
    var file = ByteList(isBig: isBig)
    file.add(UInt32(0xa1b2_cd34))
    file.add(UInt16(2), UInt16(4))
    file.add(UInt32(0), 0, 65_535, 1)
    for frame in [[UInt8](1...5), [7]] {
      file.add(UInt32(1), 2, UInt32(frame.count), 9)
      file.add(more + frame)
    }
    let result = try read(file.bytes)
    #expect(result.error == nil)
    #expect(result.packets.map(\.frame) == [[1, 2, 3, 4, 5], [7]])
    #expect(result.packets.map(\.header.originalLength) == [9, 9])
    #expect(result.packets.map(\.header.time.nanoseconds) == [1_000_002_000, 1_000_002_000])
    for count in 24..<file.bytes.count {
      let cut = try read(Array(file.bytes[..<count]))
      #expect(cut.packets.count == (count < 24 + 29 ? 0 : 1), "\(count)")
      #expect((cut.error == nil) == (count == 24 || count == 24 + 29), "\(count)")
    }
  }

  @Test(
    "The two lengths are swapped before version 2.3, by size in 2.3, and plain since 2.4",
    arguments: [
      (2, 2, 5, 9, nil), (2, 2, 9, 5, [9]), (2, 3, 5, 9, [9]), (2, 3, 9, 5, [9]), (2, 3, 5, 5, [5]), (2, 4, 5, 9, [9]),
      (2, 4, 9, 5, nil), (543, 0, 9, 5, [9]), (543, 1, 9, 5, nil),
    ] as [(UInt16, UInt16, UInt32, UInt32, [Int]?)])
  func orderOfLengths(_ major: UInt16, _ minor: UInt16, _ first: UInt32, _ second: UInt32, _ lengths: [Int]?) throws {
    var file = ByteList()
    file.add(UInt32(0xa1b2_c3d4))
    file.add(major, minor)
    file.add(UInt32(0), 0, 65_535, 1, 1, 2, first, second)
    file.add([1, 2, 3, 4, 5])
    let result = try read(file.bytes)
    #expect((result.error == nil) == (lengths != nil), "\(String(describing: result.error))")
    #expect(result.packets.map(\.header.originalLength) == lengths ?? [])
    #expect(result.packets.allSatisfy { $0.frame == [1, 2, 3, 4, 5] })
  }

  @Test("A missing file has an error of its own")
  func aFileThatIsNotThereIsToldApart() throws {
    let error = try withTemporaryPath { try readFile($0, as: "file") }.error
    guard case .cannotOpen("file", let reason) = error else {
      Issue.record("not the error expected: \(String(describing: error))")
      return
    }
    #expect(reason == ErrnoError(number: ENOENT))
    #expect(error?.description == "file: cannot be opened: No such file or directory")
  }

  @Test("A directory is an error")
  func aDirectoryIsNoFile() throws {
    let error = try readFile("/", as: "root").error
    #expect(error?.description == "root: cannot be opened: Is a directory")
  }
}

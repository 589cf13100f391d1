import Foundation
import TelecapCapture
import TelecapRecording
import TelecapTestSupport
import Testing

@Suite struct WriterTests {
  private static let packets = (1...400).map { number in
    SeenPacket(
      header: PacketHeader(
        number: number, time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 1_234_567_891),
        interface: number % 2, originalLength: number * 5 + number % 3, linkType: 1),
      frame: (0..<number * 5).map { UInt8(truncatingIfNeeded: $0 &* number) })
  }

  @Test("A written pcapng file is read back unchanged")
  func pcapngComesBackAsItWasWritten() throws {
    let interfaces = [
      Interface(name: "lo", linkType: 1, comment: "this machine"), Interface(name: "udp:50000", linkType: 1),
    ]
    var statistics = CaptureFileReader.Statistics()
    statistics.received = 400
    statistics.droppedByKernel = 3
    let result = try withTemporaryPath { path in
      var writer = try PcapngWriter(path: path, tool: "telecap", comment: "a test")
      #expect(try interfaces.map { try writer.add($0) } == [0, 1])
      for packet in Self.packets {
        try writer.write(
          packet.header, packet.frame.span.bytes, comment: packet.header.number % 7 == 0 ? "seventh" : "")
      }
      try writer.write(statistics, interface: 0, time: .zero)
      try writer.finish()
      return try readFile(path, as: "file")
    }
    #expect(result.error == nil)
    #expect(result.packets == Self.packets)
    #expect(result.interfaces == interfaces)
    #expect(result.statistics == [statistics, .init()])
    #expect(result.comments == ["a test"])
  }

  @Test("The bytes of a pcapng file follow the format")
  func pcapngBytesAreThoseOfTheFormat() throws {
    let bytes = try withTemporaryPath { path in
      var writer = try PcapngWriter(path: path, tool: "t")
      try writer.add(Interface(name: "lo", linkType: 1, snapLength: 96))
      let header = PacketHeader(
        number: 1, time: Timestamp(nanoseconds: 0x0102_0304_0506), originalLength: 7, linkType: 1)
      try writer.write(header, hex("aabb").span.bytes, comment: "hi")
      try writer.finish()
      return try Array(Data(contentsOf: URL(filePath: path)))
    }
    #expect(
      bytes
        == hex(
          """
          0a0d0d0a 28000000 4d3c2b1a 01000000 ffffffff ffffffff 04000100 74000000 00000000 28000000
          01000000 28000000 01000000 60000000 02000200 6c6f0000 09000100 09000000 00000000 28000000
          06000000 30000000 00000000 02010000 06050403 02000000 07000000 aabb0000 01000200 68690000 00000000 30000000
          """))
  }

  @Test("A written pcap file is read back unchanged", arguments: [PcapWriter.Resolution.microseconds, .nanoseconds])
  func pcapComesBackAsItWasWritten(resolution: PcapWriter.Resolution) throws {
    let tick: Int64 = resolution == .microseconds ? 1000 : 1
    let result = try withTemporaryPath { path in
      var writer = try PcapWriter(path: path, linkType: 113, snapLength: 2000, resolution: resolution)
      for packet in Self.packets { try writer.write(packet.header, packet.frame.span.bytes) }
      try writer.finish()
      return try readFile(path, as: "file")
    }
    #expect(result.error == nil)
    #expect(
      result.interfaces
        == [
          Interface(
            name: "", linkType: 113, snapLength: 2000, ticksPerSecond: UInt64(1_000_000_000 / tick))
        ])
    let expected = Self.packets.map { packet in
      var packet = packet
      packet.header.interface = 0
      packet.header.linkType = 113
      packet.header.time.nanoseconds -= packet.header.time.nanoseconds % tick
      return packet
    }
    #expect(result.packets == expected)
  }

  @Test("A file larger than the read buffer is read back")
  func moreThanOneReadOfTheBufferComesBack() throws {
    let count = 20_000
    let frame = [UInt8](repeating: 5, count: 77)
    let result = try withTemporaryPath { path in
      var writer = try PcapngWriter(path: path, tool: "telecap")
      try writer.add(Interface(name: "lo", linkType: 1))
      for number in 1...count {
        let header = PacketHeader(number: number, time: .zero, originalLength: 77, linkType: 1)
        try writer.write(header, frame.span.bytes)
      }
      try writer.finish()
      return try readFile(path, as: "file")
    }
    #expect(result.error == nil)
    #expect(result.packets.count == count)
    #expect(result.packets.allSatisfy { $0.frame == frame })
    #expect(result.packets.map(\.header.number) == Array(1...count))
  }

  #if os(Linux)
    @Test("A full disk is a typed error with its number")
    func aFullDiskIsATypedErrorWithItsNumber() throws {
      var writer = try PcapngWriter(path: "/dev/full", tool: "telecap")
      do {
        try writer.finish()
        Issue.record("the disk was not full")
      } catch {
        guard case .cannotWrite("/dev/full", 0, let reason) = error else {
          Issue.record("not the error expected: \(error)")
          return
        }
        #expect(reason.isDiskFull)
        #expect(
          error.description
            == "/dev/full: writing failed after 0 bytes: No space left on device; make room and run it again")
      }
    }
  #endif

  @Test("A path that cannot be written is an error")
  func aPlaceThatCannotBeWrittenIsAnError() throws {
    try withTemporaryPath { path in
      #expect(throws: CaptureFileError.self) { _ = try PcapWriter(path: path + "/nowhere", linkType: 1) }
    }
  }

  @Test("A pipe is read as it grows")
  func aPipeIsReadAsItGrows() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: smallPcap())
    try pipe.fileHandleForWriting.close()
    var reader = try CaptureFileReader(descriptor: pipe.fileHandleForReading.fileDescriptor, path: "pipe")
    var count = 0
    try reader.forEach { _, _ in count += 1 }
    #expect(count == 3)
    #expect(reader.offset == 80)
  }

  @Test("An error of the body loses no packet")
  func anErrorOfTheBodyLosesNoPacket() throws {
    struct Stop: Error {}
    let numbers = try withTemporaryPath { path in
      try smallPcap().write(to: path)
      var reader = try CaptureFileReader(path: path)
      #expect(throws: Stop.self) { _ = try reader.next { _, _ in throw Stop() } }
      var numbers: [Int] = []
      try reader.forEach { header, _ in numbers.append(header.number) }
      return numbers
    }
    #expect(numbers == [2, 3])
  }
}

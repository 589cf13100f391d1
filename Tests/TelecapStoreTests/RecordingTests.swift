import TelecapProtocols
import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("A recording") struct RecordingTests {
  @Test("A recording returns every packet unchanged")
  func givesBackEveryPacketAsItCame() throws {
    let folder = try Folder()
    var info = CaptureInfo.test
    info.ports =
      Ports.standard.with([
        "tele-udp": 1, "tele-tcp": 2, "tele-beacon": 3, "mouse-udp": 4, "mouse-tcp": 65_535,
      ]).numbers
    let writer = try CaptureWriter(creating: folder["a"], info, .standard)
    #expect(try writer.add(Interface(name: "lo", linkType: 1, comment: "desk")) == 0)
    #expect(try writer.add(Interface(name: "any", linkType: 276, snapLength: 96, ticksPerSecond: 1_000_000)) == 1)
    let sizes = [0, 1, 80, 70_000, PacketHeader.largestFrame]
    for (index, size) in sizes.enumerated() {
      let bytes = frame(index, size)
      let header = PacketHeader(
        number: index + 1, time: Timestamp(nanoseconds: -5 + Int64(index)), interface: index % 2,
        originalLength: size + index, linkType: index % 2 == 0 ? 1 : 276)
      try writer.add(header, bytes.span.bytes)
    }
    try writer.finish(ended: Timestamp(nanoseconds: 99), damage: "cut short at offset 7")
    let reader = try CaptureReader(path: folder["a"], .standard)
    var number = 0
    try reader.forEachPacket { header, bytes in
      #expect(bytes.array == frame(number, sizes[number]))
      #expect(
        header
          == PacketHeader(
            number: number + 1, time: Timestamp(nanoseconds: -5 + Int64(number)), interface: number % 2,
            originalLength: sizes[number] + number, linkType: number % 2 == 0 ? 1 : 276))
      number += 1
    }
    #expect(number == sizes.count)
    #expect(
      try reader.interfaces() == [
        Interface(name: "lo", linkType: 1, comment: "desk"),
        Interface(name: "any", linkType: 276, snapLength: 96, ticksPerSecond: 1_000_000),
      ])
    info.ended = Timestamp(nanoseconds: 99)
    info.damage = "cut short at offset 7"
    #expect(try reader.info() == info)
    #expect(try reader.needsDissection())
  }

  @Test("A recording stores the events of its interfaces in their comments, up to the limit")
  func keepsWhatHappenedToItsInterfacesEachLineWhereItBelongsAndAsMuchAsFits() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(Interface(name: "lo", linkType: 1, comment: "desk"))
    try writer.add(Interface(name: "any", linkType: 276))
    writer.add("it rained", toCommentOf: 0)
    try writer.flush()
    writer.add("it went down", toCommentOf: 1)
    writer.add("it rained more", toCommentOf: 0)
    let long = String(repeating: "x", count: 9_000)
    for _ in 0..<5 { writer.add(long, toCommentOf: 1) }
    try writer.finish(ended: .zero)
    let comments = try CaptureReader(path: folder["a"], .standard).interfaces().map(\.comment)
    #expect(comments == ["desk\nit rained\nit rained more", "it went down\n\(long)\nand more, which is not stored"])
  }

  @Test("A recording is read in portions, whole or the selected packets")
  func isReadInPortionsAllOfItOrTheChosenPackets() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(Interface(name: "test", linkType: 1))
    try writer.add(numbers: 1...70_000, size: 4)
    try writer.finish(ended: .zero)
    let reader = try CaptureReader(path: folder["a"], .standard)
    var sum = 0
    try reader.forEachPacket { header, _ in sum += header.number }
    #expect(sum == 70_000 * 70_001 / 2)
    var selection = PacketSelection()
    for number in [70_000, 3, 65_537, 3, 80_000] { selection.insert(number) }
    #expect(selection.count == 4)
    var found: [Int] = []
    try reader.forEachPacket(in: selection) { header, bytes in
      found.append(header.number)
      #expect(bytes.array == frame(header.number, 4))
    }
    #expect(found == [3, 65_537, 70_000])
  }

  @Test("A recording can be read while it goes on")
  func canBeReadWhileItGoesOn() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(try reader.packetCount() == 0)
    for round in 1...5 {
      try writer.add(numbers: (round * 1_000 - 999)...(round * 1_000))
      try writer.flush()
      #expect(try reader.packetCount() == round * 1_000)
    }
    try writer.finish(ended: .zero)
    #expect(try reader.packetCount() == 5_000)
  }

  /// The content of the disk at any moment is what a killed process leaves.
  @Test("An interrupted recording contains exactly the committed packets")
  func thatBreaksOffHoldsWhatWasCommittedAndNoMore() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(numbers: 1...1_234)
    try writer.flush()
    try writer.add(numbers: 1_235...1_300)
    for suffix in ["", "-wal"] { try [UInt8](file: folder["a\(suffix)"]).write(to: folder["killed\(suffix)"]) }
    let reader = try CaptureReader(path: folder["killed"], .standard)
    #expect(try reader.packetCount() == 1_234)
    #expect(try reader.info().ended == nil)
    #expect(try reader.needsDissection())
    #expect(try reader.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("A recording commits when it is due, and not without a cause")
  func commitsByTheClockNotBeforeAndNotWithoutCause() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    let reader = try CaptureReader(path: folder["a"], .standard)
    let due = CaptureWriter.commitInterval
    try writer.commitIfDue(now: .zero)
    try writer.add(numbers: 1...10)
    try writer.commitIfDue(now: Timestamp(nanoseconds: due - 1))
    #expect(try reader.packetCount() == 0)
    try writer.commitIfDue(now: Timestamp(nanoseconds: due))
    try writer.add(numbers: 11...12)
    // Commits go on at the same time; a flush waits for one.
    try writer.flush()
    #expect(try reader.packetCount() == 12)
    #expect(due <= 250_000_000 / 2)
  }

  @Test("The count of dropped packets is stored with the next commit")
  func storesWhatWasDroppedWithItsNextCommit() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    let reader = try CaptureReader(path: folder["a"], .standard)
    writer.report(dropped: DropCounts(kernel: 5, interface: 1))
    try writer.flush()
    #expect(try reader.info().dropped == DropCounts(kernel: 5, interface: 1, queue: 0))
    writer.report(dropped: DropCounts(kernel: 7, interface: 1, queue: 2))
    try writer.finish(ended: .zero)
    #expect(try reader.info().dropped.total == 10)
  }

  @Test("A recording stops when the disk is full, and keeps the committed packets")
  func stopsWhenTheDiskIsFullAndKeepsWhatWasCommitted() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(
      creating: folder["a"], .test, .standard, force: false, limitedTo: ["max_page_count = 60"])
    try writer.add(numbers: 1...500)
    try writer.flush()
    let full = StoreError.full(path: folder["a"], packets: 500)
    #expect(throws: full) {
      try writer.add(numbers: 501...100_000)
      try writer.flush()
    }
    #expect(throws: full) { try writer.add(numbers: 1...5_000) }
    #expect(throws: full) { try writer.finish(ended: .zero) }
    #expect(try CaptureReader(path: folder["a"], .standard).packetCount() == 500)
    #expect(
      "\(StoreError.full(path: "a", packets: 500))"
        == "a: the disk is full; the first 500 packets are in the file and can be read")
  }

  @Test("A recording cannot be dissected while it goes on, and continues")
  func isNotDissectedWhileItGoesOnAndGoesOn() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(numbers: 1...10)
    try writer.flush()
    #expect(throws: StoreError.busy(path: folder["a"])) { try DissectionWriter(rebuilding: folder["a"], .standard) }
    try writer.add(numbers: 11...20)
    try writer.finish(ended: .zero)
    #expect(try CaptureReader(path: folder["a"], .standard).packetCount() == 20)
    try DissectionWriter(rebuilding: folder["a"], .standard).finish(sessions: [])
    #expect(try !CaptureReader(path: folder["a"], .standard).needsDissection())
  }

  @Test("An interrupted recording is dissected afterwards")
  func thatBrokeOffIsDissectedAfterwards() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(numbers: 1...10)
    try writer.flush()
    for suffix in ["", "-wal"] { try [UInt8](file: folder["a\(suffix)"]).write(to: folder["killed\(suffix)"]) }
    try DissectionWriter(rebuilding: folder["killed"], .standard).finish(sessions: [])
    let reader = try CaptureReader(path: folder["killed"], .standard)
    #expect(try !reader.needsDissection())
    #expect(try reader.packetCount() == 10)
    #expect(try reader.rows("PRAGMA journal_mode") == [[.text("delete")]])
  }

  @Test("A finished recording accepts no packet")
  func takesNothingAfterItsEnd() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.finish(ended: .zero)
    #expect(throws: StoreError.self) { try writer.finish(ended: .zero) }
    #expect(throws: StoreError.self) { try writer.add(numbers: 1...5_000) }
  }

  @Test("A duplicate packet number is rejected, with SQLite's message")
  func refusesAPacketNumberThatWasThereWithSQLitesWord() throws {
    let folder = try Folder()
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(numbers: 1...3)
    try writer.add(numbers: 3...4)
    #expect(throws: StoreError.sqlite(path: folder["a"], code: 1555, reason: "UNIQUE constraint failed: packet.id")) {
      try writer.flush()
    }
  }
}

@Suite("A capture that may not be written") struct CaptureMayNotBeWrittenTests {
  @Test("A capture is read in its folder, with the WAL that a killed recording left next to it")
  func isReadWhereItLiesWithWhatAKilledRecordingLeftBesideIt() throws {
    let folder = try Folder()
    try Example().import(to: folder["whole"], .test)
    let writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(numbers: 1...1_234)
    try writer.flush()
    for suffix in ["", "-wal"] { try [UInt8](file: folder["a\(suffix)"]).write(to: folder["killed\(suffix)"]) }
    #expect(
      try CaptureReader(path: folder["whole"], .standard, tidying: false).select(where: "type = 'CMD'").count == 3)
    #expect(try CaptureReader(path: folder["killed"], .standard, tidying: false).packetCount() == 1_234)
    #expect(try [UInt8](file: folder["killed-wal"]) == [UInt8](file: folder["a-wal"]))
  }

  @Test("A query cannot change a capture")
  func cannotBeChangedByAQuestion() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let reader = try CaptureReader(path: folder["a"], .standard)
    #expect(throws: StoreError.self) { try reader.rows("DELETE FROM packet") }
    #expect(try reader.packetCount() > 0)
  }

  @Test("The URI of a capture escapes any path")
  func hasAURIThatAnyPathFitsIn() {
    #expect(FileSystem.immutableURI("/tmp/a b%/ä.telecap") == "file:///tmp/a%20b%25/%C3%A4.telecap?immutable=1")
  }
}

import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapStore

/// Another program that takes the write lock of a capture, as `BEGIN IMMEDIATE` does.
private final class OtherProgram {
  private let database: SharedDatabase

  init(_ path: String) throws {
    database = try SharedDatabase(path)
    try database.use { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func letGo() throws { try database.use { try $0.execute(sql: "ROLLBACK") } }
}

@Suite("A recording whose write lock another program holds") struct LockedCaptureTests {
  private let folder: Folder
  private let writer: CaptureWriter

  init() throws {
    folder = try Folder()
    writer = try CaptureWriter(creating: folder["a"], .test, .standard)
    try writer.add(Interface(name: "test", linkType: 1))
    try writer.add(numbers: 1...10)
    try writer.flush()
  }

  private func packets() throws -> Int { try CaptureReader(path: folder["a"], .standard).packetCount() }

  /// Adds packets of these numbers, all with the same frame.
  private func add(_ numbers: ClosedRange<Int>, _ frame: [UInt8]) throws {
    for number in numbers {
      let header = PacketHeader(number: number, time: .zero, originalLength: frame.count, linkType: 1)
      try writer.add(header, frame.span.bytes)
    }
  }

  @Test("Packets are accepted during the lock, and all are stored when it is released")
  func goesOn() async throws {
    let other = try OtherProgram(folder["a"])
    // More than the batches that may be on their way: no call waits.
    for first in stride(from: 11, to: 90_000, by: 3_000) {
      try add(first...(first + 2_999), frame(1))
      #expect(try writer.makeRoom())
    }
    try await eventually { writer.lockedFor != nil }
    #expect(writer.waitingPackets == 90_000)
    #expect(try packets() == 10)
    try other.letGo()
    try writer.finish(ended: .zero)
    #expect(try packets() == 90_010)
    #expect(try CaptureReader(path: folder["a"], .standard).info().ended == .zero)
  }

  @Test("A recording has no room at the limit of waiting packets, and has room again after the lock")
  func isBounded() async throws {
    let other = try OtherProgram(folder["a"])
    let large = [UInt8](repeating: 7, count: PacketHeader.largestFrame)
    var number = 10
    while try writer.makeRoom() {
      number += 1
      try add(number...number, large)
    }
    // The batches on their way hold a frame more than they should at most.
    let onTheirWay = 16 * ((1 << 20) + large.count)
    let waiting = number * large.count
    #expect(waiting >= CaptureWriter.room && waiting <= CaptureWriter.room + onTheirWay + large.count)
    try other.letGo()
    try await eventually { try writer.makeRoom() }
    try writer.finish(ended: .zero)
    #expect(try packets() == number)
  }

  @Test("A recording that stops waiting for the lock ends with the number of lost packets")
  func givesUp() throws {
    let other = try OtherProgram(folder["a"])
    try writer.add(numbers: 11...20)
    try writer.commitIfDue(now: .zero)
    try writer.commitIfDue(now: Timestamp(nanoseconds: CaptureWriter.commitInterval))
    try writer.add(numbers: 21...25)
    var asked = 0
    let error = StoreError.locked(path: folder["a"], packets: 10, lost: 15)
    #expect(throws: error) {
      try writer.finish(ended: .zero) {
        asked += 1
        return asked < 3
      }
    }
    #expect(asked >= 3)
    try other.letGo()
    #expect(try packets() == 10)
    #expect(try CaptureReader(path: folder["a"], .standard).info().ended == nil)
    #expect(
      "\(StoreError.locked(path: "a", packets: 10, lost: 15))"
        == "a: another program held the write lock: the last 15 packets are lost; "
        + "the first 10 packets are in the file and can be read; end that program before the next recording")
  }

  @Test("An abandoned recording does not wait for the lock")
  func isAbandoned() throws {
    var abandoned: CaptureWriter? = try CaptureWriter(creating: folder["b"], .test, .standard)
    let other = try OtherProgram(folder["b"])
    try abandoned?.add(numbers: 1...10)
    try abandoned?.commitIfDue(now: .zero)
    try abandoned?.commitIfDue(now: Timestamp(nanoseconds: CaptureWriter.commitInterval))
    abandoned = nil
    try other.letGo()
    #expect(try CaptureReader(path: folder["b"], .standard).packetCount() == 0)
  }
}

import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapStore

@Suite("Clock steps of a capture that grows") struct ClockStepsTests {
  private let folder: Folder
  private let writer: SharedDatabase
  private let reader: CaptureReader

  /// A capture of ten packets, 1 s apart.
  init() throws {
    folder = try Folder()
    let made = try ImportWriter(creating: folder["a"], .test, .standard)
    try made.packets.add(Interface(name: "test", linkType: 1))
    for number in 1...10 {
      let header = PacketHeader(
        number: number, time: Timestamp(nanoseconds: Int64(number) * Self.second), originalLength: 1, linkType: 1)
      try made.packets.add(header, [0].span.bytes)
    }
    try made.finish(ended: .zero, sessions: [])
    writer = try SharedDatabase(folder["a"])
    reader = try CaptureReader(path: folder["a"], .standard)
  }

  private static let second: Int64 = 1_000_000_000

  private func run(_ sql: String) throws { try writer.use { try $0.execute(sql: sql) } }

  /// Adds a packet of this number, dated so many seconds.
  private func add(_ number: Int, at seconds: Int, foundStep: Bool = false) throws {
    try run("INSERT INTO packet VALUES (\(number), \(Int64(seconds) * Self.second), 0, 1, x'00')")
    guard foundStep else { return }
    try run(
      """
      INSERT INTO finding (packet, rule, severity, offset, length, text)
      VALUES (\(number), 'clock.step', 'warning', 0, 0, '')
      """)
  }

  private func seconds(ofPacket number: Int) throws -> Int64? {
    try reader.time(ofPacket: number).map { $0.nanoseconds / Self.second }
  }

  private var packetsRead: Int { get throws { try reader.read { try reader.clockSteps($0).packetsRead } } }

  @Test("No packet is read before a clock step is found, and each is read once after that")
  func readsOn() throws {
    #expect(try seconds(ofPacket: 10) == 10)
    #expect(try packetsRead == 0)
    try add(11, at: 2, foundStep: true)
    #expect(try seconds(ofPacket: 11) == 11)
    #expect(try packetsRead == 11)
    try add(12, at: 3)
    #expect(try seconds(ofPacket: 12) == 12)
    #expect(try packetsRead == 12)
    try add(13, at: 1, foundStep: true)
    try add(14, at: 2)
    #expect(try [11, 12, 13, 14].map(seconds) == [11, 12, 13, 14])
    #expect(try packetsRead == 14)
    #expect(try seconds(ofPacket: 15) == nil)
  }

  @Test("All packets are read again if the last one that was read has changed or is gone")
  func changedBehindIt() throws {
    try add(11, at: 2, foundStep: true)
    #expect(try seconds(ofPacket: 11) == 11)
    try run("UPDATE packet SET time_ns = \(12 * Self.second) WHERE id = 11")
    #expect(try seconds(ofPacket: 11) == 12)
    try run("DELETE FROM packet WHERE id = 11")
    try add(12, at: 3)
    #expect(try seconds(ofPacket: 12) == 11)
    try run("DELETE FROM finding")
    #expect(try seconds(ofPacket: 12) == 3)
  }
}

import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapStore

@Suite("Messages that are read") struct MessagesReadTests {
  private struct Stopped: Error {}

  private struct Read: Hashable {
    let message: StoredMessage
    let numbers: [StoredNumber]
  }

  private static func read(_ message: StoredMessage, _ numbers: Span<StoredNumber>) -> Read {
    Read(message: message, numbers: numbers.indices.map { numbers[$0] })
  }

  /// The number of a pose and the strength of a haptic, as a reader asks for them.
  private static func wanted() throws -> WantedNumbers {
    var wanted = WantedNumbers()
    let (seq, intensity) = (
      try #require(MessageKind.pose.layout["seq"]), try #require(MessageKind.haptic.layout["intensity"])
    )
    #expect(wanted.add([seq], of: .pose) == [0])
    #expect(wanted.add([intensity], of: .haptic) == [0])
    #expect(wanted.add([try #require(MessageKind.pose.layout["timestamp_us"]), seq], of: .pose) == [1, 0])
    return wanted
  }

  @Test("Messages have the numbers of the wanted fields of their own tables")
  func haveTheNumbersInTheWantedFieldsOfTheirOwnTables() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let reader = try CaptureReader(path: folder["a"], .standard)
    var all: [Read] = []
    try reader.forEachMessage(reading: Self.wanted()) { all.append(Self.read($0, $1)) }
    #expect(all.map(\.message.id) == Array(1...all.count))
    let poses = all.filter { $0.message.kind == .pose }
    #expect(poses.first?.numbers == [.whole(65_300), .whole(0)])
    #expect(poses.last?.numbers.first == .whole((65_300 + 469) % 65_536))
    #expect(all.first { $0.message.kind == .hello }?.numbers == [])
    #expect(
      all.filter { $0.message.kind == .haptic }.allSatisfy { if case .real = $0.numbers.first { true } else { false } })
    // A part of them is at its own index in every table.
    let part = 200...300
    var some: [Read] = []
    try reader.forEachMessage(in: part, reading: Self.wanted()) { some.append(Self.read($0, $1)) }
    #expect(some == all.filter { part.contains($0.message.id) })
  }

  @Test("Reading ahead with several threads gives the same messages in the same order")
  func aheadBySeveralThreadsAreTheSameInTheSameOrder() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    let reader = try CaptureReader(path: folder["a"], .standard)
    var all: [Read] = []
    try reader.forEachMessage(reading: Self.wanted()) { all.append(Self.read($0, $1)) }
    for portion in [1, 7, 100, 5_000] {
      var ahead: [Read] = []
      try reader.forEachMessageReadAhead(Self.wanted(), from: 1, portion: portion) { ahead.append(Self.read($0, $1)) }
      #expect(ahead == all, "portions of \(portion)")
      // A consumer may stop early: the reading threads end with it.
      var count = 0
      #expect(throws: Stopped.self) {
        try reader.forEachMessageReadAhead(Self.wanted(), from: 1, portion: portion) { _, _ in
          count += 1
          if count == 20 { throw Stopped() }
        }
      }
    }
  }

  @Test("Reading ahead allows ids that are far apart, and reports an error in one of them")
  func aheadMayHaveNumbersThatAreFarApartAndWhatIsWrongWithOneIsTold() throws {
    let folder = try Folder()
    try Example().import(to: folder["a"], .test)
    try alter(folder["a"], "UPDATE message SET id = 9000000000000000000 WHERE id = (SELECT MAX(id) FROM message)")
    let reader = try CaptureReader(path: folder["a"], .standard)
    var ids: [Int] = []
    try reader.forEachMessageReadAhead(WantedNumbers(), from: 1, portion: 64) { message, _ in ids.append(message.id) }
    #expect(ids.last == 9_000_000_000_000_000_000 && ids.count > 500)
    try alter(folder["a"], "UPDATE message SET kind_code = 4711 WHERE id = 300")
    #expect(throws: StoreError.self) {
      try reader.forEachMessageReadAhead(WantedNumbers(), from: 1, portion: 64) { _, _ in }
    }
  }

  @Test("The messages of each interface are counted")
  func ofSeveralInterfacesAreCountedByEach() throws {
    let folder = try Folder()
    let example = try Example()
    try example.import(to: folder["a"], .test)
    try alter(
      folder["a"],
      "INSERT INTO interface SELECT 1, 'other', link_type, snap_length, ticks_per_second, '' FROM interface")
    try alter(folder["a"], "UPDATE packet SET interface = 1 WHERE id <= 10")
    let summary = try CaptureReader(path: folder["a"], .standard).summary()
    #expect(summary.interfaces.map(\.packets) == [example.pieces.count - 10, 10])
    #expect(summary.packets == example.pieces.count && summary.span?.lowerBound == example.pieces.first?.time)
  }
}

import TelecapImpairment
import TelecapRecording
import TelecapTransport
import Testing

/// Packets go through the feed and the schedule in the order of their due times, however many they are.
@Suite struct ReplayFeedTests {
  private struct Broken: Error {}

  /// A packet's bytes: its number, so that nobody can mistake it for another.
  private static func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  private static func unit(_ number: Int) -> ReplayUnit {
    ReplayUnit(packet: number, time: Timestamp(nanoseconds: Int64(number)), flow: 0, carrier: .udp)
  }

  /// Every seventh packet is dropped, every fifth comes twice, and all come up to 3,000 packets late.
  private static func line(_ number: Int) -> PlanLine {
    if number % 7 == 0 { return .drop(number, by: .loss) }
    let late = Int64(number &* 7919 % 3000)
    let due = Int64(number) + late
    return .deliver(number, due: number % 5 == 0 ? InlineList(due, due + 100) : InlineList(due))
  }

  @Test("Ten thousand packets come in the order of their due times")
  func tenThousandPacketsComeInTheOrderOfTheirDueTimes() throws {
    let count = 10_000
    var seen: [(due: Int64, number: Int)] = []
    try ReplayFeed.run { writer in
      for number in 1...count {
        try writer.add(Self.unit(number), pieces: [], Self.bytes(number).span.bytes)
        // Lines come in groups, as they do from a planner that holds packets back.
        guard number % 1_000 == 0 else { continue }
        for late in number - 999...number { writer.add(Self.line(late), sentAt: Int64(late)) }
      }
    } sending: { feed in
      try VirtualReplay.list(feed) { due, packet, pieces, bytes in
        #expect(bytes.withUnsafeBytes { Array($0) } == Self.bytes(packet.number))
        #expect(pieces.isEmpty)
        #expect(packet.sentAt == Int64(packet.number))
        seen.append((due, packet.number))
      }
    }
    let expected = (1...count).flatMap { number in Self.line(number).due.map { (due: $0, number: number) } }
      .sorted { ($0.due, $0.number) < ($1.due, $1.number) }
    #expect(seen.map(\.number) == expected.map(\.number))
    #expect(seen.map(\.due) == expected.map(\.due))
  }

  @Test("An error of the reader comes after everything that it had read")
  func anErrorOfTheReaderComesBehindAllThatItHadRead() throws {
    var seen = 0
    #expect(throws: Broken.self) {
      try ReplayFeed.run { writer in
        for number in 1...2_000 {
          try writer.add(Self.unit(number), pieces: [], Self.bytes(number).span.bytes)
          writer.add(.deliver(number, due: InlineList(Int64(number))), sentAt: Int64(number))
        }
        throw Broken()
      } sending: { feed in
        try VirtualReplay.list(feed) { _, _, _, _ in seen += 1 }
      }
    }
    // The last chunk was not full when the reader gave up.
    #expect(seen == 2_000 / 512 * 512)
  }

  @Test("A failed sender ends a reader that would go on for ever", .timeLimit(.minutes(10)))
  func aSenderThatGivesUpEndsAReaderThatWouldGoOnForEver() throws {
    #expect(throws: Broken.self) {
      try ReplayFeed.run { writer in
        var number = 0
        while true {
          number += 1
          try writer.add(Self.unit(number), pieces: [], Self.bytes(number).span.bytes)
          writer.add(.deliver(number, due: InlineList(0)), sentAt: 0)
        }
      } sending: { feed in
        try VirtualReplay.list(feed) { _, packet, _, _ in if packet.number == 100 { throw Broken() } }
      }
    }
  }

  @Test("Flipped bits are those that the plan names")
  func flippedBitsAreThoseThatThePlanNames() throws {
    var seen: [[UInt8]] = []
    try ReplayFeed.run { writer in
      try writer.add(Self.unit(1), pieces: [], [UInt8]([0, 0]).span.bytes)
      writer.add(.deliver(1, due: InlineList(0), flips: InlineList(0, 15)), sentAt: 0)
      try writer.add(Self.unit(2), pieces: [], [UInt8]([0, 0]).span.bytes)
      writer.add(.deliver(2, due: InlineList(1), flips: InlineList(999)), sentAt: 1)
    } sending: { feed in
      try VirtualReplay.list(feed) { _, _, _, bytes in seen.append(bytes.withUnsafeBytes { Array($0) }) }
    }
    #expect(seen == [[0x80, 0x01], [0, 0]])
  }
}

import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapConformance

/// The streams of a client of a declared protocol that closes its session by itself: its numbers.
@Suite("The streams of a declared client that leaves by itself") struct DeclaredLeaveTests {
  private enum Line {
    case sent(String)
    case got(String)
    case shows(UInt64, Double)
  }

  /// Whether a run fails a rule on what the client applies; times in ms. The client may take 50 ms.
  private func failed(_ lines: [Int64: Line]) throws -> Bool {
    let owner = try ProtocolFile.read(DeclaredSendingTests.lamp, file: "lamp.yaml")
    let streams = JudgedStream.declared(by: owner, received: .client, over: .udp)
    #expect(streams.map(\.rules.name) == ["state"])
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    var log = RunLog(shows: [.tellings], settle: 50_000_000)
    for (at, line) in lines.sorted(by: { $0.key < $1.key }) {
      switch line {
      case .sent(let hex):
        log.note(.replied(try #require(Hex.bytes(hex)), to: "host", over: .udp), at: time(at))
      case .got(let hex):
        let bytes = try #require(Hex.bytes(hex))
        log.note(.delivered(bytes, packet: Int(at), from: "host", over: .udp, sentAt: time(at)), at: time(at))
      case .shows(let number, let level):
        let applied = AppliedValue(stream: "state", key: [], number: number, values: [level])
        log.note(.event(.applied(applied)), at: time(at))
      }
    }
    log.end = time(5_000)
    let oracle = StreamJudging(streams, of: owner).read(DecodedLog(log, owner)).oracle
    return oracle.results.contains { $0.verdict == .fail }
  }

  /// STATE with a number and a level.
  private static func state(_ number: UInt8, _ level: Float) -> Line {
    .got(
      "4c5005" + Hex.text([number]) + Hex.text((0..<4).map { UInt8(truncatingIfNeeded: level.bitPattern >> ($0 * 8)) }))
  }

  private static let leave: [Int64: Line] = [
    100: .sent("4c500107000000"), 101: .got("4c5002"), 2_000: .sent("4c500307000000"), 2_200: .sent("4c500108000000"),
    2_201: .got("4c5002"),
  ]

  private func numbered(_ lines: [Int64: Line]) throws -> Bool {
    let before: [Int64: Line] = [1_000: Self.state(200, 0.5), 1_005: .shows(200, 0.5)]
    return try failed(Self.leave.merging(before) { $1 }.merging(lines) { $1 })
  }

  @Test("A value before the client leaves must be applied, and one between two sessions may be")
  func between() throws {
    #expect(try !numbered([2_100: Self.state(201, 0)]))
    #expect(try !numbered([2_100: Self.state(201, 0.25), 2_105: .shows(201, 0.25)]))
    #expect(try numbered([1_899: Self.state(201, 0)]))
    #expect(try !numbered([1_900: Self.state(201, 0)]))
  }

  @Test("In the next session numbers restart or go on, and the newest value is applied")
  func next() throws {
    for number in [1, 201] as [UInt8] {
      #expect(try !numbered([3_000: Self.state(number, 0.25), 3_005: .shows(UInt64(number), 0.25)]))
      #expect(try numbered([3_000: Self.state(number, 0.25)]))
    }
    // One that came as the session began may have been dropped; the one after it not.
    #expect(try !numbered([2_250: Self.state(5, 1), 3_000: Self.state(6, 0.25), 3_005: .shows(6, 0.25)]))
    #expect(try !numbered([2_250: Self.state(5, 1), 3_000: Self.state(4, 0.25), 3_005: .shows(4, 0.25)]))
    #expect(
      try numbered([2_250: Self.state(5, 1), 2_255: .shows(5, 1), 3_000: Self.state(4, 0.25), 3_005: .shows(4, 0.25)]))
    #expect(try numbered([2_251: Self.state(5, 1), 3_000: Self.state(6, 0.25), 3_005: .shows(6, 0.25)]))
  }
}

import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapConformance

/// The values that a phone applies are tested within its sessions; from the time at which it leaves one until it has
/// settled in the next, no particular value is required.
@Suite("The stream of a phone that leaves by itself") struct OwnLeaveStreamTests {
  private enum Line {
    case sent(Message)
    case got(Message, sentAt: Int64? = nil)
    case shows(Float)
    case opened
    case disconnected
  }

  /// Which requirements on haptics a run fails; times in ms. The phone may take 80 ms, but in virtual time.
  private func failed(_ lines: [Int64: Line], over carrier: Carrier = .udp, settle: Int64 = 80) -> Set<String> {
    func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    func bytes(_ message: Message) -> [UInt8] { carrier == .tcp ? framed(message.bytes) : message.bytes }
    var log = RunLog(shows: [.strength], settle: settle * 1_000_000)
    for (at, line) in lines.sorted(by: { $0.key < $1.key }) {
      switch line {
      case .sent(let message): log.note(.replied(bytes(message), to: "host", over: carrier), at: time(at))
      case .got(let message, let sentAt):
        log.note(
          .delivered(bytes(message), packet: Int(at), from: "host", over: carrier, sentAt: time(sentAt ?? at)),
          at: time(at))
      case .shows(let strength): log.note(.event(.hapticApplied(strength)), at: time(at))
      case .opened: log.note(.opened("host"), at: time(at))
      case .disconnected: log.note(.disconnected("host"), at: time(at))
      }
    }
    log.end = time(3_900)
    let decoded = DecodedLog(log, Tele.wire)
    return TelecapConformanceTests.failed(StreamJudging([.haptic]).read(decoded).oracle)
  }

  private static func hello(_ id: UInt32) throws -> Message { try Typed<Hello>(sessionID: id, code: "ABC123").message }
  private static func haptic(_ intensity: Float) throws -> Message {
    var haptic = Typed<Haptic>()
    haptic[Haptic.fields.intensity] = intensity
    return haptic.message
  }

  /// A session from 0.1 s on with a motor at 0.5, which the phone leaves at 2 s, and the next one from 2.201 s on.
  private func lines(_ more: [Int64: Line] = [:], without: Set<Int64> = []) throws -> [Int64: Line] {
    let usual: [Int64: Line] = [
      100: .sent(try Self.hello(1)), 101: .got(Message.ack(.ok)), 1_000: .got(try Self.haptic(0.5)), 1_005: .shows(0.5),
      2_000: .sent(Message.bye(sessionID: 1)), 2_001: .shows(0),
      2_200: .sent(try Self.hello(2)), 2_201: .got(Message.ack(.ok)),
      3_500: .got(try Self.haptic(1)), 3_503: .shows(1),
    ]
    return usual.filter { !without.contains($0.key) }.merging(more) { $1 }
  }

  @Test(
    "A phone that turns its motor off as it leaves, and plays again in its next session, passes"
  )
  func right() throws { #expect(try failed(lines()) == []) }

  @Test("The motor may go off as early as the BYE may have been read late, and no earlier")
  func off() throws {
    #expect(try failed(lines([1_920: .shows(0)], without: [2_001])) == [])
    #expect(try failed(lines([1_919: .shows(0)], without: [2_001])) == .haptic("no-queue"))
    #expect(try failed(lines([1_960: .shows(0)], without: [2_000, 2_001])) == .haptic("no-queue"))
  }

  @Test("A value must be played if the phone had its time for it before it left")
  func owed() throws {
    #expect(try failed(lines([1_839: .got(try Self.haptic(0.75))])) == .haptic("latest-value-wins"))
    for at in [1_840, 1_990] as [Int64] { #expect(try failed(lines([at: .got(try Self.haptic(0.75))])) == []) }
  }

  @Test("Between two sessions a value may be applied or not, but never one beyond its range")
  func between() throws {
    let got: [Int64: Line] = [2_100: .got(try Self.haptic(1.5))]
    #expect(try failed(lines(got)) == [])
    #expect(try failed(lines(got.merging([2_103: .shows(1)]) { $1 })) == [])
    #expect(try failed(lines(got.merging([2_103: .shows(1.5)]) { $1 })) == .haptic("clamp-high"))
  }

  @Test("The rules hold again once the phone has settled in its next session")
  func again() throws {
    let off: Set<Int64> = [3_500, 3_503]
    #expect(try failed(lines([2_280: .got(try Self.haptic(1))], without: off)) == [])
    #expect(try failed(lines([2_281: .got(try Self.haptic(1))], without: off)) == .haptic("latest-value-wins"))
    #expect(try failed(lines(without: [3_503])) == .haptic("latest-value-wins"))
  }

  @Test("A delayed ACK for the session before opens no other session")
  func heldBack() throws {
    let rest: Set<Int64> = [2_201, 3_503]
    #expect(try failed(lines([2_150: .got(Message.ack(.ok), sentAt: 1_500)], without: rest)) == [])
    #expect(try failed(lines([2_250: .got(Message.ack(.ok), sentAt: 2_199)], without: rest)) == [])
    #expect(
      try failed(lines([2_250: .got(Message.ack(.ok), sentAt: 2_200)], without: rest)) == .haptic("latest-value-wins"))
    // It left the one that it had asked for before that was open.
    #expect(
      try failed(
        lines([2_210: .sent(Message.bye(sessionID: 2)), 2_250: .got(Message.ack(.ok), sentAt: 2_200)], without: rest))
        == [])
  }

  @Test("In virtual time no message is late, and a model that leaves must play every value")
  func virtual() throws {
    let exact = try lines([1_000: .got(try Self.haptic(0.5)), 1_001: .shows(0.5)])
    #expect(!failed(exact, settle: 0).isEmpty)
  }

  @Test(
    "Over TCP the end of the connection turns the motor off, and the next one has its own session"
  )
  func tcp() throws {
    func lines(off: Int64, _ more: [Int64: Line] = [:], without: Set<Int64> = []) throws -> [Int64: Line] {
      let usual: [Int64: Line] = [
        90: .opened, 100: .sent(try Self.hello(1)), 101: .got(Message.ackTCP(.ok)), 1_000: .got(try Self.haptic(0.5)),
        1_005: .shows(0.5), off: .shows(0), 2_001: .disconnected, 2_003: .opened, 2_004: .sent(try Self.hello(2)),
        2_005: .got(Message.ackTCP(.ok)), 3_500: .got(try Self.haptic(1)), 3_503: .shows(1),
      ]
      return usual.filter { !without.contains($0.key) }.merging(more) { $1 }
    }
    for bye in [[:], [2_000: .sent(Message.bye(sessionID: 1))]] as [[Int64: Line]] {
      #expect(try failed(lines(off: 2_002, bye), over: .tcp) == [])
      #expect(try failed(lines(off: 1_921, bye), over: .tcp) == [])
      #expect(try failed(lines(off: 1_919, bye), over: .tcp) == .haptic("no-queue"))
      #expect(try failed(lines(off: 2_002, bye, without: [3_503]), over: .tcp) == .haptic("latest-value-wins"))
    }
    // Without a BYE nothing says whose doing the end was: the motor must go off.
    #expect(
      try failed(
        [
          90: .opened, 100: .sent(Self.hello(1)), 101: .got(Message.ackTCP(.ok)),
          1_000: .got(Self.haptic(0.5)), 1_005: .shows(0.5), 2_001: .disconnected,
        ], over: .tcp) == ["tele.session.safe-on-loss"])
  }
}

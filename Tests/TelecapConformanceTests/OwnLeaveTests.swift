import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

/// A phone whose user leaves in the middle of a scenario does not fail, and a phone that stays is tested as before.
@Suite("A phone that leaves by itself") struct OwnLeaveTests {
  private static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }

  /// The result of `conform` for a model whose motor is turned off at a time, and that sends BYE at another, in ms, on
  /// the wall clock or in virtual time.
  private func result(
    off: Int64, bye: Int64?, asked: Int64? = nil, isOnWallClock: Bool = true
  ) throws -> CaseResult {
    let scenario = try ScenarioFiles.read("tele/haptic/channel-ignored.yaml")
    let script = scenario.script(for: scenario.cases()[0])
    var log = try ModelSystem(parsing: "model:phone", in: .all).runNow(script)
    if isOnWallClock { (log.lateness, log.settle) = (5_000_000, 80_000_000) }
    log.left = asked.map(Self.time)
    log.note(.event(.hapticApplied(0)), at: Self.time(off))
    if let bye {
      log.note(.replied(Message.bye(sessionID: 1).bytes, to: "host", over: .udp), at: Self.time(bye))
    }
    log.entries.sort { $0.time < $1.time }
    return Judge.judge(log, script, of: scenario.cases()[0], in: scenario)
  }

  @Test("Values after the phone's BYE are inconclusive, also if the BYE is read a little later")
  func leaves() throws {
    for bye in [1_500, 1_590, 1_680] as [Int64] {
      let result = try result(off: 1_600, bye: bye)
      #expect(result.verdict == .inconclusive, "\(bye): \(result.breaches)")
      #expect(result.reason.contains("closed its session by BYE at 1.\(bye - 1_000)"), "\(result.reason)")
    }
  }

  @Test("Values before a BYE, or without one, are tested; so are a requested BYE and every model")
  func stays() throws {
    #expect(try result(off: 1_600, bye: nil).verdict == .fail)
    #expect(try result(off: 1_600, bye: 1_681).verdict == .fail)
    #expect(try result(off: 1_600, bye: 1_500, asked: 1_400).verdict == .fail)
    #expect(try result(off: 1_600, bye: 1_500, isOnWallClock: false).verdict == .fail)
  }
}

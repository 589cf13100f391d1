import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import Testing

@testable import TelecapTransport

/// telecap that is stopped in a run, or on a machine that sleeps, blames nobody for what breaks then.
@Suite("A stop of telecap itself") struct StandstillTests {
  private static func result(lateness: Nanoseconds) throws -> CaseResult {
    let scenario = try Programs.scenario("- { at: 0s, send: HELLO, answer: OK }", end: 300_000_000)
    let script = scenario.script(for: Case())
    var log = RunLog(shows: [])
    log.end = script.end
    log.note(.broke("it exited with status 1"), at: log.end)
    log.note(lateness: RunLateness(woke: lateness))
    return Judge.judge(log, script, of: Case(), in: scenario)
  }

  @Test("A program that ended while telecap was stopped gives an inconclusive result, to be run again")
  func stopped() throws {
    let result = try Self.result(lateness: 10_000_000_000)
    #expect(result.verdict == .inconclusive && !result.isBroken && result.isTooLate)
    #expect(result.reason.contains("10000 ms late"))
  }

  @Test("A program that ended while telecap ran fails, on a busy machine too", arguments: [0, 60_000_000, 999_000_000])
  func ran(_ lateness: Nanoseconds) throws {
    let result = try Self.result(lateness: lateness)
    #expect(result.verdict == .fail && result.isBroken)
  }

  @Test("The time in which telecap was stopped does not count against a program's readiness limit")
  func deadline() {
    var deadline = AwakeDeadline(start: 0, limit: 2_000_000_000)
    let second: Nanoseconds = 1_000_000_000
    var times = [second / 2, 10 * second] + (1...14).map { 10 * second + Int64($0) * second / 10 }
    times.append(10 * second + second * 15 / 10)
    let isOver = times.map { deadline.isOver(at: $0) }
    #expect(isOver.dropLast().allSatisfy { !$0 } && isOver.last == true)
  }
}

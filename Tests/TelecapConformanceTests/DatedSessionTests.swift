import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// A session begins with the HELLO that asked for it, though the host tells of it later.
@Suite struct DatedSessionTests {
  /// A run over sockets: HELLO, a pose before the host has answered, its answer; later BYE and a pose after it.
  private func log(showing aspects: Set<Aspect>, laterPose: Bool) throws -> RunLog {
    var log = RunLog(shows: aspects, settle: 50_000_000)
    let end = Endpoint(.loopback, port: 40_000)
    log.peers["a"] = end
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    func deliver(_ bytes: [UInt8], _ milliseconds: Int64, packet: Int) {
      log.note(
        .delivered(bytes, packet: packet, from: "a", over: .udp, sentAt: at(milliseconds)), at: at(milliseconds))
    }
    let hello = try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes
    deliver(hello, 0, packet: 1)
    deliver(try pose(1), 1, packet: 2)
    log.note(.replied(try Message(.ack, fields: [:]).bytes, to: "a", over: .udp), at: at(2))
    if aspects.contains(.sessions) { log.note(.event(.sessionOpened(end, sessionID: 7)), at: at(3)) }
    log.note(.event(.poseApplied(PoseSample(seq: 1))), at: at(4))
    if laterPose {
      deliver(Message.bye(sessionID: 7).bytes, 500, packet: 3)
      deliver(try pose(2), 501, packet: 4)
    }
    log.end = at(1_000)
    return log
  }

  private func pose(_ seq: UInt64) throws -> [UInt8] {
    try Message(.pose, fields: ["seq": .unsigned(seq), "qw": .float(1)]).bytes
  }

  private func judged(_ log: RunLog) throws -> CaseResult {
    let path = "tele/pose/latest-value-wins.yaml"
    let scenario = try Scenario(
      "# Poses.\nrequirement: tele.pose.latest-value-wins\nrole: host\n", path: path, file: path, suites: .all)
    return Judge.judge(log, scenario.script(for: Case()), of: Case(), in: scenario)
  }

  @Test(arguments: [[.poses, .sessions], [.poses]] as [Set<Aspect>])
  func aPoseBetweenHelloAndItsAnswerBelongsToTheSession(_ shows: Set<Aspect>) throws {
    let result = try judged(try log(showing: shows, laterPose: false))
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  @Test func aPoseAfterByeIsNotWaitedForWhereOnlyTheWireShowsTheEnd() throws {
    let result = try judged(try log(showing: [.poses], laterPose: true))
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  @Test func aPoseThatWasNeverSentIsStillCaught() throws {
    var log = try log(showing: [.poses, .sessions], laterPose: false)
    log.note(.event(.poseApplied(PoseSample(seq: 9))), at: Timestamp(nanoseconds: 900_000_000))
    #expect(try judged(log).verdict == .fail)
  }
}

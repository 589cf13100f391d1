@testable import TelecapConformance
import TelecapImpairment
import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

/// A session begins with the HELLO that asked for it, though the host reports it later.
@Suite struct DatedSessionTests {
  /// A run over sockets: HELLO, a pose before the host has answered, its answer; later BYE and a pose after it.
  private func log(showing aspects: Set<Observable>, laterPose: Bool) throws -> RunLog {
    var log = RunLog(shows: aspects, settle: 50_000_000)
    let end = Endpoint(.loopback, port: 40_000)
    log.peers.put("a", at: end)
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

  @Test(
    "A pose between HELLO and its answer belongs to the session",
    arguments: [[.poses, .sessions], [.poses]] as [Set<Observable>])
  func aPoseBetweenHelloAndItsAnswerBelongsToTheSession(_ shows: Set<Observable>) throws {
    let result = try judged(try log(showing: shows, laterPose: false))
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  @Test("A pose after BYE is not expected if only the traffic shows the end")
  func aPoseAfterByeIsNotWaitedForWhereOnlyTheWireShowsTheEnd() throws {
    let result = try judged(try log(showing: [.poses], laterPose: true))
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  /// A BYE whose magic is damaged ends no session: the pose after it is applied.
  @Test("A damaged BYE ends no session if only the traffic shows the end")
  func aDamagedByeEndsNoSessionWhereOnlyTheWireShowsTheEnd() throws {
    var log = try log(showing: [.poses], laterPose: false)
    var bye = Message.bye(sessionID: 7).bytes
    bye[3] ^= 0xff
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    log.note(.delivered(bye, packet: 3, from: "a", over: .udp, sentAt: at(500)), at: at(500))
    log.note(.delivered(try pose(2), packet: 4, from: "a", over: .udp, sentAt: at(501)), at: at(501))
    #expect(try judged(log).verdict == .fail)
    log.note(.event(.poseApplied(PoseSample(seq: 2))), at: at(503))
    let result = try judged(log)
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  /// Over TCP a host that reports no session: half a HELLO on a first connection, all of it on the next, and a pose;
  /// then the connection ends, and on a third one comes a pose without a HELLO.
  private func overTCP() throws -> RunLog {
    var log = RunLog(shows: [.poses], settle: 50_000_000)
    log.peers.put("a", at: phoneEnd)
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    func deliver(_ bytes: [UInt8], _ milliseconds: Int64, packet: Int) {
      log.note(
        .delivered(bytes, packet: packet, from: "a", over: .tcp, sentAt: at(milliseconds)), at: at(milliseconds))
    }
    let hello = framed(try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes)
    log.note(.opened("a"), at: at(0))
    deliver(Array(hello.prefix(9)), 1, packet: 1)
    log.note(.disconnected("a"), at: at(100))
    log.note(.opened("a"), at: at(200))
    deliver(hello, 201, packet: 2)
    log.note(.replied(Array(framed(Message.ackTCP(.ok).bytes).prefix(5)), to: "a", over: .tcp), at: at(150))
    log.note(.replied(framed(Message.ackTCP(.ok).bytes), to: "a", over: .tcp), at: at(202))
    deliver(framed(try pose(1)), 300, packet: 3)
    log.note(.event(.poseApplied(PoseSample(seq: 1))), at: at(301))
    log.note(.closed("a"), at: at(400))
    log.note(.opened("a"), at: at(500))
    deliver(framed(try pose(2)), 501, packet: 4)
    log.end = at(1_000)
    log.entries.sort { $0.time < $1.time }
    return log
  }

  @Test("A connection begins and ends its session")
  func aConnectionBeginsAndEndsItsSession() throws {
    let result = try judged(try overTCP())
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
    // A pose that was applied after the session's end would belong to no session.
    var log = try overTCP()
    log.note(.event(.poseApplied(PoseSample(seq: 2))), at: Timestamp(nanoseconds: 502_000_000))
    #expect(try judged(log).verdict == .fail)
  }

  /// A client that connects again comes from another port; the host reports each session with its port.
  private func reconnecting(_ ports: [UInt16]) throws -> RunLog {
    var log = RunLog(shows: [.poses, .sessions], settle: 50_000_000)
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    for (index, port) in ports.enumerated() {
      let begin = Int64(index) * 1_000
      let end = Endpoint(.loopback, port: port)
      log.peers.put("a", at: end, since: at(begin))
      log.note(.opened("a"), at: at(begin))
      let hello = try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes
      let frames = [framed(hello), framed(try pose(UInt64(index + 1)))]
      for (step, frame) in frames.enumerated() {
        let time = at(begin + 1 + 2 * Int64(step))
        log.note(.delivered(frame, packet: 2 * index + step, from: "a", over: .tcp, sentAt: time), at: time)
      }
      log.note(.event(.sessionOpened(end, sessionID: 7)), at: at(begin + 2))
      log.note(.event(.poseApplied(PoseSample(seq: UInt16(index + 1)))), at: at(begin + 4))
      log.note(.closed("a"), at: at(begin + 500))
      log.note(.event(.sessionClosed(end, sessionID: 7, .disconnected)), at: at(begin + 501))
    }
    log.end = at(5_000)
    log.entries.sort { $0.time < $1.time }
    return log
  }

  /// HELLO and a pose in one piece: the session has begun when the pose comes.
  @Test("A pose in the same piece as its HELLO belongs to the session", arguments: [1, 2] as [UInt16])
  func aPoseInTheSamePieceAsItsHelloBelongsToTheSession(_ shown: UInt16) throws {
    var log = RunLog(shows: [.poses, .sessions], settle: 50_000_000)
    log.peers.put("a", at: phoneEnd)
    log.note(.opened("a"), at: .zero)
    let hello = try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes
    let bytes = framed(hello) + framed(try pose(1)) + framed(try pose(2)).prefix(9)
    log.note(.delivered(Array(bytes), packet: 1, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    log.note(.event(.sessionOpened(phoneEnd, sessionID: 7)), at: Timestamp(nanoseconds: 1_000_000))
    log.note(.event(.poseApplied(PoseSample(seq: shown))), at: Timestamp(nanoseconds: 2_000_000))
    log.end = Timestamp(nanoseconds: 1_000_000_000)
    #expect(try judged(log).verdict == (shown == 1 ? .pass : .fail))
  }

  /// One segment with two HELLOs, each of which a pose follows; the host shows these sequence numbers, with its reports
  /// of the sessions after the first.
  private func twoSessions(showing numbers: [UInt16], settle: Nanoseconds = 50_000_000) throws -> RunLog {
    var log = RunLog(shows: [.poses, .sessions], settle: settle)
    log.peers.put("a", at: phoneEnd)
    log.note(.opened("a"), at: .zero)
    func hello(_ id: UInt64) throws -> [UInt8] {
      framed(try Message(.hello, fields: ["session_id": .unsigned(id), "code": .text("ABC123")]).bytes)
    }
    let bytes = try hello(7) + framed(try pose(5)) + hello(8) + framed(try pose(1))
    log.note(.delivered(bytes, packet: 1, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    var events: [PeerEvent] = [.sessionOpened(phoneEnd, sessionID: 7)] + numbers.prefix(1).map(applied)
    events += [.sessionClosed(phoneEnd, sessionID: 7, .replaced), .sessionOpened(phoneEnd, sessionID: 8)]
    for event in events + numbers.dropFirst().map(applied) {
      log.note(.event(event), at: settle > 0 ? Timestamp(nanoseconds: 1_000_000) : .zero)
    }
    log.end = Timestamp(nanoseconds: 1_000_000_000)
    return log
  }

  private func applied(_ number: UInt16) -> PeerEvent { .poseApplied(PoseSample(seq: number)) }

  @Test("Two sessions in one segment, each with a pose", arguments: [0, 50_000_000] as [Nanoseconds])
  func twoSessionsInOneSegment(_ settle: Nanoseconds) throws {
    func verdict(_ numbers: [UInt16]) throws -> Verdict {
      try judged(try twoSessions(showing: numbers, settle: settle)).verdict
    }
    #expect(try verdict([5, 1]) == .pass)
    // The first session's pose twice, one that nobody sent, and none of the second session.
    #expect(try verdict([5, 5, 1]) == .fail)
    #expect(try verdict([5, 1, 5]) == .fail)
    #expect(try verdict([9, 1]) == .fail)
    #expect(try verdict([5]) == .fail)
  }

  /// HELLO and BYE, in one segment or two, before the host's answer: no pose is applied after them.
  @Test("A session that ends before it is answered has ended", arguments: [true, false])
  func endsBeforeItsAnswer(_ isOnePiece: Bool) throws {
    func log(applies: Bool) throws -> RunLog {
      var log = RunLog(shows: [.poses], settle: 50_000_000)
      log.peers.put("a", at: phoneEnd)
      func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
      func deliver(_ bytes: [UInt8], _ milliseconds: Int64) {
        log.note(.delivered(bytes, packet: 1, from: "a", over: .tcp, sentAt: at(milliseconds)), at: at(milliseconds))
      }
      log.note(.opened("a"), at: .zero)
      let hello = framed(try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes)
      let first = hello + framed(try pose(1))
      let bye = framed(Message.bye(sessionID: 7).bytes)
      for bytes in isOnePiece ? [first + bye] : [first, bye] { deliver(bytes, 0) }
      log.note(.replied(framed(Message.ackTCP(.ok).bytes), to: "a", over: .tcp), at: at(2))
      log.note(.event(applied(1)), at: at(3))
      deliver(framed(try pose(2)), 200)
      if applies { log.note(.event(applied(2)), at: at(201)) }
      log.end = at(1_000)
      return log
    }
    // The pose before BYE may be applied or not.
    #expect(try judged(try log(applies: false)).verdict == .inconclusive)
    #expect(try judged(try log(applies: true)).verdict == .fail)
  }

  @Test("Thousands of sessions in one segment are judged")
  func thousandsAtOnce() throws {
    var log = RunLog(shows: [.poses, .sessions], settle: 0)
    log.peers.put("a", at: phoneEnd)
    log.note(.opened("a"), at: .zero)
    let ids = 1...4_000 as ClosedRange<UInt32>
    // Each session has an older number than the one before.
    func number(_ id: UInt32) -> UInt16 { UInt16(5_000 - id) }
    var bytes: [UInt8] = []
    for id in ids {
      bytes += framed(
        try Message(.hello, fields: ["session_id": .unsigned(UInt64(id)), "code": .text("ABC123")]).bytes)
      bytes += framed(try pose(UInt64(number(id))))
    }
    log.note(.delivered(bytes, packet: 1, from: "a", over: .tcp, sentAt: .zero), at: .zero)
    for id in ids {
      log.note(.event(.sessionOpened(phoneEnd, sessionID: id)), at: .zero)
      log.note(.event(applied(number(id))), at: .zero)
      if id < ids.upperBound { log.note(.event(.sessionClosed(phoneEnd, sessionID: id, .replaced)), at: .zero) }
    }
    log.end = Timestamp(nanoseconds: 1_000_000_000)
    let result = try judged(log)
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
    // The pose of the first session, when none may be shown any more.
    log.note(.event(applied(number(1))), at: Timestamp(nanoseconds: 1_000))
    #expect(try judged(log).verdict == .fail)
  }

  /// A host may open a session again without a request, on its own: it is dated at its report.
  @Test("A session that is reported again after its end begins there")
  func reportedAgain() throws {
    var log = RunLog(shows: [.poses, .sessions], settle: 50_000_000)
    log.peers.put("a", at: phoneEnd)
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    func deliver(_ bytes: [UInt8], _ milliseconds: Int64) {
      log.note(.delivered(framed(bytes), packet: 1, from: "a", over: .tcp, sentAt: .zero), at: at(milliseconds))
    }
    log.note(.opened("a"), at: .zero)
    deliver(try Message(.hello, fields: ["session_id": .unsigned(7), "code": .text("ABC123")]).bytes, 0)
    log.note(.event(.sessionOpened(phoneEnd, sessionID: 7)), at: at(1))
    log.note(.event(.sessionClosed(phoneEnd, sessionID: 7, .timeout)), at: at(100))
    deliver(try pose(1), 200)
    log.note(.event(.sessionOpened(phoneEnd, sessionID: 7)), at: at(300))
    deliver(try pose(2), 400)
    log.note(.event(applied(2)), at: at(401))
    log.end = at(1_000)
    let result = try judged(log)
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
  }

  @Test("A pose of the session before is right only until the receiver has settled")
  func poseOfTheSessionBefore() throws {
    for (milliseconds, verdict) in [(49, Verdict.pass), (51, .fail)] as [(Int64, Verdict)] {
      var log = try twoSessions(showing: [])
      log.note(.event(applied(1)), at: Timestamp(nanoseconds: 2_000_000))
      log.note(.event(applied(5)), at: Timestamp(nanoseconds: milliseconds * 1_000_000))
      #expect(try judged(log).verdict == verdict, "\(milliseconds) ms")
    }
  }

  @Test("A client that connects again from another port is the same client")
  func whoConnectsAgainIsTheSameFromAnotherPort() throws {
    let log = try reconnecting([4_001, 4_002, 4_003])
    let result = try judged(log)
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")
    #expect(result.measures.fidelity.applied == 3)
    // The first one's pose is not applied: that is seen, though the client has been elsewhere since.
    var wrong = log
    wrong.entries.removeAll { if case .event(let event) = $0.what { event.appliedPose?.seq == 1 } else { false } }
    #expect(try judged(wrong).verdict == .fail)
  }

  @Test("Half an answer on one connection does not begin the answer on the next")
  func halfAnAnswerOfOneConnectionIsNoBeginningOfTheNextOnes() throws {
    var log = RunLog(shows: [])
    let frame = framed(Message.ackTCP(.ok).bytes)
    for (what, milliseconds) in [
      (.replied(Array(frame.prefix(5)), to: "a", over: .tcp), 1), (.disconnected("a"), 2), (.opened("a"), 3),
      (.replied(frame, to: "a", over: .tcp), 4),
    ] as [(RunLog.What, Int64)] {
      log.note(what, at: Timestamp(nanoseconds: milliseconds * 1_000_000))
    }
    let path = "tele/pose/latest-value-wins.yaml"
    let scenario = try Scenario(
      "# Poses.\nrequirement: tele.pose.latest-value-wins\nrole: host\n", path: path, file: path, suites: .all)
    let replies = JudgedRun(log, scenario.script(for: Case()), scenario).replies
    #expect(replies.map(\.isValid) == [true] && replies.first?.kind == .ackTCP)
  }

  @Test("A pose that was never sent is still caught")
  func aPoseThatWasNeverSentIsStillCaught() throws {
    var log = try log(showing: [.poses, .sessions], laterPose: false)
    log.note(.event(.poseApplied(PoseSample(seq: 9))), at: Timestamp(nanoseconds: 900_000_000))
    #expect(try judged(log).verdict == .fail)
  }
}

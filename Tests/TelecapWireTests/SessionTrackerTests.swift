import TelecapMouse
import TelecapRecording
import TelecapTele
@testable import TelecapWire
import Testing

/// Sessions of a phone and a host, message by message; times in seconds.
@Suite struct SessionTrackerTests {
  typealias Answer = Conversation.Answer

  @Test("HELLO, ACK, POSE, HAPTIC and BYE are one session, without findings")
  func wholeStory() {
    var story = Conversation()
    #expect(story.phone(.hello(7), at: 0) == Answer(session: 0, findings: []), "no session yet")
    #expect(story.host(.ack(.ok), at: 0.01) == Answer(session: 1, findings: []))
    #expect(story.phone(.pose(1), at: 0.02) == Answer(session: 1, findings: []))
    #expect(story.host(.haptic(0.5), at: 0.03) == Answer(session: 1, findings: []))
    #expect(story.phone(.pose(2), at: 0.04) == Answer(session: 1, findings: []))
    #expect(story.phone(.bye(sessionID: 7), at: 0.05) == Answer(session: 1, findings: []), "BYE belongs to it")
    #expect(story.phone(.pose(3), at: 0.06) == Answer(session: 0, findings: []), "closed")
    var expected = Session(
      id: 1, protocolName: "tele", carrier: .udp, client: Conversation.phone, server: Conversation.host, sessionID: 7,
      opened: Timestamp(seconds: 0.01))
    expected.lastSeen = Timestamp(seconds: 0.05)
    expected.end = .bye
    expected.messages = 5
    #expect(story.tracker.sessions == [expected])
    #expect(story.finish(at: 99).isEmpty)
  }

  @Test("An unanswered HELLO is found at the next HELLO")
  func helloWithoutAck() {
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    #expect(story.phone(.hello(7), at: 1).findings == [Finding(.helloWithoutAck, 0..<18, .packet(1))])
    story.host(.ack(.ok), at: 1.01)
    #expect(story.phone(.hello(7), at: 2).findings == [])
  }

  @Test("An unanswered HELLO is found at the end of the capture, if it had a second")
  func helloAtTheEnd() {
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    var tooEarly = story
    #expect(tooEarly.finish(at: 0.999).isEmpty)
    let found = story.finish(at: 1)
    #expect(found.map(\.finding) == [Finding(.helloWithoutAck, 0..<18, .packet(1))])
    #expect(found.map(\.packet) == [1])
    #expect(story.finish(at: 9).isEmpty, "said once")
  }

  @Test(
    "An ACK that rejects opens no session, and answers the HELLO",
    arguments: [AckStatus.busy, .badCode, .versionUnsupported, AckStatus(rawValue: 9)])
  func refused(_ status: AckStatus) {
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    #expect(story.host(.ack(status), at: 0.01) == Answer(session: 0, findings: []))
    #expect(story.tracker.sessions.isEmpty)
    #expect(story.phone(.hello(7), at: 1).findings == [])
  }

  @Test("Only a BYE with the session's own id ends it")
  func whatCloses() {
    func closes(_ message: Message, _ id: UInt64) -> Bool { message.kind.closes(id, in: message.bytes.span.bytes) }
    let bye = Message.bye(sessionID: 7)
    #expect(closes(bye, 7))
    #expect(!closes(bye, 8))
    #expect(!closes(bye, 7 + 1 << 32))
    for message in [Message.hello(7), .pose(7), .ack(.ok)] { #expect(!closes(message, 7), "\(message.kind.name)") }
  }

  @Test("BYE of another session closes nothing")
  func otherBye() {
    var story = opened()
    #expect(story.phone(.bye(sessionID: 8), at: 1) == Answer(session: 1, findings: []))
    #expect(story.tracker.sessions[0].end == .open)
    #expect(story.host(.haptic(1), at: 1.1).findings == [])
  }

  @Test("HAPTIC before ACK and after BYE is outside a session")
  func hapticOutside() {
    let outside = Answer(session: 0, findings: [Finding(.hapticOutsideSession, 0..<12)])
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    #expect(story.host(.haptic(1), at: 0.01) == outside)
    story.host(.ack(.ok), at: 0.02)
    #expect(story.host(.haptic(1), at: 0.03) == Answer(session: 1, findings: []))
    story.phone(.bye(sessionID: 7), at: 0.04)
    #expect(story.host(.haptic(1), at: 0.05) == outside)
  }

  @Test("A session ends after more than 3 s without the phone")
  func silenceOfThePhone() {
    for (seconds, isOver) in [(2.9, false), (3, false), (3.000_000_001, true), (3.5, true)] {
      var story = opened()
      story.phone(.pose(1), at: 1)
      story.host(.ack(.ok), at: 1)
      let answer = story.host(.haptic(1), at: 1 + seconds)
      let silence = Finding(
        .silence, 0..<12, .silence(.haptic, .clientToServer, nanoseconds: Timestamp(seconds: seconds).nanoseconds))
      #expect(
        answer
          == (isOver
            ? Answer(session: 0, findings: [silence, Finding(.hapticOutsideSession, 0..<12)])
            : Answer(session: 1, findings: [])),
        "\(seconds) s")
      #expect(story.tracker.sessions[0].end == (isOver ? .timeout : .open))
      #expect(story.tracker.sessions[0].lastSeen == Timestamp(seconds: isOver ? 1 : 1 + seconds), "the last message")
    }
  }

  @Test("A session without a message for more than 3 s is over when the capture ends", arguments: [4.0, 4.1])
  func silenceUntilTheEnd(_ end: Double) {
    var story = opened()
    story.phone(.pose(1), at: 1)
    _ = story.finish(at: end)
    #expect(story.tracker.sessions[0].end == (end > 4 ? .timeout : .open))
    #expect(story.tracker.sessions[0].lastSeen == Timestamp(seconds: 1))
  }

  @Test("A session ends after 3 s without ACK, even if poses and haptics flow")
  func silenceOfTheHost() {
    var story = opened()
    for tenth in 1...30 {
      #expect(story.phone(.pose(UInt16(tenth)), at: Double(tenth) / 10).session == 1)
      story.host(.haptic(0.1), at: Double(tenth) / 10)
    }
    #expect(
      story.phone(.pose(31), at: 3.1)
        == Answer(
          session: 0,
          findings: [Finding(.silence, 0..<46, .silence(.pose, .serverToClient, nanoseconds: 3_100_000_000))])
    )
    #expect(story.tracker.sessions[0].end == .timeout)
    story.phone(.hello(7), at: 3.2)
    #expect(story.host(.ack(.ok), at: 3.3).session == 2, "the same phone comes back")
  }

  @Test("Over TCP a session lasts as long as its connection, without a timeout")
  func silenceOverTCP() {
    var story = Conversation(over: .tcp)
    story.phone(.hello(7), at: 0)
    story.host(.ackTCP(.ok), at: 0)
    #expect(story.phone(.pose(1), at: 60) == Answer(session: 1, findings: []))
  }

  @Test("A gap, a duplicate and a late pose are found, each with its number and the newest")
  func sequence() {
    var story = opened()
    let answers = [65_534, 1, 1, 65_535, 2].map { story.phone(.pose($0), at: 0.1).findings }
    #expect(
      answers == [
        [], [Finding(.seqGap, 6..<8, .sequence(1, newest: 65_534, missing: 2))],
        [Finding(.seqDuplicate, 6..<8, .sequence(1, newest: 1, missing: 0))],
        [Finding(.seqReordered, 6..<8, .sequence(65_535, newest: 1, missing: 0))], [],
      ])
  }

  @Test("An accepted HELLO with a new session_id replaces the session and restarts seq")
  func newSession() {
    var story = opened()
    story.phone(.pose(500), at: 0.1)
    story.phone(.hello(8), at: 0.2)
    #expect(story.phone(.pose(501), at: 0.25).session == 1, "not before the ACK")
    #expect(story.host(.ack(.ok), at: 0.3) == Answer(session: 2, findings: []))
    #expect(story.phone(.pose(3), at: 0.4) == Answer(session: 2, findings: []))
    #expect(story.tracker.sessions.map(\.end) == [.replaced, .open])
    #expect(story.tracker.sessions.map(\.sessionID) == [7, 8])
    #expect(story.tracker.sessions.map(\.messages) == [4, 2])
  }

  @Test("A repeated HELLO keeps the session, and seq goes on")
  func refreshed() {
    var story = opened()
    story.phone(.pose(1), at: 0.5)
    story.phone(.hello(7), at: 1)
    #expect(story.host(.ack(.ok), at: 1.01).session == 1)
    #expect(story.phone(.pose(3), at: 1.5).findings == [Finding(.seqGap, 6..<8, .sequence(3, newest: 1, missing: 1))])
    #expect(story.tracker.sessions.count == 1)
  }

  @Test("A wrong code within a session leaves it unchanged")
  func wrongCodeInBetween() {
    var story = opened()
    story.phone(.hello(8), at: 1)
    story.host(.ack(.badCode), at: 1.01)
    #expect(story.phone(.pose(1), at: 1.1).session == 1)
    #expect(story.tracker.sessions.map(\.sessionID) == [7])
  }

  @Test("A capture that began within a session learns its id from the next HELLO")
  func captureBeganLate() {
    var story = Conversation()
    #expect(story.host(.ack(.ok), at: 0).session == 1)
    #expect(story.tracker.sessions[0].sessionID == nil)
    story.phone(.hello(7), at: 1)
    #expect(story.host(.ack(.ok), at: 1.01).session == 1)
    #expect(story.tracker.sessions.map(\.sessionID) == [7])
    #expect(story.tracker.sessions.map(\.end) == [.open])
  }

  @Test("Two phones have separate HELLOs, sessions and sequence numbers")
  func twoPhones() {
    var story = Conversation()
    let second = Conversation.secondPhone
    story.phone(.hello(7), at: 0)
    story.phone(.hello(9), at: 0, from: second)
    story.host(.ack(.ok), at: 0.01)
    #expect(story.host(.ack(.busy), at: 0.01, to: second).session == 0)
    #expect(story.phone(.pose(1), at: 0.1) == Answer(session: 1, findings: []))
    #expect(story.phone(.pose(50), at: 0.1, from: second) == Answer(session: 0, findings: []))
    #expect(story.phone(.pose(2), at: 0.2) == Answer(session: 1, findings: []))
    #expect(story.phone(.pose(51), at: 0.2, from: second) == Answer(session: 0, findings: []))
    story.phone(.bye(sessionID: 7), at: 0.3)
    story.phone(.hello(9), at: 1, from: second)
    #expect(story.host(.ack(.ok), at: 1.01, to: second).session == 2)
    #expect(story.tracker.sessions.map(\.client) == [Conversation.phone, second])
  }

  @Test("Invalid messages change nothing, and do not keep a session alive")
  func invalid() {
    var story = opened()
    #expect(story.phone(.pose(9), at: 2, isValid: false) == Answer(session: 0, findings: []))
    #expect(story.phone(.bye(sessionID: 7), at: 2, isValid: false) == Answer(session: 0, findings: []))
    #expect(story.tracker.sessions.map(\.messages) == [1])
    #expect(story.phone(.pose(1), at: 3.5).findings.map(\.rule) == [.silence], "the invalid ones kept nobody alive")
  }

  @Test("Beacons belong to no session")
  func beacons() throws {
    var story = Conversation()
    #expect(try story.host(.beacon(tcpPort: 50_000, name: "x"), at: 0) == Answer(session: 0, findings: []))
    #expect(story.tracker.sessions.isEmpty)
  }

  @Test("A message in the wrong direction is a finding and changes nothing")
  func direction() {
    var story = opened()
    #expect(
      story.host(.pose(1), at: 0.1) == Answer(session: 1, findings: [Finding(.direction, 0..<6, .kind(.pose))]))
    #expect(
      story.phone(.haptic(1), at: 0.1) == Answer(session: 1, findings: [Finding(.direction, 0..<6, .kind(.haptic))]))
    #expect(story.host(.bye(sessionID: 7), at: 0.2).findings == [Finding(.direction, 0..<6, .kind(.bye))])
    #expect(story.tracker.sessions[0].end == .open)
  }

  @Test("BYE of a tcp-v1 host closes; with unknown sides the direction is that of the message")
  func byeOfAHost() {
    var story = Conversation(over: .tcp)
    story.phone(.hello(7), at: 0, direction: .unknown)
    #expect(story.host(.ackTCP(.ok), at: 0.1, direction: .unknown).session == 1)
    #expect(story.tracker.sessions[0].client == Conversation.phone)
    #expect(story.host(.bye(sessionID: 7), at: 0.2) == Answer(session: 1, findings: []))
    #expect(story.tracker.sessions[0].end == .bye)
  }

  @Test("A mouse has a session from its first packet, one for each flow")
  func mouse() {
    var story = Conversation()
    #expect(
      story.phone(.mouseMovement(deltaX: 1, deltaY: 1, buttons: 0), at: 0) == Answer(session: 1, findings: []))
    #expect(
      story.phone(.mouseMovement(deltaX: 1, deltaY: 1, buttons: 0), at: 9) == Answer(session: 1, findings: []))
    story.carrier = .tcp
    #expect(story.phone(.mouseControl(buttons: 1), at: 9).session == 2)
    #expect(story.tracker.sessions.map(\.protocolName) == ["mouse", "mouse"])
    #expect(story.tracker.sessions.map(\.messages) == [2, 1])
  }

  @Test("At the limit of pairs the silent ones are dropped, and a pair left out is reported once")
  func tooManyPairs() {
    func phone(_ port: UInt16) -> Endpoint { Endpoint(IPAddress(v4: 0xc000_020a), port: port) }
    var story = Conversation(tracker: SessionTracker(mostPairs: 2, mostSessions: 9))
    story.phone(.hello(7), at: 0, from: phone(1))
    story.phone(.hello(8), at: 300, from: phone(2))
    story.host(.ack(.ok), at: 300, to: phone(2))
    let left = story.phone(.hello(9), at: 301, from: phone(3))
    #expect(left.session == 0)
    #expect(left.findings.map(\.rule) == [.notFollowed])
    #expect(story.phone(.hello(9), at: 302, from: phone(4)) == Answer(session: 0, findings: []), "told once")
    #expect(story.phone(.pose(1), at: 302, from: phone(2)).session == 1, "the others go on")

    // The first one's HELLO was never answered: that is reported when it makes room, not forgotten.
    #expect(story.phone(.hello(9), at: 601, from: phone(3)) == Answer(session: 0, findings: []))
    var unanswered: [Int] = []
    story.tracker.tellUnanswered { unanswered.append($1.packet) }
    #expect(unanswered == [1])
    #expect(story.host(.ack(.ok), at: 601, to: phone(3)).session == 2)
    #expect(story.phone(.pose(1), at: 601, from: phone(5)).findings.map(\.rule) == [.notFollowed], "full again")
    #expect(story.finish(at: 700).isEmpty)
  }

  @Test("Sessions are tracked up to a limit, and those beyond it are reported once")
  func tooManySessions() {
    var story = Conversation(tracker: SessionTracker(mostPairs: 2, mostSessions: 2))
    for name: UInt32 in 1...4 {
      let time = Double(name)
      story.phone(.hello(name), at: time)
      let answer = story.host(.ack(.ok), at: time)
      #expect(answer.session == (name < 3 ? Int(name) : 0))
      #expect(answer.findings.map(\.rule) == (name == 3 ? [.notFollowed] : []))
    }
    #expect(story.tracker.sessions.map(\.end) == [.replaced, .replaced])
  }

  /// A story whose session 7 opened at 0.
  private func opened() -> Conversation {
    var story = Conversation()
    story.phone(.hello(7), at: 0)
    story.host(.ack(.ok), at: 0)
    return story
  }
}

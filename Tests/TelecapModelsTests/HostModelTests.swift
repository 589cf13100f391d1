import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@Suite struct HostModelTests {
  let hello: Message
  init() throws { hello = try Message.hello(sessionID: 7, code: "ABC123") }

  func host(_ waveform: Waveform? = nil) -> Driven<HostModel> {
    Driven(HostModel(.init(code: "ABC123", waveform: waveform)))
  }

  func pose(_ seq: UInt16, x: Float = 0) -> Message {
    var pose = Typed<Pose>()
    pose[Pose.fields.seq] = seq
    pose[Pose.fields.qw] = 1
    pose[Pose.fields.x] = x
    return pose.message
  }

  @Test("Every HELLO is answered")
  func everyHelloIsAnswered() {
    var host = host()
    for _ in 0..<5 { host.receive(hello, from: phoneEnd) }
    #expect(host.drain() == Array(repeating: Message.ack(.ok), count: 5))
    #expect(host.events.filter { $0.name == "session-opened" }.count == 1)
  }

  @Test("A wrong code opens no session and refreshes none")
  func aWrongCodeOpensNothingAndRefreshesNothing() throws {
    var host = host()
    let wrong = try Message.hello(sessionID: 7, code: "XXXXXX")
    host.receive(wrong, from: phoneEnd)
    #expect(host.drain() == [.ack(.badCode)])
    #expect(host.peer.client == nil)
    host.receive(hello, from: phoneEnd)
    host.run(for: 2 * second)
    host.receive(wrong, from: phoneEnd)
    host.receive(wrong, from: otherEnd)
    #expect(host.drain() == [.ack(.ok), .ack(.badCode), .ack(.badCode)])
    host.run(for: second)
    #expect(host.peer.client == nil)
  }

  @Test("A second client is rejected as busy, and accepted after three seconds of silence")
  func aSecondClientIsToldBusyAndTakenAfterThreeSecondsOfSilence() {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.run(for: 3 * second - 1)
    host.receive(hello, from: otherEnd)
    #expect(host.drain() == [.ack(.ok), .ack(.busy)])
    host.run(for: 1)
    #expect(host.peer.client == nil)
    host.receive(hello, from: otherEnd)
    #expect(host.drain() == [.ack(.ok)])
    #expect(host.peer.client == otherEnd)
  }

  @Test("A keepalive with another session id is rejected")
  func aKeepaliveWithAnotherSessionIsNotTakenForTheClients() throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.run(for: 2 * second)
    host.receive(try Message.hello(sessionID: 8, code: "ABC123"), from: phoneEnd)
    #expect(host.drain() == [.ack(.ok), .ack(.busy)])
    host.run(for: second)
    #expect(host.drainEvents().last == .sessionClosed(phoneEnd, sessionID: 7, .timeout))
  }

  @Test("Poses keep the session alive, and invalid messages do not")
  func posesKeepTheSessionAndInvalidMessagesDoNot() throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.run(for: 2 * second)
    host.receive(pose(0), from: phoneEnd)
    host.run(for: 2 * second)
    #expect(host.peer.client == phoneEnd)
    host.receive(Array(pose(1).bytes.dropLast()), from: phoneEnd)
    host.receive(Message.bye(sessionID: 99), from: phoneEnd)
    host.run(for: second)
    #expect(host.peer.client == nil)
  }

  @Test("Only a BYE with the session's own id closes it")
  func onlyTheSessionsOwnByeClosesIt() {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.receive(Message.bye(sessionID: 8), from: phoneEnd)
    host.receive(Message.bye(sessionID: 7), from: otherEnd)
    #expect(host.peer.client == phoneEnd)
    host.receive(Message.bye(sessionID: 7), from: phoneEnd)
    #expect(host.peer.client == nil)
    #expect(host.events.last == .sessionClosed(phoneEnd, sessionID: 7, .teardown))
  }

  @Test("Another version is answered but opens nothing")
  func anotherVersionIsAnsweredButOpensNothing() {
    var host = host()
    var other = hello.bytes
    other[5] = 2
    host.receive(other, from: phoneEnd)
    #expect(host.drain() == [.ack(.versionUnsupported)])
    #expect(host.peer.client == nil)
    var silent = Driven(HostModel(.init(code: "ABC123", answersOtherVersions: false)))
    silent.receive(other, from: phoneEnd)
    #expect(silent.drain().isEmpty)
    host.receive(Array(other.dropLast()), from: phoneEnd)
    #expect(host.drain().isEmpty)
  }

  @Test(
    "Only newer poses are applied",
    arguments: [
      ([0, 1, 2], [0, 1, 2]), ([0, 2, 1, 3], [0, 2, 3]), ([5, 5, 6], [5, 6]),
      ([65_534, 65_535, 0, 1], [65_534, 65_535, 0, 1]),
      ([0, 65_535, 1], [0, 1]), ([0, 32_767], [0, 32_767]), ([0, 32_768], [0]),
    ])
  func onlyNewerPosesAreApplied(_ sent: [UInt16], _ expected: [UInt16]) throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    for seq in sent { host.receive(pose(seq), from: phoneEnd) }
    let applied: [UInt16] = host.events.compactMap { $0.appliedPose?.seq }
    #expect(applied == expected)
    #expect(host.events.filter { $0.name == "pose-dropped" }.count == sent.count - expected.count)
  }

  @Test("A new session restarts the stream")
  func aNewSessionStartsTheStreamAfresh() throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.receive(pose(100), from: phoneEnd)
    host.receive(Message.bye(sessionID: 7), from: phoneEnd)
    host.receive(try Message.hello(sessionID: 8, code: "ABC123"), from: phoneEnd)
    host.receive(pose(3), from: phoneEnd)
    #expect(host.events.last == .poseApplied(PoseSample(seq: 3)))
  }

  @Test(
    "A pose that is not finite is dropped, and does not make others stale",
    arguments: [Float.nan, .infinity, -.infinity])
  func aPoseThatIsNotFiniteIsDroppedAndMakesNothingOld(_ value: Float) throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    host.receive(pose(9, x: value), from: phoneEnd)
    host.receive(pose(8), from: phoneEnd)
    guard case .dropped(_, .notFinite) = host.events[host.events.count - 2] else {
      Issue.record("the pose was not dropped")
      return
    }
    #expect(host.events.last == .poseApplied(PoseSample(seq: 8)))
  }

  @Test("Messages of an inactive client change nothing")
  func messagesOfAnInactiveClientChangeNothing() throws {
    var host = host()
    host.receive(pose(1), from: phoneEnd)
    host.receive(hello, from: phoneEnd)
    host.receive(pose(2), from: otherEnd)
    host.receive(Message.cmd(1, true), from: otherEnd)
    #expect(!host.events.contains { $0.name == "pose-applied" || $0.name == "cmd" })
  }

  @Test("A command is applied once and a duplicate changes nothing")
  func aCommandIsAppliedOnceAndADuplicateChangesNothing() throws {
    var host = host()
    host.receive(hello, from: phoneEnd)
    _ = host.drainEvents()
    host.receive(Message.cmd(1, true), from: phoneEnd)
    host.receive(Message.cmd(1, true), from: phoneEnd)
    host.receive(Message.cmd(9, true), from: phoneEnd)
    #expect(
      host.events == [
        .command(type: 1, value: 1, changed: true), .command(type: 1, value: 1, changed: false),
        .ignored(phoneEnd, .cmd, .unknownCode),
      ])
  }

  @Test("Haptics are sent at twenty hertz within a session")
  func hapticsGoAtTwentyHertzWhileThereIsASession() {
    var host = host(.ramp(period: second))
    host.run(for: second)
    #expect(host.drain().isEmpty)
    host.receive(hello, from: phoneEnd)
    host.run(for: second - 1)
    let haptics = host.drain().filter { $0.kind == .haptic }
    #expect(haptics.count == 20)
    let expected = (0..<20).map { Float(Double($0) * 0.05) }
    #expect(haptics.compactMap { Typed<Haptic>($0)?[Haptic.fields.intensity] } == expected)
    host.run(for: 5 * second)
    #expect(host.drain().count == 40)
  }

  @Test(
    "The host sends only values within the range",
    arguments: [Waveform.constant(.nan), .constant(2), .constant(-1), .constant(.infinity), .sine(period: 0)])
  func whatIsSentIsNeverOutOfRange(_ waveform: Waveform) {
    var host = host(waveform)
    host.receive(hello, from: phoneEnd)
    host.run(for: second)
    let values = host.drain().filter { $0.kind == .haptic }.compactMap { Typed<Haptic>($0)?[Haptic.fields.intensity] }
    #expect(values.count == 21 && values.allSatisfy { (0...1).contains($0) })
  }

  @Test("A host that was late sends once and skips the missed messages")
  func aHostThatWasLateSendsOnceAndSkipsWhatItMissed() {
    var host = host(.constant(1))
    host.receive(hello, from: phoneEnd)
    host.now = Timestamp(nanoseconds: second + 1)
    host.act { $0.advance(to: $1, $2) }
    #expect(host.drain().filter { $0.kind == .haptic }.count == 2)
    #expect(host.peer.nextWake == Timestamp(nanoseconds: second + 50_000_000))
  }
}

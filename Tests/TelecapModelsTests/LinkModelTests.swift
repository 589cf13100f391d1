import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

/// TELE over Bluetooth: a code in place of HELLO, HEARTBEAT in place of ACK, the end of the link in place of BYE.
@Suite struct LinkModelTests {
  func host() throws -> Driven<HostLinkModel> {
    var host = Driven(try HostLinkModel(.init(code: "ABC123", waveform: .constant(0.5))))
    host.start()
    for end in [phoneEnd, otherEnd] { host.act { $0.opened(.ble, end, at: $1, $2) } }
    return host
  }

  func phone() throws -> Driven<PhoneLinkModel> {
    var phone = Driven(try PhoneLinkModel(.init(host: hostEnd, code: "ABC123", sessionID: 7)))
    phone.start()
    phone.act { $0.opened(.ble, hostEnd, at: $1, $2) }
    return phone
  }

  @Test("The right code opens the session, without an answer")
  func theRightCodeOpensTheSessionAndNothingAnswers() throws {
    var host = try host()
    host.receive(Array("ABC124".utf8), over: .ble, from: phoneEnd)
    host.receive(Array("ABC12".utf8), over: .ble, from: phoneEnd)
    #expect(host.sent.isEmpty && host.peer.client == nil)
    host.receive(Array("ABC123".utf8), over: .ble, from: phoneEnd)
    #expect(host.peer.client == phoneEnd)
    #expect(host.drain(.teleBLE).map(\.kind) == [.heartbeat, .haptic, .config])
  }

  @Test("Payloads of another link change nothing")
  func whatAnotherLinkSendsChangesNothing() throws {
    var host = try host()
    host.receive(Array("ABC123".utf8), over: .ble, from: phoneEnd)
    host.receive(Array("ABC123".utf8), over: .ble, from: otherEnd)
    host.receive(Message.right(.pose), over: .ble, from: otherEnd)
    #expect(host.peer.client == phoneEnd)
    #expect(host.events.contains(.ignored(otherEnd, .pose, .inactive)))
    host.act { $0.closed(otherEnd, at: $1, $2) }
    #expect(host.peer.client == phoneEnd)
  }

  @Test("Heartbeats are sent at two hertz until the link ends")
  func heartbeatGoesAtTwoHertzUntilTheLinkEnds() throws {
    var host = try host()
    host.run(for: second)
    host.receive(Array("ABC123".utf8), over: .ble, from: phoneEnd)
    host.run(for: 2 * second)
    let beats = host.sent.compactMap { Typed<Heartbeat>(Message(keeping: $0.bytes, as: .teleBLE)) }
    #expect(beats.map { $0[Heartbeat.fields.counter] } == [0, 1, 2, 3, 4])
    #expect(beats.map { $0[Heartbeat.fields.uptime] } == [1_000, 1_500, 2_000, 2_500, 3_000])
    host.act { $0.closed(phoneEnd, at: $1, $2) }
    host.sent = []
    host.run(for: 5 * second)
    #expect(host.sent.isEmpty && host.peer.nextWake == nil)
  }

  @Test("A phone writes its code, and has a session from the first heartbeat on")
  func aPhoneWritesItsCodeAndHasASessionFromTheFirstHeartbeatOn() throws {
    var phone = try phone()
    #expect(phone.sent.map(\.bytes) == [Array("ABC123".utf8)])
    #expect(phone.sent.map(\.carrier) == [.ble])
    #expect(!phone.peer.hasSession)
    phone.receive(Message.heartbeat(counter: 9, uptimeMilliseconds: 1), over: .ble, from: hostEnd)
    #expect(phone.peer.hasSession)
    phone.receive(try Message.haptic(intensity: 0.5), over: .ble, from: hostEnd)
    #expect(phone.peer.strength == 0.5)
  }

  @Test("Three seconds without heartbeat end a session, and the next heartbeat begins another")
  func threeSecondsWithoutHeartbeatEndASessionAndTheNextOneBeginsAnother() throws {
    var phone = try phone()
    phone.receive(Message.heartbeat(counter: 0, uptimeMilliseconds: 0), over: .ble, from: hostEnd)
    phone.receive(try Message.haptic(intensity: 0.5), over: .ble, from: hostEnd)
    phone.run(for: 3 * second - 1)
    phone.receive(try Message.haptic(intensity: 0.75), over: .ble, from: hostEnd)
    #expect(phone.peer.strength == 0.75)
    phone.run(for: 1)
    #expect(phone.peer.strength == 0 && !phone.peer.hasSession)
    phone.receive(Message.heartbeat(counter: 1, uptimeMilliseconds: 0), over: .ble, from: hostEnd)
    #expect(phone.peer.hasSession && phone.peer.strength == 0)
  }

  @Test("The end of the link turns the motor off")
  func theEndOfTheLinkTurnsTheMotorOff() throws {
    var phone = try phone()
    phone.receive(Message.heartbeat(counter: 0, uptimeMilliseconds: 0), over: .ble, from: hostEnd)
    phone.receive(try Message.haptic(intensity: 0.5), over: .ble, from: hostEnd)
    phone.act { $0.closed(hostEnd, at: $1, $2) }
    #expect(phone.peer.strength == 0)
    #expect(phone.events.last == .hapticApplied(0))
  }
}

import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@Suite struct PhoneModelTests {
  func phone(_ path: PosePath = .rest) throws -> Driven<PhoneModel> {
    Driven(try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7, path: path)))
  }

  func haptic(_ intensity: Float) -> Message {
    var haptic = Typed<Haptic>()
    haptic[Haptic.fields.intensity] = intensity
    return haptic.message
  }

  @Test("HELLO is sent once a second, also while streaming")
  func helloGoesOnceASecondAlsoWhileStreaming() throws {
    var phone = try phone()
    phone.start()
    for _ in 0..<10 {
      phone.run(for: second / 2)
      phone.receive(Message.ack(.ok), from: hostEnd)
      phone.run(for: second / 2)
    }
    let sent = phone.drain()
    #expect(sent.filter { $0.kind == .hello }.count == 11)
    #expect(sent.filter { $0.kind == .pose }.count == 571)
  }

  @Test("Poses follow an absolute schedule, and their numbers increase")
  func posesKeepToAnAbsoluteScheduleAndCount() throws {
    var phone = try phone(.line(length: 1, period: second))
    phone.start()
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.run(for: 2 * second - 1)
    let poses = phone.drain().filter { $0.kind == .pose }
    #expect(poses.compactMap { Typed<Pose>($0)?[Pose.fields.seq] } == Array(0..<120))
    let times = (0..<120).map { UInt64($0) * 1_000_000 / 60 }
    #expect(poses.compactMap { Typed<Pose>($0)?[Pose.fields.timestamp] } == times)
    let starts = poses.indices.filter { Typed<Pose>(poses[$0])?[Pose.fields.flags] == 1 }
    #expect(starts == [0, 30, 60, 90])
  }

  @Test(
    "Intensities are clamped",
    arguments: [
      (-0.5, 0), (-0.0, 0), (-Float.infinity, 0), (0.25, 0.25), (1, 1), (1.5, 1), (.infinity, 1), (.nan, 0),
      (.leastNonzeroMagnitude, .leastNonzeroMagnitude),
    ] as [(Float, Float)])
  func intensitiesAreClamped(_ sent: Float, _ played: Float) throws {
    var phone = try phone()
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.receive(haptic(0.75), from: hostEnd)
    phone.receive(haptic(sent), from: hostEnd)
    #expect(phone.peer.strength == played)
    #expect(phone.peer.strength.sign == .plus)
  }

  @Test("The phone plays nothing before the ACK or from an unknown peer")
  func nothingIsPlayedBeforeTheAckOrFromAStranger() throws {
    var phone = try phone()
    phone.receive(haptic(1), from: hostEnd)
    #expect(phone.peer.strength == 0)
    phone.receive(Message.ack(.busy), from: hostEnd)
    phone.receive(Message.ack(.ok), from: otherEnd)
    phone.receive(haptic(1), from: hostEnd)
    #expect(phone.peer.strength == 0)
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.receive(haptic(1), from: otherEnd)
    #expect(phone.peer.strength == 0)
    phone.receive(haptic(1), from: hostEnd)
    #expect(phone.peer.strength == 1)
  }

  @Test("A nonzero channel is played all the same")
  func aNonzeroChannelPlaysAllTheSame() throws {
    var phone = try phone()
    phone.receive(Message.ack(.ok), from: hostEnd)
    var message = Typed<Haptic>()
    message[Haptic.fields.intensity] = 0.5
    message[Haptic.fields.channel] = 3
    phone.receive(message.message, from: hostEnd)
    #expect(phone.peer.strength == 0.5)
  }

  @Test("The motor is off after the session is lost")
  func aLostSessionLeavesNoMotorOn() throws {
    var phone = try phone()
    phone.start()
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.receive(haptic(1), from: hostEnd)
    phone.run(for: 3 * second - 1)
    #expect(phone.peer.strength == 1)
    phone.receive(Message.ack(.busy), from: hostEnd)
    phone.run(for: 1)
    #expect(phone.peer.strength == 0 && !phone.peer.hasSession)
    #expect(phone.events.suffix(2) == [.sessionClosed(hostEnd, sessionID: 7, .timeout), .hapticApplied(0)])
    _ = phone.drain()
    phone.run(for: second)
    #expect(phone.drain().map(\.kind) == [.hello])
  }

  @Test("The phone sends BYE only within a session")
  func itSaysByeOnlyToASession() throws {
    var phone = try phone()
    phone.start()
    phone.stop()
    #expect(phone.drain().map(\.kind) == [.hello])
    phone.start()
    phone.receive(Message.ack(.ok), from: hostEnd)
    phone.stop()
    #expect(phone.drain().last == Message.bye(sessionID: 7))
    phone.run(for: 5 * second)
    #expect(phone.drain().isEmpty)
  }

  @Test("A host and a phone without a socket keep their session")
  func aHostAndAPhoneWithoutASocketKeepTheirSession() throws {
    var phone = try phone(.circle(radius: 0.1, period: second))
    var host = Driven(HostModel(.init(code: "ABC123", waveform: .sine(period: second))))
    phone.start()
    while phone.now < Timestamp(nanoseconds: 5 * second) {
      phone.run(for: 1_000_000)
      host.run(to: phone.now)
      for message in phone.drain() { host.receive(message, from: phoneEnd) }
      for message in host.drain() { phone.receive(message, from: hostEnd) }
    }
    let applied = host.events.filter { $0.name == "pose-applied" }.count
    #expect(applied == phone.events.filter { $0.name == "pose-sent" }.count)
    #expect(applied >= 299)
    #expect(phone.events.filter { $0.name == "haptic-applied" }.count >= 99)
    #expect(!host.events.contains { $0.name == "session-closed" })
  }
}

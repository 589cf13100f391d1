import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@Suite struct StreamModelTests {
  func host() throws -> Driven<HostStreamModel> {
    Driven(try HostStreamModel(.init(code: "ABC123", waveform: .constant(0.5)), config: "{\"name\":\"arm\"}"))
  }

  func connect(_ host: inout Driven<HostStreamModel>, _ client: Endpoint) {
    host.act { $0.opened(.tcp, client, at: $1, $2) }
  }

  func messages(_ sent: [(bytes: [UInt8], carrier: Carrier, to: Endpoint)]) -> [Message] {
    sent.compactMap { Message(decoding: $0.bytes.dropFirst(2), as: .teleTCP) }
  }

  @Test("An accepted HELLO is followed by ACK, CONFIG and haptics")
  func anAcceptedHelloBringsAckConfigAndHaptics() throws {
    var host = try host()
    connect(&host, phoneEnd)
    let frame = try Message.hello(sessionID: 7, code: "ABC123").framed(as: .teleTCP)
    for byte in frame { host.receive([byte], over: .tcp, from: phoneEnd) }
    let sent = messages(host.sent)
    #expect(sent.map(\.kind) == [.ackTCP, .config, .haptic])
    #expect(sent.first?.bytes == Hex.bytes("54454c450201000001010000"))
  }

  @Test("A phone's connection closes after the BYE of its own session, and of no other")
  func byeToAPhone() throws {
    var phone = Driven(try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7, dialect: .teleTCP)))
    phone.start()
    phone.act { $0.opened(.tcp, hostEnd, at: $1, $2) }
    func tell(_ message: Message) throws {
      phone.receive(try message.framed(as: .teleTCP), over: .tcp, from: hostEnd)
    }
    try tell(Message.ackTCP(.ok))
    try tell(Message.haptic(intensity: 1))
    try tell(Message.bye(sessionID: 8))
    #expect(phone.peer.strength == 1 && phone.disconnected.isEmpty)
    #expect(phone.events.last == .ignored(hostEnd, .bye, .otherSession))
    try tell(Message.bye(sessionID: 7))
    #expect(phone.peer.strength == 0 && phone.disconnected == [hostEnd])
  }

  @Test("A rejected client gets its answer, and its connection is closed")
  func refusalsAreAnsweredAndClosed() throws {
    var host = try host()
    for client in [phoneEnd, otherEnd] { connect(&host, client) }
    let right = try Message.hello(sessionID: 7, code: "ABC123").framed(as: .teleTCP)
    let wrong = try Message.hello(sessionID: 8, code: "XXXXXX").framed(as: .teleTCP)
    host.receive(right, over: .tcp, from: phoneEnd)
    host.receive(right, over: .tcp, from: otherEnd)
    #expect(messages(host.sent).last == Message.ackTCP(.busy))
    #expect(host.disconnected == [otherEnd])
    connect(&host, otherEnd)
    host.receive(wrong, over: .tcp, from: otherEnd)
    #expect(messages(host.sent).last == Message.ackTCP(.badCode))
    #expect(host.disconnected == [otherEnd, otherEnd])
  }

  @Test("A connection without HELLO is closed after five seconds")
  func aConnectionWithoutHelloIsClosedAfterFiveSeconds() throws {
    var host = try host()
    connect(&host, phoneEnd)
    host.run(for: 5 * second - 1)
    #expect(host.disconnected.isEmpty)
    host.run(for: 1)
    #expect(host.disconnected == [phoneEnd])
  }

  @Test(
    "A bad length or magic closes the connection",
    arguments: [[3, 0, 1, 2, 3], [6, 0, 88, 88, 88, 88, 1, 1]] as [[UInt8]])
  func aBadLengthOrMagicClosesTheConnection(_ bytes: [UInt8]) throws {
    var host = try host()
    connect(&host, phoneEnd)
    host.receive(try Message.hello(sessionID: 7, code: "ABC123").framed(as: .teleTCP), over: .tcp, from: phoneEnd)
    host.receive(bytes, over: .tcp, from: phoneEnd)
    #expect(host.disconnected == [phoneEnd])
    #expect(host.events.last == .sessionClosed(phoneEnd, sessionID: 7, .disconnected))
  }

  @Test("An unknown type is ignored")
  func anUnknownTypeIsIgnored() throws {
    var host = try host()
    connect(&host, phoneEnd)
    host.receive([6, 0] + Array("TELE".utf8) + [77, 1], over: .tcp, from: phoneEnd)
    #expect(host.disconnected.isEmpty)
    #expect(host.events == [.invalid(phoneEnd, .type)])
  }

  @Test("A phone and a host communicate over a stream with any segments")
  func aPhoneAndAHostTalkOverAStreamCutAnywhere() throws {
    var host = try host()
    var phone = Driven(try PhoneModel(.init(host: hostEnd, code: "ABC123", sessionID: 7, dialect: .teleTCP)))
    phone.start()
    connect(&host, phoneEnd)
    phone.act { $0.opened(.tcp, hostEnd, at: $1, $2) }
    for step in 1...1_000 {
      phone.run(for: 1_000_000)
      host.run(to: phone.now)
      let up = phone.sent.flatMap(\.bytes)
      let down = host.sent.flatMap(\.bytes)
      phone.sent = []
      host.sent = []
      for piece in cut(up, step % 7 + 1) { host.receive(piece, over: .tcp, from: phoneEnd) }
      for piece in cut(down, step % 5 + 1) { phone.receive(piece, over: .tcp, from: hostEnd) }
    }
    #expect(phone.events.filter { $0.name == "haptic-applied" }.count == 20)
    #expect(phone.events.contains(.config(bytes: 14)))
    #expect(host.events.filter { $0.name == "pose-applied" }.count == 60)
  }

  private func cut(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }
}

import TelecapProtocols
import TelecapCapture
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

@Suite struct DissectorTests {
  @Test("A datagram is a message, with its offset, direction and session")
  func aDatagramIsAMessageWithItsPlaceWayAndSession() throws {
    var talk = Conversation()
    try talk.send(Bytes.hello)
    try talk.send(Bytes.ack, Conversation.udp.reversed)
    try talk.send(Bytes.pose(1))
    try talk.send(Bytes.haptic, Conversation.udp.reversed)
    let seen = try talk.dissected()
    let at = Conversation.udpOffset
    #expect(
      seen.messages == [
        SeenMessage(
          packet: 1, kind: .hello, bytes: Bytes.hello, direction: .clientToServer, session: 0, offset: at),
        SeenMessage(packet: 2, kind: .ack, bytes: Bytes.ack, direction: .serverToClient, session: 1, offset: at),
        SeenMessage(packet: 3, kind: .pose, bytes: Bytes.pose(1), direction: .clientToServer, session: 1, offset: at),
        SeenMessage(packet: 4, kind: .haptic, bytes: Bytes.haptic, direction: .serverToClient, session: 1, offset: at),
      ])
    #expect(seen.findings == [])
    #expect(seen.misplaced == [])
  }

  @Test("All protocols are decoded in one capture, over UDP and TCP")
  func allProtocolsSideBySideOverUDPAndTCP() throws {
    var talk = Conversation()
    let broadcast = Flow(.udp, from: Endpoint(Conversation.host.address, port: 4_711), to: Endpoint(.any, port: 50_001))
    try talk.send(Bytes.beacon, broadcast)
    try talk.open(Conversation.tcp)
    try talk.open(Conversation.clicks)
    try talk.send(Bytes.movement, Conversation.mouse)
    try talk.send(Bytes.framed(Bytes.hello), Conversation.tcp)
    try talk.send(Bytes.control, Conversation.clicks)
    try talk.send(Bytes.framed(Bytes.ackTCP, Bytes.config), Conversation.tcp.reversed)
    try talk.send(Bytes.hello, Conversation.udp)
    let seen = try talk.dissected()
    #expect(seen.kinds == [.beacon, .mouseMovement, .hello, .mouseControl, .ackTCP, .config, .hello])
    #expect(seen.messages.map(\.session) == [0, 1, 0, 2, 3, 3, 0])
    #expect(
      seen.messages.map(\.direction) == [
        .serverToClient, .clientToServer, .clientToServer, .clientToServer, .serverToClient, .serverToClient,
        .clientToServer,
      ])
    let tcp = Conversation.tcpOffset
    #expect(
      seen.messages.map(\.offset) == [42, 42, tcp + 2, tcp, tcp + 2, tcp + 2 + Bytes.ackTCP.count + 2, 42])
    #expect(seen.misplaced == [])
    #expect(seen.findings == [])
  }

  @Test("Packets of other ports are ignored without a finding, and custom ports count")
  func otherPortsPassSilentlyCustomPortsCount() throws {
    var talk = Conversation()
    for port in [UInt16(53), 8_888, 50_000, 50_500] {
      try talk.send(Bytes.pose(port), Flow(.udp, from: Conversation.phone, to: Endpoint(.loopback, port: port)))
    }
    #expect(try talk.dissected().messages.map(\.packet) == [2, 3])
    let moved = try talk.dissected(ports: Ports.standard.with(["tele-udp": 50_500, "mouse-udp": 53]))
    #expect(moved.messages.map(\.packet) == [1, 4])
    #expect(moved.kinds == [.mouseMalformed, .pose])
  }

  @Test("Frames of other protocols are no findings")
  func framesOfOtherProtocolsAreNoFindings() throws {
    var talk = Conversation()
    talk.add(hex("ffffffffffff 020000000001 0806 0001080006040001"))
    talk.add(hex("020000000002 020000000001 0800 4500001c0000400001 01 0000 c0000201 c000020a 0800000000000000"))
    talk.add([1, 2, 3])
    let seen = try talk.dissected()
    #expect(seen.messages == [])
    #expect(seen.findings.map(\.packet) == [3])
    #expect(seen.rules == [.packetDamaged])
  }

  @Test("A clock that was set back is found at its packet, and ends no session", arguments: [1_000, 999] as [Int64])
  func aClockThatWasSetBack(milliseconds: Int64) throws {
    var talk = Conversation()
    try talk.send(Bytes.hello)
    try talk.send(Bytes.ack, Conversation.udp.reversed)
    for number in 1...4 { try talk.send(Bytes.pose(UInt16(number))) }
    // Packets are 5 ms apart; the fourth is dated so much before the third.
    let seen = try talk.dissected { Int64($0) * 5_000_000 - ($0 < 3 ? 0 : (milliseconds + 5) * 1_000_000) }
    #expect(seen.findings.map(\.packet) == (milliseconds < 1_000 ? [] : [4]))
    #expect(seen.rules == (milliseconds < 1_000 ? [] : [.clockStep]))
    #expect(seen.messages.map(\.session) == [0, 1, 1, 1, 1, 1])
  }

  @Test("A payload that the snapshot length cut is reported and not decoded")
  func aPayloadThatTheSnapshotLengthCutIsReportedAndNotJudged() throws {
    var talk = Conversation()
    try talk.send(Bytes.pose(1), keeping: 60)
    try talk.send(Bytes.pose(2), keeping: 38)
    try talk.send(Bytes.pose(3))
    let seen = try talk.dissected()
    #expect(seen.messages.map(\.packet) == [3])
    #expect(
      seen.findings == [
        SeenFinding(packet: 1, rule: .packetDamaged, text: "the packet is cut short: needed 46 bytes, had 18"),
        SeenFinding(packet: 2, rule: .packetDamaged, text: "the packet is cut short: needed 8 bytes, had 4"),
      ])
  }

  @Test("Two sessions are distinguished")
  func twoSessionsAreToldApart() throws {
    let second = Flow(.udp, from: Endpoint(Conversation.phone.address, port: 40_001), to: Conversation.host)
    var talk = Conversation()
    for flow in [Conversation.udp, second] {
      try talk.send(Bytes.hello, flow)
      try talk.send(Bytes.ack, flow.reversed)
    }
    try talk.send(Bytes.pose(1), second)
    try talk.send(Bytes.pose(1), Conversation.udp)
    try talk.send(Bytes.bye, second)
    try talk.send(Bytes.haptic, second.reversed)
    try talk.send(Bytes.haptic, Conversation.udp.reversed)
    let seen = try talk.dissected()
    #expect(seen.messages.map(\.session) == [0, 1, 0, 2, 2, 1, 2, 0, 1])
    #expect(seen.findings.map(\.packet) == [8])
    #expect(seen.rules == [.hapticOutsideSession])
  }

  @Test("A HELLO without its ACK is a finding at the end of the capture")
  func whatIsStillWaitedForIsToldAtTheEnd() throws {
    var talk = Conversation()
    try talk.send(Bytes.hello)
    for seq in 1...200 { try talk.send(Bytes.pose(UInt16(seq))) }
    let seen = try talk.dissected()
    #expect(
      seen.findings == [
        SeenFinding(packet: 1, rule: .helloWithoutAck, text: "the HELLO in packet 1 got no ACK")
      ])
  }

  @Test("An error of the sink is rethrown, and the dissector goes on")
  func whatASinkThrowsComesOutAndTheDissectorGoesOn() throws {
    struct Refused: Error {}
    struct Refusing: DissectionSink {
      var left = 1
      mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
        left -= 1
        if left == 0 { throw Refused() }
      }
      mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) {}
      mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) {}
    }
    var talk = Conversation()
    try talk.open()
    try talk.send(Bytes.framed(Bytes.hello), Conversation.tcp)
    try talk.send(Bytes.framed(Bytes.pose(1)), Conversation.tcp)
    var dissector = Dissector(ports: .standard)
    var sink = Refusing()
    var refused: [Int] = []
    for (header, frame) in talk.packets {
      do { try dissector.receive(header, frame.span.bytes, to: &sink) } catch is Refused {
        refused.append(header.number)
      }
    }
    #expect(refused == [3])
    #expect(sink.left == -1, "the second message was heard of too")
  }
}

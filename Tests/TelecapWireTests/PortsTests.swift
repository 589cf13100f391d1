import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
@testable import TelecapWire
import Testing

/// Which protocol a flow speaks, by the numbers of its ports.
@Suite struct PortsTests {
  @Test("The standard ports are those of the documents")
  func documents() {
    let ports = Ports.standard
    #expect(
      [ports.teleUDP, ports.teleTCP, ports.teleBeacon, ports.mouseUDP, ports.mouseTCP]
        == [50_000, 50_000, 50_001, 8_888, 8_889])
    #expect(
      ports.numbers == [
        "tele-udp": 50_000, "tele-tcp": 50_000, "tele-beacon": 50_001, "mouse-udp": 8_888, "mouse-tcp": 8_889,
      ])
    #expect(Ports([]).match(PortsTests.flow(.udp, 1, 50_000)) == nil)
  }

  @Test(
    "The side with the port is the host; a beacon is matched by its destination alone",
    arguments: [
      (.udp, 40_000, 50_000, PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      (.udp, 50_000, 40_000, PortMatch(dialect: .teleUDP, direction: .serverToClient)),
      (.udp, 50_000, 50_000, PortMatch(dialect: .teleUDP, direction: .unknown)),
      (.udp, 50_000, 50_001, PortMatch(dialect: .teleUDP, direction: .serverToClient)),
      (.udp, 50_001, 50_000, PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      (.udp, 50_001, 40_000, nil), (.tcp, 40_000, 50_001, nil),
      (.tcp, 40_000, 50_000, PortMatch(dialect: .teleTCP, direction: .clientToServer)),
      (.udp, 40_000, 8_888, PortMatch(dialect: .mouse, direction: .clientToServer)),
      (.tcp, 8_889, 40_000, PortMatch(dialect: .mouse, direction: .serverToClient)),
      (.tcp, 40_000, 8_888, nil), (.udp, 8_889, 40_000, nil), (.udp, 1, 2, nil),
    ] as [(Carrier, UInt16, UInt16, PortMatch?)])
  func matches(_ carrier: Carrier, _ source: UInt16, _ destination: UInt16, _ expected: PortMatch?) {
    #expect(Ports.standard.match(PortsTests.flow(carrier, source, destination)) == expected)
  }

  @Test("Ports can be changed by their ids, and unknown ids change nothing")
  func others() {
    let ports = Ports.standard.with(["mouse-udp": 9_000, "nonsense": 1])
    #expect(ports.mouseUDP == 9_000)
    #expect(ports["nonsense"] == nil)
    #expect(ports.match(PortsTests.flow(.udp, 1, 8_888)) == nil)
    #expect(ports.match(PortsTests.flow(.udp, 1, 9_000))?.dialect == .mouse)
    #expect(Ports.standard.with([:]) == .standard)
  }

  @Test(
    "If a client's own port is that of another protocol, the payload decides",
    arguments: [
      // From 50000 to the mouse's port, and back.
      (.udp, 50_000, 8_888, [0xaa, 1, 2, 3, 0], PortMatch(dialect: .mouse, direction: .clientToServer)),
      (.udp, 8_888, 50_000, [0xaa, 1, 2, 3, 0], PortMatch(dialect: .mouse, direction: .serverToClient)),
      (.udp, 50_000, 8_888, Message.ack(.ok).bytes, PortMatch(dialect: .teleUDP, direction: .serverToClient)),
      (.udp, 8_888, 50_000, Message.bye(sessionID: 1).bytes, PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      // An identity counts for more than a message that is whole; of what is neither the ports alone decide.
      (.udp, 8_888, 50_000, [0x54, 0x45, 0x4c, 0x45, 9], PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      (.udp, 8_888, 50_000, [1, 2, 3], PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      (.udp, 8_888, 50_000, [], PortMatch(dialect: .teleUDP, direction: .clientToServer)),
      // Streams: by their first bytes.
      (.tcp, 50_000, 8_889, [0xbb, 1, 0, 0, 0, 0xbb], PortMatch(dialect: .mouse, direction: .clientToServer)),
      (
        .tcp, 8_889, 50_000, [10, 0] + Message.bye(sessionID: 1).bytes,
        PortMatch(dialect: .teleTCP, direction: .clientToServer)
      ),
      (.tcp, 8_889, 50_000, [10], PortMatch(dialect: .teleTCP, direction: .clientToServer)),
      // One port only: whatever the payload is.
      (.udp, 40_000, 50_000, [0xaa, 1, 2, 3, 0], PortMatch(dialect: .teleUDP, direction: .clientToServer)),
    ] as [(Carrier, UInt16, UInt16, [UInt8], PortMatch?)])
  func contested(
    _ carrier: Carrier, _ source: UInt16, _ destination: UInt16, _ bytes: [UInt8], _ expected: PortMatch?
  ) {
    #expect(Ports.standard.match(PortsTests.flow(carrier, source, destination), bytes.span.bytes) == expected)
  }

  @Test(
    "Ports of two protocols contest a flow, except those of broadcasts"
  )
  func contests() {
    let ports = Ports.standard
    func owners(_ carrier: Carrier, _ source: UInt16, _ destination: UInt16) -> Int {
      ports.candidates(of: PortsTests.flow(carrier, source, destination)).count
    }
    #expect(owners(.udp, 50_000, 8_888) == 2)
    #expect(owners(.udp, 50_000, 50_000) == 1 && owners(.udp, 50_001, 8_888) == 1 && owners(.tcp, 50_000, 8_888) == 1)
    #expect(ports.match(PortsTests.flow(.udp, 50_000, 8_888), of: Mouse.wire)?.dialect == .mouse)
    #expect(ports.match(PortsTests.flow(.udp, 1, 50_000), of: Mouse.wire) == nil)
  }

  @Test("A datagram of no protocol counts as the protocol of its flow before, in both directions")
  func invalidDatagram() {
    let (flow, other) = (PortsTests.flow(.udp, 50_000, 8_888), PortsTests.flow(.udp, 50_001, 8_888))
    let (mouse, noise): ([UInt8], [UInt8]) = ([0xaa, 1, 2, 3, 0], [1, 2, 3])
    var decided = ContestedFlows()
    func dialect(_ bytes: [UInt8], _ flow: Flow) -> Dialect? {
      Ports.standard.match(flow, bytes.span.bytes, &decided)?.dialect
    }
    #expect(dialect(noise, flow) == .teleUDP)
    #expect(dialect(mouse, flow) == .mouse)
    #expect(dialect(noise, flow) == .mouse)
    #expect(dialect(noise, flow.reversed) == .mouse)
    #expect(dialect(noise, other) == .mouse)
    #expect(dialect(Message.ack(.ok).bytes, flow) == .teleUDP)
    #expect(dialect(noise, flow) == .teleUDP)
    #expect(dialect(noise, flow.reversed) == .teleUDP)
    #expect(dialect(noise, PortsTests.flow(.udp, 40_000, 50_000)) == .teleUDP)
  }

  private static func flow(_ carrier: Carrier, _ source: UInt16, _ destination: UInt16) -> Flow {
    Flow(carrier, from: Endpoint(.loopback, port: source), to: Endpoint(.loopback, port: destination))
  }
}

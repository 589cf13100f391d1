import TelecapProtocols
import TelecapRecording
import TelecapTransport
import TelecapWire
import Testing

/// Each flow of a recording goes where its port is, unless another was named; beacons keep theirs.
@Suite struct ReplayRoutesTests {
  private static let phone = IPAddress(v4: 0xc000_0207)
  private static let host = IPAddress(v4: 0xc000_0201)
  private static let flows = [
    flow(.udp, phone, 40_000, host, 50_000), flow(.tcp, phone, 40_001, host, 50_000),
    flow(.udp, host, 50_000, phone, 50_001), flow(.udp, phone, 40_000, host, 50_000),
  ]

  private static func flow(
    _ carrier: Carrier, _ from: IPAddress, _ source: UInt16, _ to: IPAddress, _ destination: UInt16
  ) -> Flow {
    Flow(carrier, from: Endpoint(from, port: source), to: Endpoint(to, port: destination))
  }

  private func routes(
    udp: UInt16? = nil, tcp: UInt16? = nil, to address: IPAddress = .loopback, keepsSource: Bool = false
  ) -> ReplayRoutes {
    ReplayRoutes(
      Self.flows, ports: Ports(Protocols.builtIn), to: address, udp: udp, tcp: tcp, keepsSource: keepsSource)
  }

  @Test("Packets go to the recorded ports at the given address")
  func recorded() throws {
    let routes = routes()
    #expect(routes.routes.map(\.destination.port) == [50_000, 50_000, 50_001, 50_000])
    #expect(routes.routes.allSatisfy { $0.destination.address == .loopback && $0.local == nil })
    #expect(routes.destinations == "udp 127.0.0.1:50000, tcp 127.0.0.1:50000, udp 127.0.0.1:50001")
    try routes.check()
  }

  @Test("Named ports replace those of datagrams and streams, not a beacon's")
  func named() {
    #expect(routes(udp: 6_000, tcp: 7_000).routes.map(\.destination.port) == [6_000, 7_000, 50_001, 6_000])
  }

  @Test("Flows of one sender to one destination share a socket")
  func lanes() { #expect(routes().routes.map(\.lane) == [0, 1, 2, 0]) }

  @Test("A host sends from its own port, and a beacon from any")
  func sources() {
    #expect(routes(keepsSource: true).routes.map(\.local?.port) == [40_000, 40_001, nil, 40_000])
    #expect(routes(to: Self.host, keepsSource: true).routes[0].local == Endpoint(.any, port: 40_000))
  }

  @Test("An address outside this machine is rejected unless a person named it")
  func refused() { #expect(throws: DestinationError.self) { try routes(to: Self.host).check() } }
}

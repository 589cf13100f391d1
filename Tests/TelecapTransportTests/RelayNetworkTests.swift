import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

extension WallClockSuites {
  /// A relay that is a worse network, between real sockets.
  @Suite struct RelayNetworkTests {
    private static func network(up: String = "", down: String = "") throws -> RelayNetwork {
      try RelayNetwork(
        up: Impairments(parsing: up), down: Impairments(parsing: down), seed: 4, Ports.standard.protocols)
    }

    /// A relay to `server`, which is recorded at the port of TELE, so that its messages are known.
    private static func start(
      _ server: Socket, _ network: RelayNetwork, _ limits: RelayLimits = RelayLimits(), desk: RelayController? = nil
    ) async throws -> Relay {
      let spec = RelaySpec(
        .udp, listen: Endpoint(.loopback, port: 0),
        target: HostPort(host: server.endpoint.address.description, port: server.endpoint.port))
      return try await Relay.start(
        [spec], observer: RelayTests.Recorder(), ports: Ports.standard.with(["tele-udp": server.endpoint.port]),
        limits: limits, network: network, desk: desk)
    }

    @Test("A changed network applies to later datagrams; earlier ones arrive by the old one")
    func changed() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let desk = RelayController()
      await #expect(throws: RelayDeskError.notRunning) { try await desk.play(Self.network()) }
      let relay = try await Self.start(server, try Self.network(up: "--delay 2s"), desk: desk)
      func send(_ number: UInt8) async throws {
        try client.send([number], to: relay.routes[0].listen)
        try await eventually { try await relay.counts()[0].up.came >= number }
      }
      let begin = ContinuousClock.now
      try await send(1)
      try await desk.play(Self.network(up: "--loss 100%"))
      try await send(2)
      try await desk.play(Self.network())
      try await send(3)
      // On a busy machine the first may be due before the third was sent.
      var arrived: [UInt8] = []
      for _ in 0..<2 {
        arrived += try server.receive().bytes
        if arrived.last == 1 { #expect(ContinuousClock.now - begin >= .seconds(2)) }
      }
      #expect(arrived.sorted() == [1, 3])
      let counts = try #require(try await desk.counts()).map(\.counts)[0]
      let up = try #require(counts.network?.up)
      #expect(up.changes == 2 && up.totals.came == 3 && up.totals.dropped == 1 && up.rates.packets == 1)
      #expect(up.lines == ["changed 2 times while it ran; in all 3 datagrams: 1 dropped, 0 duplicated, 0 changed"])
      await relay.stop()
      #expect(try #require(try await desk.counts())[0].counts.up.came == 3)
      await #expect(throws: RelayDeskError.notRunning) { try await desk.play(Self.network()) }
    }

    @Test("The number of former networks with datagrams in flight is limited")
    func tooManyChanges() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let desk = RelayController()
      let relay = try await Self.start(server, try Self.network(up: "--delay 600s"), desk: desk)
      for number in 1...ChangingNetwork.mostFormer {
        try client.send([1], to: relay.routes[0].listen)
        try await eventually { try await relay.counts()[0].up.came >= number }
        try await desk.play(Self.network(up: "--delay 600s"))
      }
      await #expect(throws: RelayDeskError.tooManyChanges) { try await desk.play(Self.network()) }
      await relay.stop()
    }

    @Test("Each copy arrives when it is due and not before, and only the impaired direction is delayed")
    func delay() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let relay = try await Self.start(server, try Self.network(up: "--delay 80ms --duplicate 100%"))
      let clock = ContinuousClock()
      let begin = clock.now
      try client.send([1], to: relay.routes[0].listen)
      let (_, door) = try server.receive()
      #expect(clock.now - begin >= .milliseconds(80))
      #expect(try server.receive().bytes == [1])
      try server.send([2], to: door)
      #expect(try client.receive().bytes == [2])
      let counts = try await relay.counts()[0]
      #expect(counts.payloads == 3 && counts.dropped == 0)
      #expect(counts.network?.up.lines.count == 2 && counts.network?.down.lines == [])
      await relay.stop()
    }

    @Test("The drops are reported next to the asked rate, and every datagram is in one count")
    func loss() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let relay = try await Self.start(server, try Self.network(up: "--loss 40%"))
      for number in 0..<200 { try client.send([UInt8(number)], to: relay.routes[0].listen) }
      var planner = LivePlanner(try Impairments(parsing: "--loss 40%"), seed: 4)
      var kept: [UInt8] = []
      for number in 1...200 where planner.take(PlannedPacket(number: number, time: 0, length: 1)).copies > 0 {
        kept.append(UInt8(number - 1))
      }
      for number in kept { #expect(try server.receive().bytes == [number]) }
      // The last datagrams may have been dropped: nothing that is received shows that the relay has read them.
      let deadline = ContinuousClock.now + .seconds(10)
      var account = try #require(try await relay.counts()[0].network?.up)
      while account.rates.packets < 200, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(5))
        account = try #require(try await relay.counts()[0].network?.up)
      }
      #expect(account.rates.packets == 200 && account.rates.delivered == kept.count)
      #expect(account.lines[0].hasPrefix("loss 40%: "))
      await relay.stop()
    }

    @Test("Fields are set in both directions; a field that no message has is reported")
    func fields() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let relay = try await Self.start(server, try Self.network(up: "--set intensity=2", down: "--set intensity=nan"))
      let pose = try Message.pose(
        seq: 1, timestampMicroseconds: 2, position: [1, 2, 3], orientation: [0, 0, 0, 1])
      try client.send(pose.bytes, to: relay.routes[0].listen)
      let (bytes, door) = try server.receive()
      #expect(bytes == pose.bytes)
      let haptic = try Message.haptic(intensity: 0.5)
      try server.send(haptic.bytes, to: door)
      let back = try client.receive().bytes
      #expect(back != haptic.bytes && Message(keeping: back, as: .teleUDP).value(of: "intensity")?.description == "nan")
      let network = try #require(try await relay.counts()[0].network)
      #expect(network.up.lines.last?.hasPrefix("set intensity=2 changed nothing") == true)
      #expect(network.down.lines == ["set intensity=nan: 100% (1 of 1)"])
      await relay.stop()
    }

    @Test("Without a known protocol no field is changed, and that is reported")
    func unknownPorts() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let spec = RelaySpec(
        .udp, listen: Endpoint(.loopback, port: 0),
        target: HostPort(host: server.endpoint.address.description, port: server.endpoint.port))
      let relay = try await Relay.start(
        [spec], observer: RelayTests.Recorder(), ports: .standard, network: try Self.network(up: "--hostile 100%"))
      try client.send([1, 2, 3], to: relay.routes[0].listen)
      #expect(try server.receive().bytes == [1, 2, 3])
      let network = try #require(try await relay.counts()[0].network)
      #expect(network.up.lines.last?.hasPrefix("no field was changed: no protocol is known") == true)
      #expect(network.down.lines == [])
      await relay.stop()
    }

    @Test("A datagram without room in the queue is dropped and counted")
    func room() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let relay = try await Self.start(
        server, try Self.network(up: "--delay 200ms"), RelayLimits(held: 2_500))
      for _ in 0..<5 { try client.send([UInt8](repeating: 1, count: 300), to: relay.routes[0].listen) }
      for _ in 0..<3 { #expect(try server.receive().bytes.count == 300) }
      #expect(try await relay.counts()[0].dropped == 2)
      await relay.stop()
    }

    @Test("A relay that is stopped drops the datagrams that wait")
    func stopped() async throws {
      let (server, client) = (try Socket.udp(), try Socket.udp())
      let relay = try await Self.start(server, try Self.network(up: "--delay 60s"))
      try client.send([1], to: relay.routes[0].listen)
      try await eventually { try await relay.counts()[0].clients != 0 }
      #expect(try await relay.counts()[0].network?.up.lines.last == "1 still on their way at the end: lost")
      await relay.stop()
      #expect(throws: (any Error).self) {
        try RelayNetwork(up: Impairments(parsing: "--set depth=1"), down: .none, seed: 1, [])
      }
    }
  }
}

import TelecapImpairment
import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

/// A relay that is a worse network for streams, between real sockets.
@Suite(.real("sockets")) struct RelayStreamTests {
  /// A connection through a relay: what the client and the server hold.
  private struct Ends {
    let relay: Relay
    let recorder: RelayTests.Recorder
    var client: Socket
    let server: Socket
    let listener: Socket

    /// The client resets its connection.
    mutating func leaveByReset() {
      client.becomeAbrupt()
      client = listener
    }

    func counts() async throws -> RelayCounts { try await relay.counts()[0] }

    func wait(until isSo: (RelayCounts) -> Bool) async throws {
      try await eventually { isSo(try await counts()) }
    }
  }

  private static func network(
    up: String = "", down: String = "", _ faults: StreamFaults = StreamFaults()
  ) throws -> RelayNetwork {
    try RelayNetwork(
      up: Impairments(parsing: up), down: Impairments(parsing: down), seed: 4, Ports.standard.protocols, faults: faults)
  }

  private static func start(
    _ network: RelayNetwork, _ limits: RelayLimits = RelayLimits(), desk: RelayController? = nil, clientPort: UInt16 = 0
  ) async throws -> Ends {
    let (listener, recorder) = (try Socket.listener(), RelayTests.Recorder())
    let spec = RelaySpec(
      .tcp, listen: Endpoint(.loopback, port: 0), target: HostPort(host: "127.0.0.1", port: listener.port))
    let relay = try await Relay.start(
      [spec], observer: recorder, ports: .standard, limits: limits, network: network, desk: desk)
    let client = try Socket.connected(to: relay.routes[0].listen.port, from: clientPort)
    return Ends(relay: relay, recorder: recorder, client: client, server: try listener.accepted(), listener: listener)
  }

  @Test(
    "Bytes and FIN arrive in order when they are due, and the other direction is not delayed")
  func delay() async throws {
    let ends = try await Self.start(try Self.network(up: "--delay 60ms --jitter 50ms --loss 50% --duplicate 100%"))
    let sent = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let begin = ContinuousClock.now
    try ends.client.send(sent)
    ends.client.finish()
    #expect(try ends.server.receive(sent.count) == sent)
    #expect(ContinuousClock.now - begin >= .milliseconds(60))
    #expect(ends.server.receiveEnd() == nil)
    try ends.server.send([1, 2])
    #expect(try ends.client.receive(2) == [1, 2])
    let counts = try await ends.counts()
    let (up, down) = try #require(counts.network)
    // Loss and duplication do not apply to a stream, and are not reported for it.
    #expect(up.lines.count == 1 && up.lines[0].hasPrefix("delay 60ms ± 50ms uniform: mean "))
    #expect(down.lines == [] && up.rates.meanDelayNanoseconds >= 50_000_000)
    #expect(counts.up.came == counts.up.passedOn && counts.up.came >= sent.count / 1_448)
    await ends.relay.stop()
  }

  @Test("A slow link passes bytes at its rate and slows its sender: nothing is lost, and little is buffered")
  func rate() async throws {
    let ends = try await Self.start(try Self.network(down: "--rate 4mbit,1"), RelayLimits(backlog: 20_000))
    let sent = [UInt8](repeating: 7, count: 100_000)
    let begin = ContinuousClock.now
    try ends.server.send(sent)
    #expect(try ends.client.receive(sent.count) == sent)
    // 100,000 bytes, and 28 for each piece, at 500,000 bytes a second.
    #expect(ContinuousClock.now - begin >= .milliseconds(200))
    #expect(try await ends.counts().network?.down.lines.first?.hasPrefix("rate 4mbit,1: 0% (0 of ") == true)
    await ends.relay.stop()
  }

  @Test("While a network stalls, no byte leaves")
  func stall() async throws {
    let ends = try await Self.start(try Self.network(up: "--stall 300ms@301ms"))
    let begin = ContinuousClock.now
    var longest = Duration.zero
    while longest < .milliseconds(150), ContinuousClock.now - begin < .seconds(60) {
      let sent = ContinuousClock.now
      try ends.client.send([1])
      #expect(try ends.server.receive(1) == [1])
      longest = max(longest, ContinuousClock.now - sent)
    }
    #expect(longest >= .milliseconds(150))
    await ends.relay.stop()
  }

  @Test("A changed network applies to later bytes, and no byte overtakes an earlier one")
  func changed() async throws {
    let desk = RelayController()
    let ends = try await Self.start(try Self.network(up: "--delay 500ms"), desk: desk)
    let begin = ContinuousClock.now
    try ends.client.send([1])
    try await ends.wait { $0.up.came == 1 }
    try await desk.play(Self.network())
    try ends.client.send([2])
    #expect(try ends.server.receive(2) == [1, 2])
    #expect(ContinuousClock.now - begin >= .milliseconds(500))
    let up = try #require(try await ends.counts().network?.up)
    #expect(up.lines == ["changed 1 time while it ran; in all 2 pieces"])
    await ends.relay.stop()
  }

  @Test("A connection is reset at its time: both sides get a RST, and data in flight is lost")
  func reset() async throws {
    let faults = StreamFaults(reset: .milliseconds(200))
    let ends = try await Self.start(try Self.network(up: "--delay 60s", faults))
    try ends.client.send([1])
    #expect(ends.client.receiveEnd() == "Connection reset by peer")
    #expect(ends.server.receiveEnd() == "Connection reset by peer")
    try await ends.wait { $0.faults?.resets == 1 }
    #expect(try await ends.counts().faults?.lines == ["1 connection reset"])
    #expect(ends.recorder.heard.events.map(\.0) == [.opened, .closed])
    await ends.relay.stop()
  }

  @Test("A half-open connection drops one side's data and FIN; the other direction goes on")
  func halfOpen() async throws {
    let faults = StreamFaults(halfOpen: .milliseconds(100), down: false)
    let ends = try await Self.start(try Self.network(faults))
    try await ends.wait { $0.faults?.halfOpened == 1 }
    try ends.client.send([1, 2, 3])
    try await ends.wait { $0.faults?.swallowedBytes == 3 }
    try ends.server.send([4])
    #expect(try ends.client.receive(1) == [4])
    ends.client.finish()
    try await eventually { ends.recorder.heard.events.contains(where: { $0.0 == .finished }) }
    try ends.server.send([5])
    #expect(try ends.client.receive(1) == [5])
    #expect(try await ends.counts().up.came == 0)
    // When the server's end comes as well, nobody is left.
    ends.server.finish()
    try await eventually { ends.recorder.heard.events.last?.0 == .closed }
    await ends.relay.stop()
  }

  @Test("The server does not notice that a half-open client left, whose place is free once it closes")
  func gone() async throws {
    let faults = StreamFaults(halfOpen: .milliseconds(50))
    let listener = try Socket.listener()
    let spec = RelaySpec(
      .tcp, listen: Endpoint(.loopback, port: 0), target: HostPort(host: "127.0.0.1", port: listener.port))
    let recorder = RelayTests.Recorder()
    let relay = try await Relay.start(
      [spec], observer: recorder, ports: .standard, limits: RelayLimits(clients: 1), network: try Self.network(faults))
    var client: Socket? = try Socket.connected(to: relay.routes[0].listen.port)
    var server: Socket? = try listener.accepted()
    try await eventually { try await relay.counts()[0].faults?.halfOpened == 1 }
    try client?.send([1])
    try await eventually { try await relay.counts()[0].faults?.swallowedBytes == 1 }
    client = nil
    try await eventually { recorder.heard.events.last?.0 == .finished }
    // The byte is dropped, and causes no traffic to the server.
    try server?.send([2])
    try await eventually { try await relay.counts()[0].faults?.swallowedBytes == 2 }
    #expect(recorder.heard.events.last?.0 == .finished)
    server = nil
    try await eventually { recorder.heard.events.last?.0 == .closed }
    let next = try Socket.connected(to: relay.routes[0].listen.port)
    let taken = try listener.accepted()
    try next.send([3])
    #expect(try taken.receive(1) == [3])
    await relay.stop()
  }

  @Test("A client that reconnects from its port has closed the half-open connection, without an event")
  func again() async throws {
    // Not a port that the system chooses: meanwhile it would give that to the socket of another test.
    let own = try freePort()
    var ends = try await Self.start(try Self.network(StreamFaults(halfOpen: .milliseconds(50))), clientPort: own)
    let recorder = ends.recorder
    func events() -> [RelayConnectionEvent] { recorder.heard.events.map(\.0).filter { $0 != .finished } }
    let door = ends.relay.routes[0].listen.port
    try await ends.wait { $0.faults?.halfOpened == 1 }
    ends.leaveByReset()
    // A program that another test starts just now holds a copy of the old socket, and with it the port, until it closes that.
    var again: Socket?
    try await eventually {
      again = try? Socket.connected(to: door, from: own)
      return again != nil
    }
    let next = try #require(again)
    let taken = try ends.listener.accepted()
    try next.send([3])
    #expect(try taken.receive(1) == [3])
    #expect(events() == [.opened, .closed, .opened])
    try ends.server.send([2])
    try await ends.wait { ($0.faults?.swallowedBytes ?? 0) == 1 }
    let flow = Flow(.tcp, from: Endpoint(.loopback, port: own), to: ends.listener.endpoint)
    #expect(ends.recorder.stream(flow) == [3] && ends.recorder.stream(flow.reversed) == [])
    await ends.relay.stop()
    #expect(events() == [.opened, .closed, .opened, .closed])
  }

  @Test("A relay that is stopped drops the bytes that wait")
  func stopped() async throws {
    let ends = try await Self.start(try Self.network(up: "--delay 60s"))
    try ends.client.send([1])
    try await ends.wait { $0.up.came == 1 }
    #expect(try await ends.counts().network?.up.lines.last == "1 still on their way at the end: lost")
    await ends.relay.stop()
    #expect(ends.server.receiveEnd() == nil)
    #expect(ends.recorder.heard.events.last?.0 == .closed)
  }
}

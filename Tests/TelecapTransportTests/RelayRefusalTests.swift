import NIOCore
import NIOPosix
import TelecapPlatform
import TelecapRecording
import TelecapTestSupport
@testable import TelecapTransport
import Testing

/// Rejected clients are counted once, and every count is part of a sum.
@Suite(.real("sockets")) struct RelayRefusalTests {
  /// A UDP relay to this address for as long as the body takes, with or without room for clients.
  private func withRelay(
    to target: SocketAddress, recorded: Endpoint, hasRoom: Locked<Bool>,
    _ body: (UDPRelay, RelayTests.Recorder) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let recorder = RelayTests.Recorder()
    let path = RelayPath(
      address: target, recorded: recorded, observer: recorder, limits: RelayLimits(idleSeconds: 86_400),
      hasRoom: { hasRoom.with { $0 } })
    let relay = try await UDPRelay.start(listen: Endpoint(.loopback, port: 0), path: path, on: group.next())
    do { try await body(relay, recorder) } catch {
      _ = await relay.stop()
      try await group.shutdownGracefully()
      throw error
    }
    _ = await relay.stop()
    try await group.shutdownGracefully()
  }

  private func wait(_ relay: UDPRelay, until isDone: (RelayCounts) -> Bool) async throws -> RelayCounts {
    var counts = try await relay.counts()
    try await eventually {
      counts = try await relay.counts()
      return isDone(counts)
    }
    return counts
  }

  @Test(
    "A UDP client without a descriptor is rejected once, recorded, and served when there is one",
    .timeLimit(.minutes(5)))
  func aUDPClientWithoutADescriptorIsRefusedOnceHeardAndServedWhenThereIsOne() async throws {
    let (server, clients) = (try Socket.udp(), [try Socket.udp(), try Socket.udp()])
    let hasRoom = Locked(false)
    try await withRelay(to: SocketAddress(server.endpoint), recorded: server.endpoint, hasRoom: hasRoom) {
      relay, heard in
      for number in UInt8(0)..<3 { try clients[0].send([number], to: relay.local) }
      try clients[1].send([9], to: relay.local)
      let refused = try await wait(relay) { $0.dropped == 4 }
      #expect(refused.clients == 2 && refused.refused == 2 && refused.forgotten == 0)
      #expect(refused.up.came == 4 && refused.up.passedOn == 0)
      #expect(heard.stream(Flow(.udp, from: clients[0].endpoint, to: server.endpoint)) == [0, 1, 2])
      hasRoom.with { $0 = true }
      try clients[0].send([3], to: relay.local)
      #expect(try server.receive().bytes == [3])
      let served = try await wait(relay) { $0.up.passedOn == 1 }
      #expect(served.clients == 2 && served.refused == 1 && served.forgotten == 0)
      #expect(served.up.came == served.up.passedOn + served.dropped)
    }
  }

  @Test(
    "A UDP client whose socket cannot connect is rejected once, however often it tries", .timeLimit(.minutes(5)))
  func aUDPClientWhoseSocketCannotBeConnectedIsRefusedOnceHoweverOftenItTries() async throws {
    let client = try Socket.udp()
    // Connecting to a broadcast address is not permitted to a socket that did not ask for it.
    let nowhere = try SocketAddress(ipAddress: "255.255.255.255", port: 9)
    let recorded = Endpoint(IPAddress(v4: 0xffff_ffff), port: 9)
    try await withRelay(to: nowhere, recorded: recorded, hasRoom: Locked(true)) { relay, _ in
      for number in 1...5 {
        try client.send([1], to: relay.local)
        let counts = try await wait(relay) { $0.dropped == number }
        #expect(counts.clients == 1 && counts.refused == 1 && counts.forgotten == 0)
      }
    }
  }

  @Test("A TCP client without a descriptor is closed and counted, and the next one is served", .timeLimit(.minutes(5)))
  func aTCPClientWithoutADescriptorIsClosedAndCountedAndTheNextOneServed() async throws {
    let server = try await TCPServer.start(greeting: [7])
    let hasRoom = Locked(false)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let path = RelayPath(
      address: try SocketAddress(server.endpoint), recorded: server.endpoint, observer: RelayTests.Recorder(),
      limits: RelayLimits(), hasRoom: { hasRoom.with { $0 } })
    let relay = try await TCPRelay.start(listen: Endpoint(.loopback, port: 0), path: path, on: group.next())
    let refused = try Socket.connected(to: relay.local.port)
    #expect(throws: (any Error).self) { try refused.receive(1) }
    hasRoom.with { $0 = true }
    let served = try Socket.connected(to: relay.local.port)
    served.finish()
    #expect(try served.receive(1) == [7])
    let counts = try await relay.counts()
    #expect(counts.clients == 2 && counts.refused == 1)
    _ = await relay.stop()
    try await group.shutdownGracefully()
    try await server.stop()
  }

  @Test("The number of rejected clients that are remembered is limited")
  func ofAddressesThatAreMadeUpSoManyAreKnown() throws {
    var refused = RefusedClients(most: 2)
    let addresses = try (1...3).map { try SocketAddress(ipAddress: "127.0.0.1", port: $0) }
    for address in addresses { refused.add(address, at: .now()) }
    #expect(addresses.map { refused.contains($0) } == [false, false, true])
    refused.remove(addresses[2])
    #expect(!refused.contains(addresses[2]))
  }

  @Test("A rejected client that stops sending is forgotten")
  func ofAddressesThatComeNoMoreNoneIsKnown() throws {
    var refused = RefusedClients()
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    refused.add(address, at: .uptimeNanoseconds(5))
    refused.forget(before: .uptimeNanoseconds(5))
    #expect(refused.contains(address))
    refused.forget(before: .uptimeNanoseconds(6))
    #expect(!refused.contains(address))
  }
}

/// The last descriptors are reserved for telecap itself.
@Suite struct DescriptorLimitTests {
  @Test(
    "A share of every descriptor limit is reserved",
    arguments: [(32, 16), (64, 16), (100, 25), (256, 64), (16_384, 64)])
  func someAreKeptOfEveryLimit(limit: Int, reserve: Int) {
    #expect(DescriptorLimit.isRoom(next: limit - reserve - 1, limit: limit))
    #expect(!DescriptorLimit.isRoom(next: limit - reserve, limit: limit))
  }

  @Test("Without a free descriptor there is no room")
  func whereNoneIsFreeThereIsNoRoom() {
    #expect(!DescriptorLimit.isRoom(next: -24, limit: 1_000))
  }

  @Test("There is room in a process that has opened little")
  func thereIsRoomInAProcessThatHasOpenedLittle() { #expect(DescriptorLimit.leavesRoom) }
}

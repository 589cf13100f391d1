import Foundation
import Dispatch
import NIOCore
import NIOPosix
import TelecapPlatform
import TelecapProtocols
import TelecapRecording
@testable import TelecapTransport
import TelecapTestSupport
import TelecapWire
import Testing

@Suite(.real("sockets")) struct RelayTests {
  /// Remembers what it hears.
  final class Recorder: RelayObserver {
    struct Heard: Sendable {
      var payloads: [(flow: Flow, bytes: [UInt8], time: Timestamp)] = []
      var events: [(RelayConnectionEvent, Flow)] = []
    }
    private let box = Locked(Heard())
    var heard: Heard { box.with { $0 } }

    func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
      let copy = bytes.withUnsafeBytes { Array($0) }
      box.with { $0.payloads.append((flow, copy, time)) }
    }

    func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {
      box.with { $0.events.append((event, flow)) }
    }

    /// All bytes of one flow.
    func stream(_ flow: Flow) -> [UInt8] { heard.payloads.filter { $0.flow == flow }.flatMap(\.bytes) }
  }

  func spec(_ carrier: Carrier, to target: Endpoint) -> RelaySpec {
    RelaySpec(
      carrier, listen: Endpoint(.loopback, port: 0),
      target: HostPort(host: target.address.description, port: target.port))
  }

  @Test("Two UDP clients each get their own replies")
  func twoUDPClientsEachGetTheirOwnReplies() async throws {
    let server = try Socket.udp()
    let clients = [try Socket.udp(), try Socket.udp()]
    let recorder = Recorder()
    let relay = try await Relay.start([spec(.udp, to: server.endpoint)], observer: recorder, ports: .standard)
    let door = relay.routes[0].listen
    var backs: [Endpoint] = []
    for (number, client) in clients.enumerated() {
      try client.send([1, UInt8(number)], to: door)
      let (bytes, from) = try server.receive()
      #expect(bytes == [1, UInt8(number)])
      backs.append(from)
    }
    #expect(backs[0] != backs[1])
    for number in [1, 0] { try server.send([2, UInt8(number)], to: backs[number]) }
    for (number, client) in clients.enumerated() {
      let (bytes, from) = try client.receive()
      #expect(bytes == [2, UInt8(number)])
      #expect(from == door)
    }
    await relay.stop()
    for (number, client) in clients.enumerated() {
      let flow = Flow(.udp, from: client.endpoint, to: server.endpoint)
      #expect(recorder.stream(flow) == [1, UInt8(number)])
      #expect(recorder.stream(flow.reversed) == [2, UInt8(number)])
    }
    #expect(recorder.heard.payloads.count == 4)
    #expect(recorder.heard.payloads.map(\.time) == recorder.heard.payloads.map(\.time).sorted())
  }

  @Test("Datagrams keep their order and bounds from the first on")
  func datagramsKeepTheirOrderAndBoundsFromTheFirstOn() async throws {
    let server = try Socket.udp()
    let client = try Socket.udp()
    let relay = try await Relay.start([spec(.udp, to: server.endpoint)], observer: Recorder(), ports: .standard)
    for length in 0..<40 { try client.send([UInt8](repeating: 5, count: length), to: relay.routes[0].listen) }
    for length in 0..<40 { #expect(try server.receive().bytes.count == length) }
    let counts = try await relay.counts()
    #expect(counts[0].payloads == 40 && counts[0].clients == 1 && counts[0].dropped == 0)
    await relay.stop()
  }

  @Test("A UDP client above the limit replaces the client that was idle for longest")
  func oneClientTooManyMakesTheLongestIdleForgotten() async throws {
    let server = try Socket.udp()
    let clients = [try Socket.udp(), try Socket.udp(), try Socket.udp()]
    let relay = try await Relay.start(
      [spec(.udp, to: server.endpoint)], observer: Recorder(), ports: .standard, limits: RelayLimits(clients: 2))
    for client in clients {
      try client.send([1], to: relay.routes[0].listen)
      _ = try server.receive()
    }
    let counts = try await relay.counts()[0]
    #expect(counts.clients == 3 && counts.forgotten == 1)
    await relay.stop()
  }

  @Test("An idle client expires and may return")
  func anIdleClientIsForgottenAndMayComeAgain() async throws {
    let server = try Socket.udp()
    let client = try Socket.udp()
    let relay = try await Relay.start(
      [spec(.udp, to: server.endpoint)], observer: Recorder(), ports: .standard, limits: RelayLimits(idleSeconds: 0))
    for round in 1...2 {
      try client.send([1], to: relay.routes[0].listen)
      #expect(try server.receive().bytes == [1])
      try await eventually { try await relay.counts()[0].forgotten >= round }
    }
    #expect(try await relay.counts()[0].clients == 2)
    await relay.stop()
  }

  @Test("A TCP client above the limit is rejected and the others stay")
  func aTCPClientTooManyIsTurnedAwayAndTheOthersStay() async throws {
    let server = try await TCPServer.start(greeting: [1])
    let relay = try await Relay.start(
      [spec(.tcp, to: server.endpoint)], observer: Recorder(), ports: .standard, limits: RelayLimits(clients: 1))
    let policy = DestinationPolicy(.loopback)
    let first = try StreamSender(to: relay.routes[0].listen, policy: policy)
    let second = try StreamSender(to: relay.routes[0].listen, policy: policy)
    var heard = 0
    let stop = StopFlag()
    _ = try? second.finish(withinNanoseconds: StreamSenderTests.longEnough, stop: stop) { heard += $1.byteCount }
    #expect(heard == 0 && second.peerEnded)
    #expect(try first.finish(withinNanoseconds: StreamSenderTests.longEnough, stop: stop) { heard += $1.byteCount })
    #expect(heard == 1)
    #expect(try await relay.counts()[0].refused == 1)
    await relay.stop()
    try await server.stop()
  }

  @Test("Stopping closes connections that are open")
  func stoppingClosesConnectionsThatAreOpen() async throws {
    let server = try await TCPServer.start(greeting: [])
    let recorder = Recorder()
    let relay = try await Relay.start([spec(.tcp, to: server.endpoint)], observer: recorder, ports: .standard)
    let client = try StreamSender(to: relay.routes[0].listen, policy: DestinationPolicy(.loopback))
    try client.send([1, 2, 3])
    try await eventually { !recorder.heard.payloads.isEmpty }
    await relay.stop()
    #expect(recorder.heard.events.map(\.0) == [.opened, .closed])
    try await server.stop()
  }

  @Test("A relay goes on when its UDP server is closed")
  func aClosedUDPServerIsNoReasonToStop() async throws {
    let client = try Socket.udp()
    let closed = try closedPort()
    let recorder = Recorder()
    let relay = try await Relay.start([spec(.udp, to: closed)], observer: recorder, ports: .standard)
    for number in UInt8(0)..<5 {
      try client.send([number], to: relay.routes[0].listen)
      try await eventually { try await passed(relay) >= Int(number) + 1 }
    }
    await relay.stop()
    #expect(recorder.stream(Flow(.udp, from: client.endpoint, to: closed)) == [0, 1, 2, 3, 4])
  }

  /// Datagrams that were passed on, and that could not be.
  private func passed(_ relay: Relay) async throws -> Int {
    let counts = try await relay.counts()[0]
    return counts.payloads + counts.dropped
  }

  /// A network that goes down while an answer is sent (ENETUNREACH, EPERM) ends the socket that clients send to.
  @Test("A listener whose socket fails listens again on the same port")
  func aListenerThatEndsListensAgainAtTheSamePlace() async throws {
    let server = try Socket.udp()
    let client = try Socket.udp()
    let recorder = Recorder()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    // However long a busy machine stands still, the client is not forgotten.
    let limits = RelayLimits(idleSeconds: 86_400)
    let path = try RelayPath(
      address: SocketAddress(server.endpoint), recorded: server.endpoint, observer: recorder, limits: limits)
    let relay = try await UDPRelay.start(listen: Endpoint(.loopback, port: 0), path: path, on: group.next())
    try client.send([1], to: relay.local)
    let (_, back) = try server.receive()
    let clients = relay.clients
    // A program that another test starts at this moment may hold the port until it runs: then it is tried again.
    try await group.next().submit { clients.value.listener?.close(promise: nil) }.get()
    try await eventually { try await group.next().submit({ clients.value.listener != nil }).get() }
    try server.send([2], to: back)
    #expect(try client.receive().0 == [2], "the client is known as before")
    try client.send([3], to: relay.local)
    #expect(try server.receive().0 == [3])
    #expect(try await relay.counts().clients == 1)
    _ = await relay.stop()
    try await group.shutdownGracefully()
  }

  @Test("A server that starts later gets the datagrams from then on")
  func aServerThatComesLaterGetsWhatIsSentFromThenOn() async throws {
    let client = try Socket.udp()
    let closed = try closedPort()
    let relay = try await Relay.start([spec(.udp, to: closed)], observer: Recorder(), ports: .standard)
    let door = relay.routes[0].listen
    // Bursts, so that the answer to the first datagram fails the next.
    for number in UInt8(0)..<100 { try client.send([number], to: door) }
    try await eventually { try await passed(relay) >= 100 }
    let server = try Socket.udp(at: closed.port)
    // An answer to what was sent before may fail one more.
    for number in UInt8(100)..<103 {
      try client.send([number], to: door)
      try await eventually { try await passed(relay) >= Int(number) + 1 }
    }
    #expect(try server.receive().bytes[0] >= 100)
    await relay.stop()
  }

  #if os(Linux)
    /// Holds the relay up at the first datagram, until it is let go.
    private final class Slow: RelayObserver {
      let gate = DispatchSemaphore(value: 0)
      private let count = Locked(0)
      var heard: Int { count.with { $0 } }

      func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
        if count.with({
          $0 += 1; return $0
        }) == 1 {
          gate.wait()
        }
      }

      func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {}
    }

    @Test("Datagrams of a flood that the kernel drops are counted")
    func whatTheKernelDropsOfAFloodIsCounted() async throws {
      let (server, client, slow) = (try Socket.udp(), try Socket.udp(), Slow())
      let relay = try await Relay.start([spec(.udp, to: server.endpoint)], observer: slow, ports: .standard)
      #expect(Relay.knowsKernelDrops)
      let flood = 20_000
      for _ in 0..<flood { try client.send([UInt8](repeating: 1, count: 1_000), to: relay.routes[0].listen) }
      slow.gate.signal()
      var dropped = 0
      try await eventually {
        dropped = try await relay.counts()[0].droppedByKernel
        return slow.heard + dropped >= flood
      }
      #expect(dropped > 0 && slow.heard + dropped == flood)
      #expect(try await relay.tallies()[0].droppedByKernel == dropped)
      await relay.stop()
    }

    /// The lines of the kernel on the sockets at a UDP port: they show what waits in them, and what was dropped (proc(5), /proc/net/udp).
    private static func queue(ofPort port: UInt16) throws -> String {
      let digits = String(port, radix: 16, uppercase: true)
      let place = ":" + String(repeating: "0", count: 4 - digits.count) + digits + " "
      let lines = try String(contentsOfFile: "/proc/net/udp", encoding: .utf8).split(separator: "\n")
      return lines.filter { $0.contains(place) }.joined()
    }

    @Test("Datagrams in the kernel's queue when a relay is stopped are read and counted")
    func whatWaitsInTheKernelWhenARelayIsStoppedIsReadAndCounted() async throws {
      let (server, client, slow) = (try Socket.udp(), try Socket.udp(), Slow())
      let relay = try await Relay.start([spec(.udp, to: server.endpoint)], observer: slow, ports: .standard)
      let flood = 5_000
      for _ in 0..<flood { try client.send([1, 2, 3], to: relay.routes[0].listen) }
      // On a busy machine the kernel delivers what was sent later: that is not waiting yet, and comes too late for a relay that stops.
      var (last, unchanged) = ("", 0)
      try await eventually {
        let now = try Self.queue(ofPort: relay.routes[0].listen.port)
        (last, unchanged) = (now, now == last ? unchanged + 1 : 0)
        return !now.isEmpty && unchanged >= 100
      }
      async let ended = relay.stop()
      slow.gate.signal()
      let counts = await ended[0]
      #expect(slow.heard + counts.droppedByKernel == flood && counts.up.came == slow.heard)
      #expect(counts.up.passedOn + counts.dropped == slow.heard)
    }
  #endif

  @Test("A TCP stream passes both ways and its half close too")
  func aTCPStreamPassesBothWaysAndItsHalfCloseToo() async throws {
    let server = try await TCPServer.start(greeting: [0xaa])
    let recorder = Recorder()
    let relay = try await Relay.start([spec(.tcp, to: server.endpoint)], observer: recorder, ports: .standard)
    let client = try StreamSender(to: relay.routes[0].listen, policy: DestinationPolicy(.loopback))
    for byte in UInt8(0)..<100 { try client.send([byte]) }
    var back: [UInt8] = []
    // The server answers only after the client's end of stream: that must pass, and the answer after it.
    let ended = try client.finish(withinNanoseconds: StreamSenderTests.longEnough, stop: StopFlag()) { _, bytes in
      back += bytes.withUnsafeBytes { Array($0) }
    }
    #expect(ended)
    #expect(back == [0xaa] + Array(0..<100))
    await relay.stop()
    let flow = Flow(.tcp, from: client.flow.source, to: server.endpoint)
    #expect(recorder.stream(flow) == Array(0..<100))
    #expect(recorder.stream(flow.reversed) == back)
    #expect(recorder.heard.events.map(\.0) == [.opened, .finished, .finished, .closed])
    #expect(recorder.heard.events.map(\.1) == [flow, flow, flow.reversed, flow])
    try await server.stop()
  }

  @Test("A slow reader loses nothing and slows the sender")
  func aSlowReaderLosesNothingAndHoldsTheOtherSideBack() async throws {
    let server = try await TCPServer.start(greeting: [])
    let relay = try await Relay.start(
      [spec(.tcp, to: server.endpoint)], observer: Recorder(), ports: .standard, limits: RelayLimits(backlog: 4096))
    let client = try StreamSender(to: relay.routes[0].listen, policy: DestinationPolicy(.loopback))
    let piece = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 / 3) }
    for _ in 0..<100 { try client.send(piece) }
    var back: [UInt8] = []
    back.reserveCapacity(100 * piece.count)
    let ended = try client.finish(withinNanoseconds: StreamSenderTests.longEnough, stop: StopFlag()) { _, bytes in
      bytes.withUnsafeBytes { back += $0 }
    }
    let isWhole = back == Array(repeatElement(piece, count: 100).joined())
    #expect(ended && isWhole)
    await relay.stop()
    try await server.stop()
  }

  @Test("Bytes that were read and did not arrive are counted exactly")
  func whatWasReadAndDidNotArriveIsCountedToTheByte() async throws {
    let (listener, recorder) = (try Socket.listener(), Recorder())
    let relay = try await Relay.start(
      [spec(.tcp, to: Endpoint(.loopback, port: listener.port))], observer: recorder, ports: .standard)
    let client = try Socket.connected(to: relay.routes[0].listen.port)
    let server = try listener.accepted()
    // More than all buffers hold, to a server that does not read: it ends with the relay.
    Thread.detachNewThread { try? client.send([UInt8](repeating: 7, count: 64 << 20)) }
    var (read, seen) = (-1, 0)
    while read != seen || seen == 0 {
      read = seen
      try await Task.sleep(for: .milliseconds(300))
      seen = try await relay.counts()[0].bytes
    }
    let counts = await relay.stop()[0]
    #expect(counts.cutBytes > 0 && counts.dropped == 1, "\(counts)")
    #expect(try server.receive(counts.bytes - counts.cutBytes).count == counts.bytes - counts.cutBytes)
    #expect(server.receiveEnd() == nil)
  }

  @Test("A TCP client without a server is closed and reported as failed")
  func aTCPClientWithoutAServerIsClosedAndSaidToHaveFailed() async throws {
    let closed = try closedPort()
    let recorder = Recorder()
    let relay = try await Relay.start([spec(.tcp, to: closed)], observer: recorder, ports: .standard)
    let client = try StreamSender(to: relay.routes[0].listen, policy: DestinationPolicy(.loopback))
    let ended = try client.finish(withinNanoseconds: StreamSenderTests.longEnough, stop: StopFlag()) { _, _ in }
    #expect(ended)
    await relay.stop()
    #expect(recorder.heard.events.map(\.0) == [.failed])
    #expect(recorder.heard.events.map(\.1) == [Flow(.tcp, from: client.flow.source, to: closed)])
  }

  @Test("The error for a port in use names it")
  func aPortInUseIsAnErrorThatSaysWhich() async throws {
    let taken = try Socket.udp()
    let spec = RelaySpec(.udp, listen: taken.endpoint, target: HostPort(host: "127.0.0.1", port: 9))
    do {
      _ = try await Relay.start([spec], observer: Recorder(), ports: .standard)
      Issue.record("it listens")
    } catch let error as RelayError {
      #expect(error.description == "cannot listen on udp \(taken.endpoint): Address already in use")
    }
  }

  @Test("A multicast target is rejected")
  func aMulticastTargetIsRefused() async throws {
    let group = Endpoint(IPAddress(v4: 0xe000_0001), port: 5)
    await #expect(throws: DestinationError.multicast(group)) {
      _ = try await Relay.start([spec(.udp, to: group)], observer: Recorder(), ports: .standard)
    }
  }
}

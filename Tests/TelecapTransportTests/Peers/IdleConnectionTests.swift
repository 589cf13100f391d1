#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSockets
import TelecapModels
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// A peer that emits an event for each connection.
private struct Door: Peer {
  var nextWake: Timestamp? { nil }

  private func tell(_ word: String, _ perform: Perform) { perform(.event(.told(word)), RawSpan()) }

  mutating func start(at time: Timestamp, _ perform: Perform) {}
  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    tell("opened", perform)
  }
  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) { tell("closed", perform) }
  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {}
  mutating func advance(to time: Timestamp, _ perform: Perform) {}
  mutating func stop(at time: Timestamp, _ perform: Perform) {}
}

@Suite("Idle connections of a simulated host", .serialized, .real("sockets")) struct IdleConnectionTests {
  @Test("A host has up to 256 open connections, and the next waits until one is closed")
  func room() async throws {
    let log = EventLog()
    let host = try await RunningPeer.start(Door(), PeerSockets(listen: Endpoint(.loopback, port: 0)), tell: log.note)
    let port = try #require(host.listening).port
    let most = AcceptingWithRoom.maxConnections
    // The system takes all of them; the host accepts one less.
    var clients: [Socket] = []
    for _ in 0...most { clients.append(try Socket.connected(to: port)) }
    #expect(try await log.wait { $0.all.count == most })
    clients.removeFirst()
    #expect(try await log.wait { $0.all.count == most + 2 })
    let words = log.all.map(\.event)
    #expect(words.suffix(2) == [.told("closed"), .told("opened")] && Set(words.prefix(most)) == [.told("opened")])
    try await host.stop()
  }

  @Test("The system probes an idle client after 5 s of silence")
  func keepalive() throws {
    let listener = try Socket.listener()
    let client = try Socket.connected(to: listener.port)
    let accepted = try listener.accepted()
    #expect(telecap_keepalive_begin(accepted.descriptor, 5, 1, 3) == 0)
    func option(_ level: Int32, _ name: Int32) -> Int32 {
      var (value, size) = (Int32(0), socklen_t(4))
      return getsockopt(accepted.descriptor, level, name, &value, &size) == 0 ? value : -1
    }
    #expect(option(SOL_SOCKET, SO_KEEPALIVE) != 0)
    #if os(Linux)
      #expect(option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 5)
    #endif
    #expect(option(Int32(IPPROTO_TCP), TCP_KEEPINTVL) == 1 && option(Int32(IPPROTO_TCP), TCP_KEEPCNT) == 3)
    #expect(telecap_keepalive_begin(-1, 5, 1, 3) == -EBADF)
    withExtendedLifetime(client) {}
  }
}

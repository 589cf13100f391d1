import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapTransport
import Testing

@Suite(.real("sockets")) struct PeerRunTests {
  private let free = PeerSockets(udp: Endpoint(.loopback, port: 0))

  @Test("A peer runs for its time, and reports its port")
  func duration() async throws {
    let clock = SystemMonotonicClock()
    let begin = clock.now()
    var port: UInt16 = 0
    try await RunningPeer.run(
      HostModel(), free, duration: 100_000_000, endsWhenFinished: false, stop: StopFlag(),
      opened: { port = $0.udp?.port ?? 0 }, tell: { _, _ in })
    #expect(clock.now() - begin >= 100_000_000 && port > 0)
  }

  @Test("Raising the flag ends a peer")
  func stop() async throws {
    let stop = StopFlag()
    stop.raise()
    try await RunningPeer.run(
      HostModel(), free, duration: nil, endsWhenFinished: false, stop: stop, tell: { _, _ in })
  }
}

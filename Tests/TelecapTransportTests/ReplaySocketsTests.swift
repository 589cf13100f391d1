import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapTransport

/// The packets that the sockets of a replay send if it ends early.
@Suite(.real("sockets")) struct ReplaySocketsTests {
  /// An observer whose file takes no more.
  private final class FullDisk: ReplayObserver {
    struct NoRoom: Error {}
    var heard = 0
    let watchesPackets = false

    func began(at time: Timestamp) throws {}
    func planned(_ packet: ReplayPacket, _ bytes: RawSpan) throws {}
    func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) throws {}
    func toreDown(_ flow: Flow, _ bytes: RawSpan) throws {
      heard += 1
      throw NoRoom()
    }
    func sent(at time: Nanoseconds) throws {}
    func replied(_ reply: Reply, _ bytes: RawSpan) throws {}
    func idle(packets: Int) throws {}
  }

  @Test("Each flow is torn down, even if the recorder fails at the first")
  func failingRecorder() throws {
    let observer = FullDisk()
    let receivers = try (0..<3).map { _ in try DatagramSender(policy: DestinationPolicy(.loopback)) }
    let ends = try receivers.map { $0.flow(of: try $0.open(to: Endpoint(.loopback, port: 9))).source }
    let routes = ends.enumerated().map { ReplayRoute(carrier: .udp, destination: $1, lane: $0) }
    let sockets = try ReplaySockets(
      routes, DestinationPolicy(.loopback), observer, teardowns: routes.map { _ in Teardown(.mouse, over: .udp) })
    for flow in routes.indices {
      let packet = ReplayPacket(number: flow + 1, flow: flow, carrier: .udp, sentAt: 0)
      #expect(try sockets.load(packet, ([0xaa, 1, 0, 0, 0] as [UInt8]).span.bytes))
    }
    try sockets.flush(at: 0)
    let result = sockets.tearDown()
    #expect(result.sent.map(\.bytes) == routes.map { _ in [0xaa, 0, 0, 0, 0] })
    #expect(result.error is FullDisk.NoRoom)
    #expect(observer.heard == 3)
    #expect(sockets.datagrams.counts.sent == 6)
  }

  @Test("A stream that the recording closed needs no teardown, and an open one does", arguments: [true, false])
  func closedStream(isClosed: Bool) async throws {
    let server = try await TCPServer.start(greeting: [])
    let route = ReplayRoute(carrier: .tcp, destination: server.endpoint, lane: 0)
    let sockets = try ReplaySockets(
      [route], DestinationPolicy(.loopback), FullDisk(), teardowns: [Teardown(.mouse, over: .tcp)])
    let packet = ReplayPacket(number: 1, flow: 0, carrier: .tcp, sentAt: 0)
    let kinds: [StreamPiece.Kind] = [.open, .send(count: 5)] + (isClosed ? [.close] : [])
    try sockets.send(
      packet, kinds.map { StreamPiece(stream: 1, flow: 0, kind: $0) }[...],
      ([0xbb, 1, 0, 0, 0] as [UInt8]).span.bytes, at: 0)
    let result = sockets.tearDown()
    #expect(result.sent.map(\.bytes) == (isClosed ? [] : [[0xbb, 0, 0, 0, 0]]))
    #expect(result.problems == [])
    try await server.stop()
  }
}

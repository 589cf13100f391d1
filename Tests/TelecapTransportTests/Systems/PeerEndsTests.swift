import TelecapModels
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// The connections of a system that speaks first, in the order in which it made them.
@Suite("The sides of a run", .real("sockets")) struct PeerEndsTests {
  @Test("All bytes of a system's connection are read before those of its next one", arguments: [true, false])
  func reconnects(_ isEnded: Bool) throws {
    let ends = try PeerEnds(
      speaksFirst: true, udp: nil, tcp: Endpoint(.loopback, port: 0), peers: [], policy: DestinationPolicy(.loopback))
    let port = try #require(ends.listening).port
    var arrivals: [String] = []
    func receive() throws {
      try ends.receive { arrival, bytes in
        switch arrival {
        case .bytes(let peer, _, _): arrivals.append("\(peer): \(bytes.byteCount) bytes")
        case .opened(let peer): arrivals.append("\(peer): opened")
        case .disconnected(let peer): arrivals.append("\(peer): disconnected")
        }
      }
    }
    let first = try Socket.connected(to: port)
    try receive()
    try first.send([1, 2, 3])
    if isEnded { first.finish() }
    let second = try Socket.connected(to: port)
    try receive()
    #expect(
      arrivals == ["host: opened", "host: 3 bytes"] + (isEnded ? ["host: disconnected"] : []) + ["host: opened"])
    try second.send([4])
    try receive()
    #expect(arrivals.last == "host: 1 bytes")
  }
}

import TelecapRecording
import TelecapTestSupport
import Testing
import TelecapText

@Suite struct EndpointTests {
  @Test(
    "A printed endpoint is parsed back",
    arguments: [
      "192.0.2.1:50000", "0.0.0.0:0", "127.0.0.1:65535", "[::1]:8888", "[2001:db8::1]:1", "[::ffff:192.0.2.1]:80",
    ])
  func roundTrip(_ text: String) throws {
    #expect(try #require(Endpoint(text)).description == text)
  }

  @Test(
    "A text that is no endpoint is not parsed",
    arguments: [
      "", ":", "192.0.2.1", "192.0.2.1:", ":50000", "192.0.2.1:65536", "192.0.2.1:-1", "192.0.2.1:+1", "192.0.2.1:0x10",
      "192.0.2.1: 1", "192.0.2.1:01", "192.0.2.1:999999999999999999999", "192.0.2.1:1:2", "::1:8888",
      "2001:db8::1:8888",
      "[::1]", "[::1]:", "[::1:8888", "::1]:8888", "[]:1", "[192.0.2.1]:1", "[[::1]]:1", "localhost:1", "192.0.2.1:１",
    ])
  func invalid(_ text: String) { #expect(Endpoint(text) == nil) }

  @Test("A flow names its endpoints, and can be reversed")
  func flow() {
    let phone = Endpoint(IPAddress(v4: 0xc000_0201), port: 40_000)
    let host = Endpoint(IPAddress(v6High: 0, low: 1), port: 50_000)
    let flow = Flow(.udp, from: phone, to: host)
    #expect(flow.description == "udp 192.0.2.1:40000 → [::1]:50000")
    #expect(flow.reversed.description == "udp [::1]:50000 → 192.0.2.1:40000")
    #expect(flow.reversed.reversed == flow)
    #expect(flow != Flow(.tcp, from: phone, to: host))
  }

  @Test("The numbers and names that captures store never change")
  func names() {
    #expect(Carrier.allCases.map(\.rawValue) == [17, 6, 253])
    #expect(Carrier.allCases.map(\.name) == ["udp", "tcp", "ble"])
    #expect(Direction.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(Direction.allCases.map(\.name) == ["unknown", "client-to-server", "server-to-client"])
    #expect(Direction.allCases.map(\.reversed) == [.unknown, .serverToClient, .clientToServer])
  }

  @Test("A session begins open, with nothing in it")
  func session() {
    let phone = Endpoint(.loopback, port: 1)
    let session = Session(
      id: 1, protocolName: "tele", carrier: .udp, client: phone, server: phone, sessionID: nil,
      opened: Timestamp(nanoseconds: 5))
    #expect(session.end == .open)
    #expect(session.messages == 0)
    #expect(session.lastSeen == session.opened)
  }
}

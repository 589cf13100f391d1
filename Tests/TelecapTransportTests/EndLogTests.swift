import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapTransport

/// The log of the traffic with each side of a relay, and the sender of each entry.
@Suite struct EndLogTests {
  private static let server = Endpoint(.loopback, port: 50_000)
  private static let client = Endpoint(.loopback, port: 40_000)

  private func logs(_ carriers: Carrier..., judges: @escaping @Sendable (Role) -> Bool = { _ in true }) -> EndLogs {
    let logs = EndLogs(.standard, judges: judges)
    for carrier in carriers {
      let target = HostPort(host: "127.0.0.1", port: Self.server.port)
      logs.begins(RelaySpec(carrier, listen: Endpoint(.loopback, port: 0), target: target), to: Self.server)
    }
    return logs
  }

  /// Passes on what the client sends, as it came.
  private func pass(_ bytes: [UInt8], _ carrier: Carrier, to logs: EndLogs) {
    let (flow, now) = (Flow(carrier, from: Self.client, to: Self.server), WallClock.now())
    logs.relayed(bytes.span.bytes, flow: flow, time: now)
    logs.passedOn(bytes.span.bytes, 1, flow: flow, by: nil, cameAt: now, time: now)
  }

  private func connect(_ logs: EndLogs, _ event: RelayConnectionEvent = .opened) {
    logs.connection(event, flow: Flow(.tcp, from: Self.client, to: Self.server), time: WallClock.now())
  }

  /// From whom something was delivered to the host, in order.
  private func senders(_ logs: EndLogs) -> [PeerName] {
    logs.finish(lateness: RunLateness()).logs.first { $0.role?.side == .host }?.log.entries.compactMap { entry in
      if case .delivered(_, _, let peer, _, _) = entry.what { peer } else { nil }
    } ?? []
  }

  @Test("A client port that a later TCP connection uses again is another peer")
  func again() {
    let logs = logs(.tcp)
    for byte: UInt8 in 1...2 {
      connect(logs)
      pass([byte], .tcp, to: logs)
      pass([byte], .tcp, to: logs)
      connect(logs, .closed)
    }
    #expect(senders(logs) == ["a", "a", "b", "b"])
  }

  @Test("UDP and TCP packets from one port number have two senders")
  func carriers() {
    let logs = logs(.udp, .tcp)
    pass([1], .udp, to: logs)
    connect(logs)
    pass([2], .tcp, to: logs)
    pass([3], .udp, to: logs)
    #expect(senders(logs) == ["a", "b", "a"])
  }

  @Test("A side without a test has no log, and without any test nothing is counted")
  func judged() {
    let none = logs(.udp) { _ in false }
    pass([1], .udp, to: none)
    #expect(none.knowsProtocol && !none.isJudged && none.finish(lateness: RunLateness()).logs.isEmpty)
    let clients = logs(.udp) { $0.side == .client }
    pass([1], .udp, to: clients)
    let kept = clients.finish(lateness: RunLateness()).logs
    #expect(kept.map { $0.role?.side } == [.client] && clients.isJudged)
    #expect(kept.first?.log.entries.count == 1)
    let unknown = EndLogs(Ports([]), judges: { _ in true })
    unknown.begins(RelaySpec(.udp, listen: Self.client, target: HostPort(host: "h", port: 1)), to: Self.server)
    #expect(!unknown.knowsProtocol && !unknown.isJudged)
  }

  @Test("A payload that leaves unchanged is stored once")
  func shared() {
    let logs = logs(.udp)
    pass(Array(repeating: 7, count: 40), .udp, to: logs)
    let places = logs.finish(lateness: RunLateness()).logs.flatMap(\.log.entries).compactMap {
      entry -> UnsafeRawPointer? in
      switch entry.what {
      case .sent(let bytes, _, _, _), .delivered(let bytes, _, _, _, _), .replied(let bytes, _, _):
        bytes.withUnsafeBytes { $0.baseAddress }
      default: nil
      }
    }
    #expect(places.count == 3 && Set(places).count == 1)
  }
}

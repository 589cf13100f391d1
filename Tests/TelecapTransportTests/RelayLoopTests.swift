import TelecapProtocols
import TelecapRecording
import TelecapTestSupport
import Testing

@testable import TelecapTransport

/// A relay that passes on to itself would send what comes in round for ever.
@Suite struct RelayLoopTests {
  private static let own: Set = [IPAddress(v4: 0xc000_0205), .loopback, IPAddress(v6High: 0, low: 1)]

  /// The relays of the ring that these make; nil where they make none.
  private func ring(_ texts: [String]) throws -> [String]? {
    var loops = RelayLoops(own: Self.own)
    do {
      for text in texts {
        let spec = try RelaySpec(parsing: text)
        try loops.add(spec, to: try #require(try spec.target.resolve().first))
      }
      return nil
    } catch let error as RelayError {
      guard case .passesToItself(let specs) = error else { throw error }
      return specs.map(\.description)
    }
  }

  @Test(
    "A relay to its own port is a loop, under any name of this machine",
    arguments: [
      "udp:50000=127.0.0.1:50000", "tcp:50000=127.0.0.1:50000", "udp:50000=localhost:50000",
      "udp:[::1]:50000=[::1]:50000", "udp:0.0.0.0:50000=127.0.0.1:50000", "udp:0.0.0.0:50000=127.3.2.1:50000",
      "udp:0.0.0.0:50000=192.0.2.5:50000", "tcp:[::]:50000=[::1]:50000", "udp:[::]:50000=127.0.0.1:50000",
      "udp:127.0.0.1:50000=[::ffff:127.0.0.1]:50000", "udp:192.0.2.5:50000=192.0.2.5:50000",
    ])
  func alone(_ text: String) throws { #expect(try ring([text])?.count == 1) }

  @Test("Relays that pass on to each other are a loop, in pairs, in threes, and with one before it")
  func rings() throws {
    #expect(try ring(["udp:50000=127.0.0.1:50001", "udp:50001=127.0.0.1:50000"])?.count == 2)
    let three = ["tcp:50000=127.0.0.1:50001", "tcp:50001=127.0.0.1:50002", "tcp:0.0.0.0:50002=127.0.0.1:50000"]
    #expect(try ring(three)?.count == 3)
    #expect(
      try ring(["udp:49999=127.0.0.1:50000", "udp:50000=127.0.0.1:50001", "udp:50001=127.0.0.1:50000"])?.count == 2)
  }

  @Test("Another port, transport, machine or address of this one is no loop")
  func none() throws {
    for texts in [
      ["udp:50000=127.0.0.1:50001"], ["udp:50000=127.0.0.2:50000"], ["udp:0.0.0.0:50000=192.0.2.6:50000"],
      ["udp:0.0.0.0:50000=[::1]:50000"], ["udp:50000=192.0.2.5:50000"],
      ["udp:50000=127.0.0.1:50001", "udp:50001=127.0.0.1:50002"],
      ["udp:50000=127.0.0.1:50001", "tcp:50001=127.0.0.1:50000"],
    ] { #expect(try ring(texts) == nil, "\(texts)") }
  }

  @Test("A relay to itself does not start, and the error names it; the machine's own addresses are known")
  func refused() async throws {
    let free = try Socket.udp().endpoint.port
    let spec = try RelaySpec(parsing: "udp:\(free)=127.0.0.1:\(free)")
    let error = RelayError.passesToItself([spec])
    await #expect(throws: error) { try await Relay.start([spec], observer: RelayTests.Recorder(), ports: .standard) }
    #expect(
      "\(error)".hasPrefix("relay udp:127.0.0.1:\(free)=127.0.0.1:\(free) passes on to itself: what comes in would"))
    #expect(IPAddress.ofThisMachine().contains(.loopback))
  }
}

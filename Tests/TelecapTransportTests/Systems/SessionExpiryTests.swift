import TelecapConformance
import TelecapModels
import TelecapMouse
import TelecapProtocols
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapTransport

/// The pause between two runs of a system that keeps running.
@Suite("The sessions of the last run expire before the next run") struct SessionExpiryTests {
  private static func gate(_ rules: String, timeout: String = "3s") throws -> WireProtocol {
    try ProtocolFile.read(
      """
      protocol: gate
      carriers: [{name: udp, over: udp, port: 7000}]
      header: [{name: kind, type: u8, is: type}]
      messages:
        - {name: ASK, type: 1, from: client}
        - {name: YES, type: 2, from: host, fields: [{name: granted, type: u8}]}
        - {name: BYE, type: 3, from: client}
      session: {asked-by: ASK, answered-by: [YES], accepts: {granted: 1}, timeout: \(timeout)\(rules)}

      """, file: "gate.yaml")
  }

  @Test("A client needs its timeout and a third; a host only where it can be full and nothing ends a session")
  func times() throws {
    func time(_ role: Role) -> Nanoseconds { SessionExpiry.time(of: Part(role)) }
    #expect(time(.phone) == 4_050_000_000 && time(.host) == 0)
    #expect(time(.mouse) == 0 && time(.mouseHost) == 0)
    for (rules, host) in [
      (", clients: 1", 4_050_000_000), (", rejects: {busy: 2}", 4_050_000_000), ("", 0),
      (", clients: 1, closed-by: BYE", 0),
    ] as [(String, Nanoseconds)] {
      let gate = try Self.gate(rules)
      #expect(time(Role(gate, .client)) == 4_050_000_000 && time(Role(gate, .host)) == host, "\(rules)")
    }
    #expect(time(Role(try Self.gate("", timeout: "60s"), .client)) == 80_050_000_000)
    #expect(time(Role(try Self.gate("", timeout: "61s"), .client)) == 0, "no suite waits for so long")
  }

  @Test("The pause begins at the end of the last run, and ends when the user stops the suite", .timeLimit(.minutes(10)))
  func waits() async {
    let (clock, stop) = (ManualClock(), StopFlag())
    let expiry = SessionExpiry(of: Part(.phone), by: clock, stop: stop)
    await expiry.wait()
    expiry.begin()
    let start = clock.time
    let waiting = Task {
      await expiry.wait()
      return clock.time
    }
    while clock.time - start < 4_050_000_000 {
      await clock.untilSomebodyWaits()
      clock.pass(20_000_000)
    }
    let passed = await waiting.value - start
    #expect((4_050_000_000..<4_100_000_000).contains(passed), "\(passed)")
    expiry.begin()
    stop.raise()
    await expiry.wait()
  }
}

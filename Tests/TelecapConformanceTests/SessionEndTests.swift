import TelecapModels
import TelecapRecording
import TelecapSuites
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapConformance

/// A client that ends its process in an orderly way when its session was closed is no broken one.
@Suite("The end of a client's process") struct SessionEndTests {
  /// The log of a phone over TCP, one entry each 100 ms.
  private static func log(_ entries: [RunLog.What]) -> RunLog {
    var log = RunLog(shows: [.strength])
    log.note(.opened("host"), at: .zero)
    for (index, what) in entries.enumerated() {
      log.note(what, at: Timestamp(nanoseconds: Int64(index + 1) * 100_000_000))
    }
    return log
  }

  private static func delivered(_ bytes: [UInt8], over carrier: Carrier = .tcp) -> RunLog.What {
    .delivered(bytes, packet: 1, from: "host", over: carrier, sentAt: .zero)
  }

  private static func frame(_ name: String, over carrier: Carrier = .tcp, _ fields: [String: FieldValue] = [:]) throws
    -> [UInt8]
  {
    let owner = Role.phone.owner
    let kind = try #require(owner.kind(named: name, over: carrier))
    let bytes = try Message(Message.right(kind), fields: fields).bytes
    return carrier == .tcp ? try #require(owner.dialect(over: .tcp)).framing.framed(bytes) : bytes
  }

  @Test("An event that may close a session is named as the reason of its end")
  func closed() throws {
    var broken = try Self.frame("HAPTIC")
    broken[2] ^= 0x40
    #expect(Self.log([Self.delivered(broken)]).sessionEnd(of: .phone)?.contains("not right") == true)
    #expect(Self.log([.closed("host")]).sessionEnd(of: .phone) == "host closed the connection at 0.100 s")
    let bye = try Self.frame("BYE")
    #expect(Self.log([Self.delivered(bye)]).sessionEnd(of: .phone) == "BYE was delivered at 0.100 s")
    let busy = try Self.frame("ACK", over: .udp, ["status": .unsigned(1)])
    #expect(Self.log([Self.delivered(busy, over: .udp)]).sessionEnd(of: .phone)?.hasPrefix("ACK ") == true)
  }

  @Test("Right messages close no session, nor does the end of the process itself")
  func goesOn() throws {
    let haptic = try Self.frame("HAPTIC", ["intensity": .float(0.5)])
    #expect(Self.log([Self.delivered(haptic), .disconnected("host")]).sessionEnd(of: .phone) == nil)
    let ok = try Self.frame("ACK", over: .udp, ["status": .unsigned(0)])
    #expect(Self.log([Self.delivered(ok, over: .udp)]).sessionEnd(of: .phone) == nil)
  }

  @Test("A host must not end when a connection closes")
  func host() { #expect(Self.log([.closed("host")]).sessionEnd(of: .host) == nil) }

  /// A phone plays the value that is delivered, or another, and then its process ends.
  private static func result(plays strength: Float, ended: Bool) throws -> CaseResult {
    let text = """
      # A phone plays what is sent.
      requirement: tele.haptic.latest-value-wins
      role: phone
      carrier: udp
      steps:
        - {at: 1s, send: HAPTIC, with: {intensity: 0.5}}
        - {at: 2s, send: HAPTIC, with: {intensity: 0.25}}
      """
    let path = "tele/haptic/latest-value-wins/ended.yaml"
    let scenario = try Scenario(text, path: path, file: path, suites: .all)
    let script = scenario.script(for: Case())
    var log = try ModelSystem(parsing: "model:phone", in: .all).runNow(script)
    let end = Timestamp(nanoseconds: 1_500_000_000)
    log.entries = log.entries.filter { $0.time < end }.map { entry in
      guard case .event(let event) = entry.what, let value = event.appliedStrength, value != 0 else { return entry }
      return RunLog.Entry(entry.time, .event(.hapticApplied(strength)))
    }
    log.end = end
    if ended { log.ended = (end, "it exited with status 0 after BYE was delivered") }
    return Judge.judge(log, script, of: Case(), in: scenario)
  }

  @Test("A run whose process ended is inconclusive with the reason, and earlier failures still fail")
  func judged() throws {
    let right = try Self.result(plays: 0.5, ended: true)
    #expect(right.verdict == .inconclusive && right.reason == "it exited with status 0 after BYE was delivered")
    #expect(try Self.result(plays: 0.5, ended: false).verdict == .pass)
    let wrong = try Self.result(plays: 0.875, ended: true)
    #expect(wrong.verdict == .fail && !wrong.breaches.isEmpty)
  }
}

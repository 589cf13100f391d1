import TelecapImpairment
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapWire
import TelecapTestSupport
import Testing

@testable import TelecapConformance

/// A recording of a mouse goes through all of it: evemu events, packets, a network, packets, a pointer.
@Suite struct PointerErrorTests {
  /// A hand that moves about: an evemu recording of so many reports, with movements that need more than one packet.
  static func recording(seed: UInt64, reports: Int = 600) -> String {
    var randomness = SplitMix64(seed: seed)
    var lines = ["# EVEMU 1.3", "N: A mouse"]
    for report in 0..<reports {
      let microseconds = report * 8_000
      let time = "\(1_000 + microseconds / 1_000_000).\(String(1_000_000 + microseconds % 1_000_000).dropFirst())"
      let reach: Int64 = report % 50 == 0 ? 140 : 4
      let x = Int64(randomness.next() % UInt64(2 * reach + 1)) - reach
      let y = Int64(randomness.next() % UInt64(2 * reach + 1)) - reach
      lines += ["E: \(time) 0002 0000 \(x)", "E: \(time) 0002 0001 \(y)"]
      if report % 100 == 40 { lines.append("E: \(time) 0001 0110 \(report % 200 == 40 ? 1 : 0)") }
      lines.append("E: \(time) 0000 0000 0")
    }
    return lines.joined(separator: "\n")
  }

  /// The recording as a scenario for a mouse host: what a right mouse sends for it, at its times.
  static func scenario(_ text: String, _ options: String) throws -> (Scenario, Case) {
    let path = "mouse/pointer/sum.yaml"
    var scenario = try Scenario(
      "# A recording.\nrequirement: mouse.pointer.sum\nrole: mouse-host\nexpect: {streams: all}\n", path: path,
      file: path, suites: .all)
    for (time, carrier, bytes) in try sent(text) {
      scenario.steps.append(
        Step(time: time, peer: "a", work: .send([bytes], every: 0), carrier: carrier, answers: [], line: 1))
    }
    scenario.end = (scenario.steps.last?.time ?? .zero).advanced(byNanoseconds: 1_000_000_000)
    return (scenario, Case(impairments: try Impairments(parsing: options), seed: 5))
  }

  private static func sent(_ text: String) throws -> [(Timestamp, Carrier, [UInt8])] {
    let end = Endpoint(.loopback, port: 8_888)
    var mouse = MouseModel(movement: end, control: end, script: try Evemu.script(text))
    var result: [(Timestamp, Carrier, [UInt8])] = []
    var now = Timestamp.zero
    let note: Perform = { action, bytes in
      if case .send(let carrier, _) = action { result.append((now, carrier, bytes.withUnsafeBytes { Array($0) })) }
    }
    mouse.start(at: now, note)
    mouse.opened(.udp, end, at: now, note)
    mouse.opened(.tcp, end, at: now, note)
    while let wake = mouse.nextWake {
      now = wake
      mouse.advance(to: wake, note)
    }
    return result
  }

  @Test(
    "The pointer error is exactly the lost distance",
    arguments: [
      "--loss 0%", "--loss 10%", "--loss 10% --reorder 20%,3 --delay 30ms --jitter 25ms", "--loss-model gemodel:5%,30%",
    ])
  func thePointerErrorIsExactlyWhatWasLost(_ options: String) async throws {
    let (scenario, one) = try PointerErrorTests.scenario(PointerErrorTests.recording(seed: 3), options)
    let script = scenario.script(for: one)
    let log = try ModelSystem(.mouseHost).runNow(script)
    let result = Judge.judge(log, script, of: one, in: scenario)
    #expect(result.verdict == .pass, "\(result.breaches) \(result.reason)")

    let dropped = Set(script.plan.filter { $0.verdict == .drop }.map(\.packet))
    #expect(dropped.isEmpty == options.hasSuffix(" 0%"))
    var lost = (x: 0, y: 0)
    for action in script.meant where dropped.contains(action.packet) {
      guard case .send(let bytes, .udp) = action.work else { continue }
      let packet = MouseSample(bytes.span.bytes)
      let sample = try #require(packet)
      lost = (lost.x + Int(sample.deltaX), lost.y + Int(sample.deltaY))
    }
    let expected = max(abs(lost.x), abs(lost.y))
    #expect(result.measures.pointerError == expected)
  }

  @Test("A movement that is delivered twice counts twice")
  func whatIsDeliveredTwiceCountsTwice() async throws {
    let text = "E: 1.000000 0002 0000 5\nE: 1.000000 0000 0000 0\n"
    let (scenario, one) = try PointerErrorTests.scenario(text, "--duplicate 100%")
    let script = scenario.script(for: one)
    let result = Judge.judge(try ModelSystem(.mouseHost).runNow(script), script, of: one, in: scenario)
    #expect(result.verdict == .pass && result.measures.pointerError == 5)
  }
}

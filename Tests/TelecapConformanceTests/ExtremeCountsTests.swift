import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapSuites
import TelecapTestSupport
import TelecapWire
import Testing

@testable import TelecapConformance

/// A pointer and a wheel at the ends of 64 bits: a program that prints them gets a verdict, and a file that names them
/// is an error.
@Suite("Counts at the ends of 64 bits") struct ExtremeCountsTests {
  private static func file(_ pointer: String = "") throws -> SystemFile {
    try SystemFile(
      """
      role: mouse-host
      command: [a]
      addresses: {udp: free, tcp: free}
      \(pointer)
      shows:
        from: stdout
        events: [{is: pointer, when: {event: pointer}}, {is: scroll, when: {event: scroll}}]
      """, file: "host.yaml", suites: .all)
  }

  private static let lines = [
    #"{"event": "pointer", "x": 9223372036854775807, "y": -9223372036854775808}"#,
    #"{"event": "scroll", "scroll": -9223372036854775808}"#,
    #"{"event": "pointer", "x": -9223372036854775808, "y": 9223372036854775807}"#,
    #"{"event": "scroll", "scroll": 9223372036854775807}"#,
  ]

  @Test("A program that prints such counts gets its verdicts", arguments: ["", "pointer: {start: [0, 0]}"])
  func printed(_ pointer: String) throws {
    let file = try Self.file(pointer)
    var observations = EventDecoder(
      rules: file.rules, peers: PeerAddresses(), Part.mouseHost.role?.owner, file: "host.yaml")
    let events = Self.lines.flatMap { observations.events(printed: $0.utf8) }
    let far = PointerPosition.farthest
    #expect(
      events == [
        .pointer(PointerPosition(x: far, y: -far)), .scroll(-far), .pointer(PointerPosition(x: -far, y: far)),
        .scroll(far),
      ])
    for scenario in try ScenarioFiles.all(of: .mouseHost) where !scenario.isJudgedInEveryRun {
      let script = scenario.script(for: Case())
      var log = script.run(against: MouseHostModel(), shows: [.pointer, .buttons, .scroll])
      log.said = file.said
      log.entries.insert(contentsOf: events.prefix(2).map { RunLog.Entry(.zero, .event($0)) }, at: 0)
      for event in events.suffix(2) { log.note(.event(event), at: log.end) }
      let verdict = Judge.judge(log, script, of: Case(), in: scenario).verdict
      if scenario.requirement.id == "mouse.scroll.sum" { #expect(verdict != .pass, "\(scenario.id)") }
    }
  }

  @Test("A file with a count beyond every screen, or an output limit below a byte, is an error")
  func declared() throws {
    let problem = "expected at most 1099511627776 counts either way, found 1099511627777"
    _ = try Self.file("pointer: {start: [1099511627776, -1099511627776]}")
    let start = #expect(throws: YAMLFileError.self) { try Self.file("pointer: {start: [0, 1099511627777]}") }
    #expect(start?.problem == problem)
    _ = try Self.file("output-limit: 1")
    let limit = #expect(throws: YAMLFileError.self) { try Self.file("output-limit: 0") }
    #expect(limit?.problem == "\"output-limit\" is 1 byte or more, found 0")
    func scenario(_ expectation: String) throws {
      _ = try Scenario(
        "# One.\nrequirement: mouse.pointer.sum\nrole: mouse-host\nexpect: {\(expectation)}\n",
        path: "mouse/pointer/sum.yaml", file: "sum.yaml", suites: .all)
    }
    try scenario("pointer: [1099511627776, -1099511627776], scroll: -1099511627776")
    for expectation in ["pointer: [1099511627777, 0]", "scroll: 1099511627777"] {
      #expect(#expect(throws: YAMLFileError.self) { try scenario(expectation) }?.problem == problem)
    }
  }
}

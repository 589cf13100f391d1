import Foundation
import TelecapConformance
import TelecapSuites
import Testing

/// System files of devices.
@Suite struct DeviceFileTests {
  private func read(_ text: String) throws -> SystemFile {
    try SystemFile("role: ahap\ncommand: [x]\n" + text, file: "x.yaml", suites: .all)
  }

  @Test("Without rules each event is matched by its name")
  func withoutRulesEveryEventIsLookedForUnderItsName() throws {
    let file = try read("")
    #expect(file.rules.map(\.name) == ["read", "refused", "felt", "finding", "done"])
    #expect(file.rules.allSatisfy { $0.isOurs && $0.conditions == [EventRule.Condition(["event"], [$0.name])] })
    #expect(file.sources == [.stdout] && file.endsWithin == 10_000_000_000)
  }

  @Test("A rule of the file replaces ours for its event")
  func aRuleStandsInForOursOfItsEvent() throws {
    let file = try read("shows: {from: stderr, events: [{is: felt, when: {did: feel}, fields: {t: at}}]}")
    #expect(file.rules.map(\.name) == ["felt", "read", "refused", "finding", "done"])
    #expect(file.rules.map(\.isOurs) == [false, true, true, true, true] && file.sources == [.stderr])
  }

  @Test(
    "A key that a device does not use is an error with its line and column",
    arguments: [
      ("addresses: {udp: free}", "3:12: ahap has no \"addresses\"; leave it out"),
      ("ready: {after: 1s}", "3:8: ahap has no \"ready\"; leave it out"),
      ("code: ABC123", "3:7: ahap has no \"code\"; leave it out"),
      (
        "end: {signal: int}",
        "3:15: ahap ends by itself when its standard input has ended; leave \"signal\" out"
      ),
      ("shows: {from: {file: x}, events: []}", "3:15: ahap prints what it does: on stdout or stderr"),
      (
        "shows: {events: [{is: pose}]}",
        "3:23: ahap shows no \"pose\"; it has read, refused, felt, finding, done"
      ),
      ("shows: {events: [{is: felt}]}", "3:23: say when a line is \"felt\": name \"when\" or \"line\""),
      (
        "shows: {events: [{is: felt, when: {a: b}, fields: {intensitty: x}}]}",
        "3:52: felt has no field \"intensitty\"; did you mean \"intensity\"?"
      ),
      (
        "environment: {PORT: $UDP}",
        "3:21: there is no $UDP here: \"addresses\" has no \"udp\"; there are $CODE, $TELECAP and $STIMULUS; $$UDP is $UDP itself"
      ),
    ])
  func refused(_ text: String, _ problem: String) throws {
    let error = #expect(throws: YAMLFileError.self) { try read(text) }
    #expect(error?.description == "x.yaml:" + problem)
  }

  @Test(
    "The page of device programs shows the stimulus lines that a device gets",
    arguments: ["ahap/parse/clamp", "touch/trace/deep.override", "haptics/thermal/low-power"])
  func stimulus(_ path: String) throws {
    let page = try String(
      contentsOf: ScenarioFiles.root.appending(path: "Documentation/reference/device-programs.md"), encoding: .utf8)
    let scenario = try ScenarioFiles.read(path + ".yaml")
    let lines = try #require(scenario.setup.part.program).stimulus(of: scenario.script(for: Case()))
    #expect(page.contains(".jsonl\n" + lines.joined(separator: "\n") + "\n$ python3 "))
  }

  @Test("A rule for a device's event in a host's file is an error")
  func aHostShowsNothingOfADevice() throws {
    let text = "role: host\ncommand: [x]\naddresses: {udp: free}\nshows: {events: [{is: felt, when: {a: b}}]}"
    let error = #expect(throws: YAMLFileError.self) { try SystemFile(text, file: "x.yaml", suites: .all) }
    #expect(error?.description == "x.yaml:4:23: a host shows no \"felt\"")
  }
}

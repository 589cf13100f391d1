import TelecapConformance
import TelecapModels
import TelecapProtocols
import TelecapRecording
import TelecapText
import TelecapWire
import Testing

/// An unreadable value of one stream of a declared protocol does not affect the verdicts of another.
@Suite("The rules of several streams") struct StreamMappingTests {
  private static let text = """
    protocol: toy
    title: A toy
    source: nowhere
    byte-order: big
    carriers:
      - {name: udp, over: udp, port: 4000}
    header:
      - {name: magic, type: u16, equals: 0x7479, is: identity}
      - {name: type, type: u8, is: type}
    messages:
      - {name: FORCE, type: 1, from: host, fields: [{name: strength, type: f32}]}
      - {name: LIGHT, type: 2, from: host, fields: [{name: glow, type: f32}]}
    streams:
      - {name: force, message: FORCE, values: [strength], range: [0, 1]}
      - {name: light, message: LIGHT, values: [glow], range: [0, 1]}
    """

  /// How the scenarios of a client with this fault come out that is read by these rules.
  /// - Parameter print: what the program prints of a number.
  private static func verdicts(
    _ fault: String, _ rules: String, print: (Double) -> String = { "\($0)" }
  ) throws -> [String: Verdict] {
    let suite = Suite.declared(by: try ProtocolFile.read(text, file: "toy.yaml"))
    let suites = Suites([suite])
    let model = try ModelSystem(parsing: "model:toy-client" + fault, in: suites)
    let file = try SystemFile(
      "role: toy-client\ncommand: [a]\naddresses: { udp: free }\nshows:\n  events:\n\(rules)", file: "s.yaml",
      suites: suites)
    var result = SuiteResult(system: "it", after: nil)
    for scenario in suite.scenarios where scenario.setup.part == file.part {
      for one in scenario.cases(seeds: 1).prefix(1) {
        let script = scenario.script(for: one)
        let told = try model.runNow(script)
        let log = RunLog.reading { read(told, file, rounded: $0, print) }
        _ = result.take(ScenarioResult(scenario, Judge.judge(log, script, of: one, in: scenario)))
      }
    }
    _ = result.finish()
    return Dictionary(result.scenarios.map { ($0.requirement.id, $0.verdict) }) { $0.badness > $1.badness ? $0 : $1 }
  }

  /// The log of a program that prints the events, as the file reads it.
  private static func read(
    _ told: RunLog, _ file: SystemFile, rounded: MappingStatistics?, _ print: (Double) -> String
  ) -> RunLog {
    var log = told
    (log.shows, log.entries) = (file.aspects, [])
    var observations = EventDecoder(
      rules: file.rules, peers: told.peers, file.part.role?.owner, file: file.file, rounded: rounded)
    for entry in told.entries {
      guard case .event(.applied(let value)) = entry.what else {
        log.entries.append(entry)
        continue
      }
      for event in observations.events(printed: line(value, print).utf8) {
        log.note(.event(event), at: entry.time)
      }
    }
    log.mapping = observations.mapping
    return log
  }

  /// The line that the program prints for a value.
  private static func line(_ value: AppliedValue, _ print: (Double) -> String) -> String {
    let number = value.values.first ?? 0
    let name = value.stream == "force" ? "strength" : "glow"
    return "{\"stream\": \"\(value.stream)\", \"\(name)\": \(number.isFinite ? print(number) : "NaN")}"
  }

  @Test("A client that rounds never fails; it passes if its file states it, and fails if it is wrong")
  func rounded() throws {
    func rules(_ more: String) -> String {
      ["force: strength", "light: glow"].map { names in
        let (stream, field) = (names.prefix { $0 != ":" }, names.drop { $0 != " " }.dropFirst())
        return "    - {is: applied, stream: \(stream), when: {stream: \(stream)}, "
          + "fields: {\(field): {path: \(field)\(more)}}}\n"
      }.joined()
    }
    func tenth(_ value: Double) -> String { Numbers.fixed(value, 1) }
    let unsaid = try Self.verdicts("", rules(""), print: tenth)
    #expect(!unsaid.values.contains(.fail) && unsaid.values.contains(.inconclusive), "\(unsaid)")
    let said = try Self.verdicts("", rules(", decimals: 1"), print: tenth)
    #expect(!said.isEmpty && said.values.allSatisfy { $0 == .pass }, "\(said)")
    for words in ["", ", decimals: 1"] {
      let wrong = try Self.verdicts("+no-clamp", rules(words), print: tenth)
      #expect(wrong.values.contains(.fail), "\(wrong)")
    }
  }

  @Test("One idle rule hides no failure of another stream")
  func oneIdleRuleHidesNoFailureOfAnotherStream() throws {
    let force = "    - {is: applied, stream: force, when: {stream: force}}\n"
    let light = "    - {is: applied, stream: light, when: {stream: light}}\n"
    let idle = "    - {is: applied, stream: light, when: {stream: lamp}}\n"
    let right = try Self.verdicts("", force + light)
    #expect(!right.isEmpty && right.values.allSatisfy { $0 == .pass }, "\(right)")
    let wrong = try Self.verdicts("+no-clamp", force + light)
    let hidden = try Self.verdicts("+no-clamp", force + idle)
    for (requirement, verdict) in wrong where requirement.hasPrefix("toy.force.") {
      #expect(hidden[requirement] == verdict, "\(requirement)")
    }
    #expect(hidden.contains { $0.key.hasPrefix("toy.force.") && $0.value == .fail }, "\(hidden)")
    for (requirement, verdict) in hidden where requirement.hasPrefix("toy.light.") {
      #expect(verdict == .inconclusive, "\(requirement)")
    }
  }
}

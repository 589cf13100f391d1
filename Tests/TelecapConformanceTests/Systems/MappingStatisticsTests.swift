import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapSuites
import Testing

/// A wrong rule of a system file is reported, and makes its requirements inconclusive; a wrong program fails.
@Suite("The output mapping never turns a wrong rule into a verdict")
struct MappingTests {
  private static let poses = "    - { is: pose, when: { event: pose-applied } }\n"
  private static let commands = "    - { is: command, when: { event: cmd } }\n"
  private static let latest = "tele/pose/latest-value-wins.yaml"

  /// How scenarios come out when the suite has ended.
  private func run(_ system: PrintingSystem, _ paths: String...) async throws -> (
    results: [ScenarioResult], MappingStatistics
  ) {
    var suite = SuiteResult(system: "it", after: nil)
    for scenario in try paths.map({ try ScenarioFiles.read($0) }) {
      let one = ScenarioResult(scenario, try await SuiteRunner(system).run(Case(), of: scenario))
      _ = suite.take(one)
    }
    _ = suite.finish()
    let results = suite.scenarios.sorted { $0.scenario.id < $1.scenario.id }
    return (results, try #require(suite.mapping))
  }

  @Test("Right rules change nothing: a right host passes, a wrong one fails, and there is no notice")
  func right() async throws {
    let right = try await run(PrintingSystem(Self.poses, suites: .all), Self.latest)
    #expect(right.results.map(\.verdict) == [.pass])
    #expect(right.1.notices == [])
    let wrong = try await run(PrintingSystem(Self.poses, fault: "order-of-arrival", suites: .all), Self.latest)
    #expect(wrong.results.map(\.verdict) == [.fail])
  }

  @Test("A rule that never matched makes its requirements inconclusive, with its line and the output")
  func never() async throws {
    let rule = Self.poses.replacing("pose-applied", with: "moved") + Self.commands
    let (results, mapping) = try await run(
      PrintingSystem(rule, suites: .all), Self.latest, "tele/cmd/duplicate.yaml", "tele/hello/ack-every.yaml")
    #expect(results.map(\.verdict) == [.pass, .pass, .inconclusive])
    let reason = results[2].shown.reason
    #expect(
      reason.hasPrefix("no line of the program matched the rule \"pose\" (line 6 of printing.yaml); it printed: {"))
    // The line that is nearest to the rule, among those that no rule matched.
    #expect(reason.contains("\"event\":\"pose-applied\",\"seq\":1,"))
    #expect(mapping.notices == [reason])
  }

  @Test("A host that shows nothing in one scenario fails there if the rule matched in another")
  func matchesElsewhere() async throws {
    let scenario = try ScenarioFiles.read(Self.latest)
    let silent = scenario.script(for: Case()).meant.count
    let system = try PrintingSystem(Self.poses, suites: .all) { line, script in
      script.meant.count == silent ? nil : line
    }
    let alone = try await run(system, Self.latest)
    #expect(alone.results.map(\.verdict) == [.inconclusive])
    #expect(alone.results[0].shown.reason.hasSuffix("it printed nothing there"))
    let both = try await run(system, Self.latest, "tele/pose/quaternion.yaml")
    #expect(both.results.map(\.verdict) == [.fail, .pass])
    #expect(both.results[0].shown.breaches.first?.observed == "poses []")
  }

  @Test("A rule that matches over one transport only makes its requirements over the other inconclusive")
  func oneCarrier() async throws {
    let system = try PrintingSystem(Self.poses, suites: .all) { line, script in
      script.setup.carrier == .tcp ? line.replacing("pose-applied", with: "pose-by-tcp") : line
    }
    var check = SystemCheck(MappingStatistics(system.file.rules, file: system.file.file))
    var broken = check
    for script in try Suites.all.check(of: system.file) {
      let (mapping, carrier) = (try #require(try await system.run(script).mapping), script.setup.carrier)
      check.add(mapping, over: carrier, isRight: true)
      broken.add(mapping, over: carrier, isRight: carrier != .tcp)
    }
    #expect(broken.mapping.notices == [], "what a program did not show that died is no fault of a rule")
    #expect(check.mapping.notices.count == 1)
    let why =
      "no line matched the rule \"pose\" (line 6 of printing.yaml) over tcp, though some did otherwise; it printed: {"
    #expect(check.mapping.notices.first?.hasPrefix(why) == true, "\(check.mapping.notices)")
    var suite = SuiteResult(system: "it", after: check)
    let ids = ["tele.pose.latest-value-wins", "tele.pose.latest-value-wins.tcp"]
    for scenario in try ScenarioFiles.all().filter({ ids.contains($0.id) }) {
      let one = ScenarioResult(scenario, try await SuiteRunner(system).run(scenario.cases()[0], of: scenario))
      _ = suite.take(one)
    }
    _ = suite.finish()
    let results = suite.scenarios.sorted { $0.scenario.id < $1.scenario.id }
    #expect(results.map(\.verdict) == [.pass, .inconclusive])
    #expect(results.last?.shown.reason.hasPrefix(why) == true)
  }

  @Test("A scenario that expects no event does not pass by a rule that never matches")
  func nothingExpected() async throws {
    let rules = Self.poses + Self.commands.replacing("event: cmd", with: "event: command")
    let (results, _) = try await run(PrintingSystem(rules, suites: .all), "tele/header/truncated.yaml")
    #expect(results.map(\.verdict) == [.inconclusive])
    #expect(results[0].shown.reason.contains("matched the rule \"command\" (line 7 of printing.yaml)"))
  }

  @Test(
    "A matched line that cannot be read makes the result inconclusive, with the line and the reason",
    arguments: [
      ("\"seq\":5,", "\"seq\":\"five\",", "\"seq\" cannot be read: \"five\" at seq is no number"),
      ("\"seq\":5,", "\"seq\":[5],", "\"seq\" cannot be read: an array stands at seq"),
    ])
  func unread(_ old: String, _ new: String, _ why: String) async throws {
    let rule = "    - { is: pose, when: { event: pose-applied }, fields: { seq: seq } }\n"
    let system = try PrintingSystem(rule, suites: .all) { line, _ in line.replacing(old, with: new) }
    let (results, mapping) = try await run(system, Self.latest)
    #expect(results.map(\.verdict) == [.inconclusive])
    let notice = try #require(mapping.notices.first)
    #expect(
      notice.hasPrefix("the rule \"pose\" (line 6 of printing.yaml) matched 1 line that it could not read: \(why)"))
    #expect(notice.contains(new) && results[0].shown.reason == notice)
  }

  @Test("A field path that never matches is reported, and makes the rule's requirements inconclusive")
  func path() async throws {
    let rule = "    - { is: pose, when: { event: pose-applied }, fields: { x: at.x } }\n"
    let (results, mapping) = try await run(PrintingSystem(rule, suites: .all), Self.latest)
    #expect(results.map(\.verdict) == [.inconclusive])
    #expect(
      mapping.notices.first?.hasPrefix(
        "the rule \"pose\" (line 6 of printing.yaml) never found \"x\": there is nothing at at.x; ") == true)
  }

  @Test("A requirement of a field that no rule reads is inconclusive; other requirements get their verdicts")
  func unreadField() async throws {
    func results(_ absent: [String], fault: String? = nil, _ path: String) async throws -> ScenarioResult {
      // The program does not print them, and the file names none.
      let system = try PrintingSystem(Self.poses, fault: fault, suites: .all) { line, _ in
        absent.reduce(line) { $0.replacing("\"\($1)\":", with: "\"no-\($1)\":") }
      }
      return try await run(system, path).results[0]
    }
    let turn = ["qx", "qy", "qz", "qw"]
    for fault in [nil, "applies-half"] {
      let blind = try await results(turn, fault: fault, "tele/pose/quaternion.yaml")
      #expect(blind.verdict == .inconclusive)
      #expect(
        blind.shown.reason
          == "no rule of printing.yaml reads \"qx\", \"qy\", \"qz\" or \"qw\", without which this cannot be tested")
    }
    #expect(try await results(["x"], "tele/pose/quaternion.yaml").verdict == .inconclusive)
    #expect(try await results(["timestamp_us"], "tele/pose/quaternion.yaml").verdict == .pass)
    #expect(try await results([], fault: "applies-half", "tele/pose/quaternion.yaml").verdict == .fail)
    // Requirements on which poses are applied get their verdicts all the same.
    #expect(try await results(turn, Self.latest).verdict == .pass)
    #expect(try await results(turn + ["x", "y", "z"], Self.latest).verdict == .pass)
    #expect(try await results(turn, fault: "order-of-arrival", Self.latest).verdict == .fail)
  }

  @Test("Poses that were never sent, because of a wrong factor, are reported and inconclusive")
  func unmatchedValues() async throws {
    let fields = ["x", "y", "z", "qw"].map { "\($0): { path: \($0), times: 1000 }" }.joined(separator: ", ")
    let rule = "    - { is: pose, when: { event: pose-applied }, fields: { seq: none, \(fields) } }\n"
    let (results, mapping) = try await run(PrintingSystem(rule, suites: .all), Self.latest)
    #expect(results.map(\.verdict) == [.inconclusive])
    #expect(mapping.notices.contains { $0.contains("showed a pose that nobody had sent, in 4 lines") })
  }

  @Test(
    "A line from which no event can be read is reported",
    arguments: [
      (String(repeating: "{}", count: 1_025), "1 line holds more than 1024 objects; the first: {}{}"),
      ("{\"a\":1}{\"b\":", "1 line begins like a JSON object and is none ("),
      ("{a: 1}", "1 line begins like a JSON object and is none (expected a key in double quotes); "),
      ("{\"a\":1} and more", "1 line begins like a JSON object and is none ("),
      ("{\"a\":\"" + String(repeating: "x", count: 64 << 10), "1 line is longer than 64 KiB and was cut; "),
    ])
  func malformed(_ line: String, _ notice: String) {
    var observations = EventDecoder(rules: [], peers: PeerAddresses(), nil)
    #expect(observations.events(printed: line.utf8.prefix(MappingStatistics.longestLine)).isEmpty)
    #expect(observations.mapping.notices.count == 1)
    #expect(observations.mapping.notices.first?.hasPrefix(notice) == true, "\(observations.mapping.notices)")
  }

  @Test("A field with telecap's own name must have telecap's values")
  func ownName() async throws {
    let system = try PrintingSystem(Self.commands, suites: .all) { line, _ in
      line.replacing("\"value\":1", with: "\"value\":\"on\"")
    }
    let (results, mapping) = try await run(system, "tele/cmd/duplicate.yaml")
    #expect(results.map(\.verdict) == [.inconclusive])
    #expect(
      mapping.notices.first?.contains("\"value\" cannot be read: \"on\" at value is no number; the first: ") == true)
  }

  @Test(
    "Each object of a line is an event, in the order of the line", arguments: [("", "", ""), ("[", ", ", "]")])
  func several(_ opening: String, _ between: String, _ closing: String) async throws {
    let system = try PrintingSystem(Self.poses, suites: .all) { line, _ in
      guard line.contains("pose-applied") else { return line }
      return "\(opening){\"battery\":3}\(between)\(line)\(between){\"temperature\":[20]}\(closing)"
    }
    let (results, mapping) = try await run(system, Self.latest)
    #expect(results.map(\.verdict) == [.pass])
    #expect(mapping.notices == [])
    #expect(mapping.rules[0].matched.first.hasPrefix("{\"") && !mapping.rules[0].matched.first.contains("battery"))
  }

  @Test("Two events of one line count as two")
  func two() async throws {
    let system = try PrintingSystem(Self.commands, suites: .all) { line, _ in
      line.contains("\"cmd\"") ? line + line : line
    }
    let (results, mapping) = try await run(system, "tele/cmd/duplicate.yaml")
    #expect(results.map(\.verdict) == [.fail], "\(mapping.notices)")
    #expect(mapping.unreadable.isEmpty && mapping.rules[0].unread.count == 0)
  }

  @Test("Text is read by a regular expression with named groups")
  func text() async throws {
    let rule = #"    - { is: pose, line: 'seq=(?<n>\d+) x=(?<x>\S+)', fields: { seq: n, x: x } }"#
    let system = try PrintingSystem(rule, suites: .all) { line, _ in
      guard line.contains("pose-applied") else { return "something else" }
      let pose = JSONLine(line)
      return pose.seq.map { "moved: seq=\($0) x=\(pose.x)" } ?? "something else"
    }
    let (results, mapping) = try await run(system, Self.latest)
    #expect(results.map(\.verdict) == [.pass])
    #expect(mapping.notices == [])
    #expect(mapping.rules[0].matched.first.hasPrefix("moved: seq=1 x=-0.699"))
  }

  @Test("The error for an invalid regular expression names its line and column")
  func noPattern() {
    let error = #expect(throws: YAMLFileError.self) {
      try PrintingSystem("    - { is: pose, line: '(?<x', fields: { x: x } }", suites: .all)
    }
    #expect(
      error?.description.hasPrefix("printing.yaml:6:25: \"line\" is no regular expression: ") == true,
      "\(error?.description ?? "")")
  }

  @Test("A program that shows only its state has no count of applied messages")
  func untold() async throws {
    let rule = "    - { is: strength, when: { event: haptic-applied } }\n"
    let phone = try PrintingSystem(rule, part: .phone, suites: .all)
    let shown = try await SuiteRunner(phone).run(
      Case(), of: try ScenarioFiles.read("tele/haptic/latest-value-wins.yaml"))
    #expect(shown.verdict == .pass)
    #expect("\(shown.measures.fidelity)" == "sent 5, delivered 5, invalid 0")
    let host = try PrintingSystem(Self.poses, suites: .all)
    let told = try await SuiteRunner(host).run(Case(), of: try ScenarioFiles.read(Self.latest))
    #expect("\(told.measures.fidelity)" == "sent 6, delivered 6, applied 4, dropped as stale 0, invalid 0")
  }

  /// The fields of a pose in a line of our host.
  private struct JSONLine {
    let seq: String?
    let x: String

    init(_ line: String) {
      func value(_ name: String) -> String? {
        line.firstRange(of: "\"\(name)\":").map { String(line[$0.upperBound...].prefix { $0 != "," && $0 != "}" }) }
      }
      seq = value("seq")
      x = value("x") ?? ""
    }
  }
}

import TelecapConformance
import TelecapHaptics
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire
import Testing

@testable import TelecapSuites

/// The devices of the suite, and the expectations on their output.
@Suite struct HapticsSuiteTests {
  private func judged(_ body: String, part: String = "haptics") async throws -> CaseResult {
    let path = "haptics/pattern/normal.yaml"
    let scenario = try Scenario(
      "# A device.\nrequirement: haptics.pattern.normal\nrole: \(part)\n\(body)\n", path: path, file: path, suites: .all
    )
    return try await SuiteRunner(EveryModel(.all)).run(Case(), of: scenario)
  }

  static let steps = "steps: [{at: 0s, ask: {prepare: true}}, {at: 1s, ask: {play: {pattern: normal}}}]\n"

  @Test(
    "A device whose output meets the expectation passes",
    arguments: [
      "tells: [0s started, 1s playing normal]", "tells: [0s started, 1s playing *]",
      "includes: [started, playing normal]", "includes: [0s started, (loaded normal), 1s playing normal]",
      "never: [silent, impact, 0s playing, loaded]",
    ])
  func whatADeviceTellsIsHeld(_ expectation: String) async throws {
    let result = try await judged(HapticsSuiteTests.steps + "expect: {\(expectation)}")
    #expect(result.verdict == .pass, "\(result.breaches)")
  }

  @Test(
    "A device whose output breaks the expectation fails with expected and observed",
    arguments: [
      ("tells: [0s started]", "nothing more after line 1", "“1s playing normal”"),
      ("tells: [0s started, 2s playing normal]", "“2s playing normal”", "“1s playing normal”"),
      ("tells: [0s started, 1s playing normal, 1s more]", "“1s more”", "nothing more after line 2"),
      ("includes: [playing normal, started]", "“started”", "[started, (loaded normal), playing normal]"),
      (
        "includes: [2s playing normal]", "“2s playing normal”",
        "[0s started, 1s (loaded normal), 1s playing normal]"
      ),
      ("never: [1s (loaded]", "no such thing", "“(loaded normal)”"),
      ("never: [play]", "no such thing", "“playing normal”"),
    ])
  func whatItDoesNotTellFails(_ expectation: String, _ expected: String, _ observed: String) async throws {
    let result = try await judged(HapticsSuiteTests.steps + "expect: {\(expectation)}")
    #expect(result.verdict == .fail)
    #expect(result.breaches.map(\.expected) == [expected])
    #expect(result.breaches.map(\.observed) == [observed])
  }

  @Test(
    "An impossible clock study is an error with its line and column",
    arguments: [
      ("delta: 101s", "delta is at most 100s"), ("delta: 0s, audio: 101s", "audio is at most 100s"),
      ("delta: 0s, haptic-jitter: 101s", "haptic-jitter is at most 100s"),
      ("delta: 0s, trials: 0", "trials is 1 to 1000000"), ("delta: 0s, refresh: 1001", "refresh is 1 to 1000"),
    ])
  func clocks(_ study: String, _ words: String) async throws {
    let steps = "steps: [{at: 0s, ask: {synchronise: {\(study)}}}]\nexpect: {never: [x]}"
    let error = await #expect(throws: YAMLFileError.self) { try await judged(steps) }
    let column = 38 + (study.lastIndex(of: ":").map { study.distance(from: study.startIndex, to: $0) } ?? 0) + 2
    #expect(error?.description == "haptics/pattern/normal.yaml:4:\(column): \(words)")
  }

  /// A wrong player is the right one in all but its one rule: what no rule is about comes out the same.
  @Test("Rules that do not apply to a pattern change nothing")
  func rulesThatAPatternDoesNotTouchChangeNothing() {
    let explosion = AHAP(.explosion)
    let right = HapticTimeline(explosion)
    for change: (inout EvaluationRules) -> Void in [{ $0.hasDefaults = false }, { $0.clamps = false }] {
      var rules = EvaluationRules()
      change(&rules)
      let wrong = HapticTimeline(explosion, rules: rules)
      for step in 0..<60 {
        let time = Double(step) / 100
        // The explosion says everything and keeps all ranges but that of sharpness.
        #expect(wrong.sample(at: time).intensity == right.sample(at: time).intensity, "at \(time)")
      }
    }
  }

  /// The seed of a case reaches a device: another one leads to another skew, the same one to the same.
  @Test("The seed of a case reaches the clocks")
  func theSeedOfACaseReachesTheClocks() async throws {
    func told(seed: UInt64) async throws -> [String] {
      let path = "haptics/sync/future-scheduling.yaml"
      let scenario = try Scenario(
        "# Clocks.\nrequirement: haptics.sync.future-scheduling\nrole: haptics\nseeds: 2\n"
          + "steps: [{at: 0s, ask: {synchronise: {delta: 0ms, trials: 100000}}}]\nexpect: {never: [x]}\n",
        path: path, file: path, suites: .all)
      #expect(scenario.cases().map(\.seed) == [1, 2])
      let log = try ModelSystem(.haptics).runNow(scenario.script(for: Case(seed: seed)))
      return log.entries.compactMap { entry in
        guard case .event(.told(let words)) = entry.what else { return nil }
        return words
      }
    }
    let (one, again, two) = (try await told(seed: 1), try await told(seed: 1), try await told(seed: 2))
    #expect(one.count == 1 && one == again && one != two)
  }

  /// The findings of a player: each has its position, as a path or a line, and a correct pattern has none.
  @Test(
    "An expected finding matches only one with the same severity and position",
    arguments: [
      ("(warning x at 1:18 $.Colour)", true), ("(note at $.Colour)", true), ("(warning at 1:2)", true),
      ("(warning at $.Colour.Hue)", true), ("(warning at $.Color)", false), ("(warning at 2:18)", false),
      ("(warning at )", false), ("(error at 1:18 $.Colour)", false),
    ])
  func findings(_ told: String, _ isSame: Bool) throws {
    let expected = try #require(DeviceFinding("finding at 1:18 $.Colour"))
    #expect(try expected.isSame(as: #require(DeviceFinding(told))) == isSame)
  }

  /// Invalid JSON is found in the line where a parser stops, or at the end of the line before.
  @Test(
    "An error in JSON matches at the line where a parser stops, or just before it",
    arguments: [
      ("(error at 4:5 $)", true), ("(error at 3:60)", true), ("(error at 5:1)", false), ("(error at $)", false),
    ])
  func errorsOfJSON(_ told: String, _ isSame: Bool) throws {
    let expected = try #require(DeviceFinding("error at 4:5 $"))
    #expect(try expected.isSame(as: #require(DeviceFinding(told))) == isSame)
  }

  /// A program prints milliseconds and three digits; our own models are held to the digit.
  @Test("A program is compared with the precision that it prints")
  func aProgramIsHeldToWhatItPrints() {
    var log = RunLog(shows: [])
    #expect(!Tolerance(log).isSame("intensity 0.0585", "intensity 0.059"))
    log.mapping = MappingStatistics([], file: "")
    let nearness = Tolerance(log)
    #expect(nearness.isSame("intensity 0.0585", "intensity 0.059"))
    #expect(!nearness.isSame("intensity 0.0585", "intensity 0.0592"))
    #expect(nearness.isSame("at 200ms for 200ms", "at 200.5ms for 199ms"))
    #expect(!nearness.isSame("at 200ms", "at 201.1ms") && !nearness.isSame("at 200ms", "at soon"))
    #expect(!nearness.isSame("playing", "playing normal") && nearness.isSame("playing", "playing (normal)"))
  }

  @Test("Every device can be a program")
  func everyDeviceCanBeAProgram() {
    #expect(Suites.all.parts.filter { $0.role == nil } == [.ahap, .haptics, .touch, .audio, .senses])
    #expect(Suites.all.parts.allSatisfy { ($0.program == nil) == ($0.role != nil) })
    for role in [Role.host, .phone, .mouse, .mouseHost] { #expect(Suites.all.part(role.name)?.role == role) }
  }
}

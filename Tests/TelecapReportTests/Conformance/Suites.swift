import TelecapConformance
import TelecapModels
import TelecapRecording

@testable import TelecapReport
import TelecapSuites

/// Reports of suites that were really run: our models, right and wrong, in virtual time.
enum Suites {
  static let hostile = "a\u{1b}[31m</script>\"'&<b>|`*_\u{0}\u{202e}\n# TODO\\ ]]> \u{fffe}é😀"

  static let pose = """
    # Poses are lost and come late.
    requirement: tele.pose.latest-value-wins
    role: host
    steps:
      - {at: 0s, send: HELLO, answer: OK}
      - {at: 100ms, send: POSE, count: 60, rate: 60}
    grid:
      loss: ["0%", "20%"]
      reorder: ["none", "20%"]
    seeds: 2
    """

  static let clamp = """
    # A strength of more than 1 is played as 1.
    requirement: tele.haptic.clamp-high
    role: phone
    steps:
      - {at: 100ms, send: HAPTIC, with: {intensity: [0.5, 1.5, 0.25, .inf, 0]}, every: 100ms}
    """

  static let impacts = """
    # Impacts change at 0.4 and 0.7.
    requirement: tele.haptic.impact-mapping
    role: phone
    impacts: true
    steps:
      - {at: 100ms, send: HAPTIC, with: {intensity: [0.35, 0.5, 0.75]}, every: 100ms}
    expect:
      impacts: [light, medium, heavy]
    """

  static let split = """
    # A large movement is split into packets that add up to it.
    requirement: mouse.split.sum
    role: mouse
    steps:
      - {at: 0s, ask: {connect: true}}
      - {at: 100ms, ask: {move: [300, -200]}}
    expect:
      movements: [sum]
    """

  static func scenario(_ text: String, _ path: String) throws -> Scenario {
    try Scenario(text, path: path, file: path, suites: .all)
  }

  /// Runs a scenario against a model.
  static func run(_ text: String, _ path: String, _ system: String, seeds: Int? = nil) throws -> ScenarioResult {
    let scenario = try scenario(text, path)
    let system = try ModelSystem(parsing: system, in: .all)
    var result: ScenarioResult?
    for one in scenario.cases(seeds: seeds) {
      let script = scenario.script(for: one)
      let outcome = Judge.judge(try system.runNow(script), script, of: one, in: scenario)
      if result == nil { result = ScenarioResult(scenario, outcome) } else { result?.add(outcome) }
    }
    var shown = result ?? ScenarioResult(scenario, CaseResult(of: Case(), .notRun))
    shown.duration = 1_500_000
    return shown
  }

  /// A scenario that came out like this without having been run.
  static func made(_ verdict: Verdict, _ reason: String, _ text: String, _ path: String) throws -> ScenarioResult {
    ScenarioResult(try scenario(text, path), CaseResult(of: Case(), verdict, reason: reason))
  }

  /// One scenario of each outcome.
  static func mixed(strict: Bool = false) throws -> SuiteReport {
    var broken = try made(.fail, "", split, "mouse/split/sum.yaml")
    broken.shown.isBroken = true
    broken.shown.breaches = [
      Failure(
        time: Timestamp(nanoseconds: 2_000_000_000), expected: "the system goes on", observed: "ended by signal 11")
    ]
    let scenarios = [
      try run(pose, "tele/pose/latest-value-wins.yaml", "model:host+order-of-arrival", seeds: 3),
      try run(clamp, "tele/haptic/clamp-high.yaml", "model:phone"),
      try run(impacts, "tele/haptic/impact-mapping.yaml", "model:phone+one-impact"),
      broken,
      try made(.inconclusive, "the system does not show where its pointer is", split, "mouse/split/sum/a.yaml"),
      try made(.unsupported, "it has no Bluetooth", split, "mouse/split/sum/b.yaml"),
      try made(.notRun, "left out", split, "mouse/split/sum/c.yaml"),
    ]
    return report(scenarios, strict: strict)
  }

  static func report(_ scenarios: [ScenarioResult], strict: Bool = false) -> SuiteReport {
    SuiteReport(
      SuiteResult(system: "a system", scenarios: scenarios, duration: 12_345_678), isStrict: strict,
      command: ["telecap", "conform", "--sut", "my systems/host.yaml"],
      began: Timestamp(nanoseconds: 1_770_091_506_000_000_000), host: "build", tool: "0.1.0",
      shrunk: ["tele.pose.latest-value-wins": "fails with just: packet 4 late by 16.667ms"])
  }

  private static let unclamped = Result { try run(clamp, "tele/haptic/clamp-high.yaml", "model:phone+no-clamp") }

  /// A failure in which everything that a system can choose is hostile.
  static func hostileReport(_ hostile: String = hostile) throws -> SuiteReport {
    var result = try unclamped.get()
    result.shown.breaches = [Failure(time: .zero, packet: 1, expected: hostile, observed: hostile)]
    result.shown.reason = hostile
    result.shown.log?.note(.output(hostile), at: .zero)
    result.shown.log?.note(.broke(hostile), at: .zero)
    result.shown.log?.note(.opened(hostile), at: .zero)
    var report = report([result])
    report.result.system = hostile
    report.command = ["telecap", "conform", "--sut", hostile]
    report.host = hostile
    report.shrunk = ["tele.haptic.clamp-high": hostile]
    report.artifacts = ["tele.haptic.clamp-high": hostile]
    return report
  }
}

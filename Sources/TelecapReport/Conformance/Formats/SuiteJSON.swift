import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText

/// A suite as one JSON object. Names do not change; what there is none of is left out.
public enum SuiteJSON {
  /// The whole file.
  public static func text(_ report: SuiteReport) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("format", "telecap-conformance")
    json.put("version", 1)
    json.put("tool", report.tool)
    json.put("system", report.result.system)
    json.put("command", Escaping.shellCommand(report.command))
    json.put("began", CalendarTime.text(report.began) + "Z")
    json.put("strict", report.isStrict)
    json.put("passes", report.passes)
    json.put("duration_ns", report.result.duration)
    json.beginObject("counts")
    let counts = SuiteCounts(report)
    for outcome in ScenarioOutcome.allCases {
      json.key(outcome == .notRun ? "not_run" : outcome.rawValue)
      json.put(nil, counts[outcome])
    }
    json.endObject()
    let notices = report.notices
    if !notices.isEmpty {
      json.put("notices", texts: notices)
    }
    if let mapping = report.result.mapping {
      json.beginObject("mapping")
      MappingText.put(mapping, in: &json)
      json.endObject()
    }
    json.beginArray("scenarios")
    for scenario in report.result.scenarios { write(scenario, report, withRun: scenario.isTrouble, to: &json) }
    json.endArray()
    json.endObject()
    json.endLine()
    return json.text
  }

  /// A notice as one line of JSON without its line feed.
  static func line(notice: String) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("notice", notice)
    json.endObject()
    return json.text
  }

  /// Whom the lines that follow are about, as one line of JSON without its line feed.
  public static func line(system: String) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("system", system)
    json.endObject()
    return json.text
  }

  /// One scenario as one line of JSON without its line feed, for a stream that is read while the suite runs.
  public static func line(_ scenario: ScenarioResult, _ report: SuiteReport) -> String {
    var json = JSONWriter()
    write(scenario, report, to: &json)
    return json.text
  }

  /// - Parameter withRun: also its shown run, in a form of limited size: its picture and a part of its log.
  private static func write(
    _ scenario: ScenarioResult, _ report: SuiteReport, withRun: Bool = false, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.put("id", scenario.scenario.id)
    json.put("requirement", scenario.requirement.id)
    json.put("level", scenario.requirement.level.rawValue)
    json.put("derived", scenario.requirement.isDerived)
    json.put("sentence", scenario.requirement.sentence)
    json.put("source", scenario.requirement.source)
    json.put("verdict", scenario.verdict.rawValue)
    json.put("broken", scenario.shown.isBroken)
    json.put("fails_suite", report.counts(scenario))
    json.put("flaky", scenario.isFlaky)
    json.put("cases", scenario.cases)
    json.beginObject("verdicts")
    for verdict in [Verdict.pass, .fail, .inconclusive, .unsupported, .notRun] {
      json.key(verdict.rawValue)
      json.put(nil, scenario.counts[verdict, default: 0])
    }
    json.endObject()
    if scenario.seeds.count > 1, let rate = scenario.passRate { write(rate, to: &json) }
    json.put("duration_ns", scenario.duration)
    if let faults = report.shrunk[scenario.scenario.id] { json.put("shrunk", faults) }
    if let path = report.artifacts[scenario.scenario.id] { json.put("artifacts", path) }
    if scenario.isRepeatable { json.put("repeat", report.command(repeating: scenario)) }
    write(scenario.shown, to: &json) { json in
      guard withRun, let log = scenario.shown.log, !log.entries.isEmpty else { return }
      RunTimeline(log, of: scenario).write(to: &json)
      ShownLog(log, scenario, most: ShownLog.mostKept).write(to: &json)
    }
    json.endObject()
  }

  private static func write(_ rate: PassRate, to json: inout JSONWriter) {
    json.beginObject("pass_rate")
    json.put("seeds", rate.total)
    json.put("passed", rate.passed)
    json.put("low", rate.interval().lowerBound)
    json.put("high", rate.interval().upperBound)
    json.endObject()
  }

  private static func write(
    _ shown: CaseResult, to json: inout JSONWriter, _ run: (inout JSONWriter) -> Void
  ) {
    json.beginObject("shown")
    json.put("seed", shown.case.seed)
    json.put("case", shown.case.description)
    json.put("verdict", shown.verdict.rawValue)
    if !shown.reason.isEmpty { json.put("reason", shown.reason) }
    json.beginArray("breaches")
    for breach in shown.breaches {
      json.beginObject()
      if let time = breach.time { json.put("time_ns", time.nanoseconds) }
      if breach.packet > 0 { json.put("packet", breach.packet) }
      json.put("expected", breach.expected)
      json.put("observed", breach.observed)
      json.endObject()
    }
    json.endArray()
    json.beginArray("rates")
    for rate in shown.rates?.account(of: shown.case.impairments) ?? [] {
      json.beginObject()
      json.put("impairment", rate.impairment)
      json.put("asked", rate.asked)
      if let expected = rate.expected { json.put("expected", expected) }
      json.put("came_out", rate.cameOut)
      json.endObject()
    }
    json.endArray()
    write(shown.measures, to: &json)
    run(&json)
    json.endObject()
  }

  private static func write(_ measures: Measures, to json: inout JSONWriter) {
    json.beginObject("measures")
    let fidelity = measures.fidelity
    json.put("sent", fidelity.sent)
    json.put("delivered", fidelity.delivered)
    if fidelity.isToldByReceiver {
      json.put("applied", fidelity.applied)
      json.put("stale", fidelity.stale)
    }
    json.put("invalid", fidelity.invalid)
    if let value = measures.ageMean { json.put("age_mean_ns", value) }
    if let value = measures.ageP99 { json.put("age_p99_ns", value) }
    if let value = measures.agePeak { json.put("age_peak_ns", value) }
    if let value = measures.staleShare { json.put("stale_share", value) }
    if let value = measures.poseError { json.put("pose_error_mm", value) }
    if let value = measures.poseAngle { json.put("pose_error_degrees", value) }
    if let value = measures.jump { json.put("jump_mm", value) }
    if let value = measures.pointerError { json.put("pointer_error_counts", value) }
    if !measures.taken.isEmpty {
      json.put("taken", texts: measures.taken.map { "\($0.name): \($0.words)" })
    }
    json.endObject()
  }
}

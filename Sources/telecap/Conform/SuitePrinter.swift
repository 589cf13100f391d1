import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport

/// What a suite says on the terminal: a line a scenario, the failures at the end.
struct SuitePrinter {
  private let format: OutputFormat
  private let system: String
  private let style: Style

  init(_ format: OutputFormat, system: String, style: Style) {
    self.format = format
    self.system = system
    self.style = style
  }

  /// What is said of one scenario.
  func lines(_ result: ScenarioResult) -> [String] {
    if format == .json { return [json(result)] }
    let word = result.isFlaky ? "flaky" : result.verdict.rawValue
    let marked =
      result.verdict == .pass ? style.good(word) : result.verdict == .fail ? style.bad(word) : style.bold(word)
    var line = marked + String(repeating: " ", count: max(1, 14 - word.count)) + result.scenario.id
    if result.requirement.level == .should { line += " (should)" }
    if result.requirement.isDerived { line += " (derived)" }
    if result.cases > 1 {
      let passed = result.counts[.pass, default: 0]
      line += "  \(Numbers.grouped(passed)) of \(Numbers.grouped(result.cases)) cases"
    }
    if result.verdict != .pass, result.verdict != .fail { line += ": \(result.shown.reason)" }
    return [line]
  }

  /// What is said at the end: each failure, and the sum.
  func end(_ suite: SuiteResult, strict: Bool) -> [String] {
    if format == .json { return [] }
    var lines: [String] = []
    for result in suite.scenarios where result.verdict == .fail { lines += failure(result) }
    let counts = Verdict.allWords.compactMap { verdict -> String? in
      let count = suite.scenarios.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let cases = suite.scenarios.reduce(0) { $0 + $1.cases }
    let passes = suite.passes(strict: strict)
    lines.append("")
    lines.append(
      (passes ? style.good("pass") : style.bad("fail")) + "  \(suite.system): \(counts.joined(separator: ", ")); "
        + "\(Numbers.grouped(cases)) cases in \(Numbers.time(suite.duration))")
    return lines
  }

  private func failure(_ result: ScenarioResult) -> [String] {
    let requirement = result.requirement
    let derived = requirement.isDerived ? ", derived" : ""
    var lines = [
      "", style.bold(result.scenario.id) + "  \(result.scenario.sentence)",
      "  required (\(requirement.level.rawValue)\(derived)): \(requirement.sentence) [\(requirement.source)]",
    ]
    for breach in result.shown.breaches.prefix(3) {
      let time = breach.time.map { " at \(Numbers.time($0.nanoseconds))" } ?? ""
      let packet = breach.packet > 0 ? ", after packet \(breach.packet)" : ""
      lines.append("  expected \(breach.expected), observed \(style.bad(breach.observed))\(time)\(packet)")
    }
    lines.append("  seed \(result.shown.of.seed); repeat just this one:")
    lines.append("  \(SuitePrinter.command(result, system: system))")
    return lines
  }

  /// The command that repeats the case that is shown.
  static func command(_ result: ScenarioResult, system: String) -> String {
    let one = result.shown.of
    var words = ["telecap conform --sut \(system) --only \(result.scenario.id)"]
    if result.scenario.combinations.count > 1 || one.impairments != .none {
      words.append("--network=\(one.impairments == .none ? "none" : "'\(one.impairments)'")")
    }
    if let pieces = one.pieces { words.append("--pieces \(pieces)") }
    words.append("--seed \(one.seed)")
    return words.joined(separator: " ")
  }

  private func json(_ result: ScenarioResult) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("scenario", result.scenario.id)
    json.put("requirement", result.requirement.id)
    json.put("level", result.requirement.level.rawValue)
    json.put("derived", result.requirement.isDerived)
    json.put("verdict", result.verdict.rawValue)
    json.put("flaky", result.isFlaky)
    json.put("cases", result.cases)
    json.put("passed", result.counts[.pass, default: 0])
    json.put("duration_ns", result.duration)
    json.put("case", result.shown.of.description)
    json.put("reason", result.shown.reason)
    json.beginArray("breaches")
    for breach in result.shown.breaches {
      json.beginObject()
      if let time = breach.time { json.put("time_ns", time.nanoseconds) }
      json.put("packet", breach.packet)
      json.put("expected", breach.expected)
      json.put("observed", breach.observed)
      json.endObject()
    }
    json.endArray()
    if result.verdict == .fail { json.put("repeat", SuitePrinter.command(result, system: system)) }
    json.endObject()
    return json.text
  }
}

extension Verdict {
  fileprivate static let allWords: [Verdict] = [.pass, .fail, .inconclusive, .unsupported, .notRun]
}

import TelecapConformance
import TelecapRecording
import TelecapReport

/// The oracle's findings in words and in JSON.
enum VerdictText {
  /// The fidelity line, a line for each verdict, and how stale the receiver was.
  static func lines(_ oracle: Oracle, style: Style) -> [String] {
    let fidelity = oracle.fidelity
    let sum = "\(fidelity.sent) sent, \(fidelity.delivered) delivered, \(fidelity.applied) applied"
    var lines = ["fidelity: " + sum]
    if fidelity.stale > 0 { lines[0] += ", \(fidelity.stale) dropped as late or repeated" }
    if fidelity.invalid > 0 { lines[0] += ", \(fidelity.invalid) not valid" }
    lines += oracle.results.map(line)
    if let mean = oracle.staleness.mean, let p99 = oracle.staleness.p99 {
      var age = "age of information: mean \(Numbers.time(mean)), p99 \(Numbers.time(p99)), "
      age += "peak \(Numbers.time(oracle.staleness.peak))"
      if let share = oracle.staleness.staleShare { age += "; not the newest for \(Numbers.fixed(share * 100, 1))% of the time" }
      lines.append(age)
    }
    return lines
  }

  private static func line(_ check: Check) -> String {
    var line = "\(check.verdict.rawValue)  \(check.requirement.rawValue)"
    if check.requirement.isDerived { line += " (derived)" }
    switch check.verdict {
    case .pass: break
    case .inconclusive, .unsupported, .notRun: line += ": the recording did not try it"
    case .fail:
      line += ": \(check.violations) of \(check.tried)"
      if let first = check.first { line += "; first: \(first)" }
    }
    return line
  }

  /// The same as members of the object that is open.
  static func write(_ oracle: Oracle, to json: inout JSONWriter) {
    json.beginObject("fidelity")
    json.put("sent", oracle.fidelity.sent)
    json.put("delivered", oracle.fidelity.delivered)
    json.put("applied", oracle.fidelity.applied)
    json.put("stale", oracle.fidelity.stale)
    json.put("invalid", oracle.fidelity.invalid)
    json.endObject()
    json.put("verdict", oracle.verdict().rawValue)
    json.beginArray("checks")
    for check in oracle.results {
      json.beginObject()
      json.put("requirement", check.requirement.rawValue)
      json.put("level", check.requirement.level.rawValue)
      json.put("derived", check.requirement.isDerived)
      json.put("verdict", check.verdict.rawValue)
      json.put("tried", check.tried)
      json.put("violations", check.violations)
      if let first = check.first { json.put("first", first.description) }
      json.endObject()
    }
    json.endArray()
    guard let mean = oracle.staleness.mean, let p99 = oracle.staleness.p99 else { return }
    json.beginObject("age_of_information_ns")
    json.put("mean", mean)
    json.put("p99", p99)
    json.put("peak", oracle.staleness.peak)
    if let share = oracle.staleness.staleShare { json.put("stale_share", share) }
    json.endObject()
  }
}

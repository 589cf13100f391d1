import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// The oracle's results as text and as JSON.
public enum VerdictText {
  /// The age of information; nil where nothing was applied.
  static func age(_ staleness: Staleness?) -> String? {
    guard let staleness, let mean = staleness.mean, let p99 = staleness.p99 else { return nil }
    var age = "age of information: mean \(Numbers.time(mean)), p99 \(Numbers.time(p99)), "
    age += "peak \(Numbers.time(staleness.peak))"
    if let share = staleness.staleShare { age += "; stale for \(Numbers.fixed(share * 100, 1))% of the time" }
    return age
  }

  /// A line for each requirement, and the line of the verdict on this receiver. The quiet form has only failures and the
  /// verdict.
  static func lines(_ oracle: Oracle, on receiver: String, _ style: Style, _ verbosity: Verbosity) -> [String] {
    let results = verbosity == .quiet ? oracle.results.filter { $0.verdict == .fail } : oracle.results
    let lines = results.flatMap { VerdictText.lines($0, style) }
    return lines + (lines.isEmpty || verbosity == .quiet ? [] : [""]) + [verdict(oracle, on: receiver, style)]
  }

  private static func lines(_ check: Check, _ style: Style) -> [String] {
    let name = check.requirement.id.printable + (check.requirement.isDerived ? " (derived)" : "")
    let checks = Numbers.counted(check.tried, "check")
    switch check.verdict {
    case .pass: return ["\(style.good("PASS"))  \(name): \(checks)"]
    case .fail:
      var lines = ["\(style.bad("FAIL"))  \(style.bold(name)): \(Numbers.grouped(check.breaches)) of \(checks) failed"]
      guard let first = check.first else { return lines }
      if first.packet > 0 { lines.append("  first after packet \(first.packet)") }
      return lines + FailureText.lines(first, style)
    default: return ["\(style.dim("SKIP"))  \(name): not exercised, or not observable"]
    }
  }

  private static func verdict(_ oracle: Oracle, on receiver: String, _ style: Style) -> String {
    let failed = oracle.results.filter { $0.verdict == .fail }
    let tolerated = failed.count { $0.requirement.level != .must }
    let passed = oracle.results.count { $0.verdict == .pass }
    let skipped = oracle.results.count - failed.count - passed
    var words = ["\(passed) passed"]
    if !failed.isEmpty { words.append("\(failed.count) failed") }
    if skipped > 0 { words.append("\(skipped) skipped") }
    let counts = words.joined(separator: ", ") + (tolerated > 0 ? " (\(tolerated) of them only should)" : "")
    let name = style.bold(receiver.printable)
    return switch oracle.verdict() {
    case .pass: "\(style.good("PASS"))  \(name): \(counts)"
    case .fail: "\(style.bad("FAIL"))  \(name): \(counts)"
    default: "\(style.severity(.warning, "INCONCLUSIVE"))  \(name): \(counts); \(hint(oracle))"
    }
  }

  /// A likely reason why nothing has a verdict.
  private static func hint(_ oracle: Oracle) -> String {
    if oracle.fidelity.delivered == 0 { return "no requirement covers the delivered messages" }
    if oracle.fidelity.applied == 0 { return "the receiver applied nothing: was its session opened and accepted?" }
    return "no value lasted long enough to be observed"
  }

  /// The same as members of the object that is open.
  public static func write(_ oracle: Oracle, _ staleness: Staleness?, to json: inout JSONWriter) {
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
      json.put("requirement", check.requirement.id)
      json.put("level", check.requirement.level.rawValue)
      json.put("derived", check.requirement.isDerived)
      json.put("verdict", check.verdict.rawValue)
      json.put("tried", check.tried)
      json.put("violations", check.breaches)
      if let first = check.first { json.put("first", first.description) }
      json.endObject()
    }
    json.endArray()
    guard let staleness, let mean = staleness.mean, let p99 = staleness.p99 else { return }
    json.beginObject("age_of_information_ns")
    json.put("mean", mean)
    json.put("p99", p99)
    json.put("peak", staleness.peak)
    if let share = staleness.staleShare { json.put("stale_share", share) }
    json.endObject()
  }
}

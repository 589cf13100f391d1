import TelecapConformance
import TelecapRecording
import TelecapText

/// The oracle's findings in words and in JSON.
public enum VerdictText {
  /// The fidelity line, a line for each verdict, one for what could not be judged, and how stale the receiver was.
  public static func lines(_ oracle: Oracle, _ staleness: Staleness?, style: Style) -> [String] {
    let fidelity = oracle.fidelity
    let sum = "\(fidelity.sent) sent, \(fidelity.delivered) delivered, \(fidelity.applied) applied"
    var lines = ["fidelity: " + sum]
    if fidelity.stale > 0 { lines[0] += ", \(fidelity.stale) dropped as late or repeated" }
    if fidelity.invalid > 0 { lines[0] += ", \(fidelity.invalid) not valid" }
    let judged: Set<Verdict> = [.pass, .fail]
    lines += oracle.results.filter { judged.contains($0.verdict) }.map { line($0, style) }
    let others = oracle.results.filter { !judged.contains($0.verdict) }
    if !others.isEmpty {
      let names = others.map(\.requirement.id.printable).joined(separator: ", ")
      lines.append("\(style.dim("not judged"))  not tried, or not shown by the receiver: \(names)")
    }
    if oracle.verdict() == .inconclusive { lines.append(hint(oracle)) }
    if let staleness, let mean = staleness.mean, let p99 = staleness.p99 {
      var age = "age of information: mean \(Numbers.time(mean)), p99 \(Numbers.time(p99)), "
      age += "peak \(Numbers.time(staleness.peak))"
      if let share = staleness.staleShare {
        age += "; not the newest for \(Numbers.fixed(share * 100, 1))% of the time"
      }
      lines.append(age)
    }
    return lines
  }

  /// Why nothing could be judged, where that can be guessed.
  private static func hint(_ oracle: Oracle) -> String {
    if oracle.fidelity.delivered == 0 { return "nothing was judged: none of what was delivered is what is judged" }
    if oracle.fidelity.applied == 0 {
      return
        "nothing was judged: the receiver applied nothing; was it sent what opens its session, and did it take that?"
    }
    return "nothing was judged: no value stood long enough to be seen"
  }

  private static func line(_ check: Check, _ style: Style) -> String {
    let name = check.requirement.id.printable + (check.requirement.isDerived ? " (derived)" : "")
    guard check.verdict == .fail else { return "\(style.good("pass"))  \(name)" }
    let first = check.first.map { "; first: \("\($0)".printable)" } ?? ""
    return "\(style.bad("fail"))  \(name): \(check.breaches) of \(check.tried)\(first)"
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

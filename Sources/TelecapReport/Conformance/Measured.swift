import TelecapConformance
import TelecapImpairment
import TelecapText

extension CaseResult {
  /// The measurements, as names and values with their units.
  var measured: [(name: String, value: String)] {
    var rows: [(String, String)] = []
    let fidelity = measures.fidelity
    if fidelity.sent + fidelity.delivered + fidelity.applied > 0 { rows.append(("messages", "\(fidelity)")) }
    if let mean = measures.ageMean, let p99 = measures.ageP99, let peak = measures.agePeak {
      rows.append(
        ("age of information", "mean \(Numbers.time(mean)), p99 \(Numbers.time(p99)), peak \(Numbers.time(peak))"))
    }
    if let share = measures.staleShare { rows.append(("stale", "\(Numbers.fixed(share * 100, 1)) % of the time")) }
    if let error = measures.poseError {
      let angle = measures.poseAngle.map { ", \(Numbers.fixed($0, 2))°" } ?? ""
      rows.append(("pose error", "at most \(Numbers.fixed(error, 2)) mm\(angle)"))
    }
    if let jump = measures.jump { rows.append(("jump", "at most \(Numbers.fixed(jump, 2)) mm")) }
    if let error = measures.pointerError { rows.append(("pointer error", "\(error) counts")) }
    if let settle = log?.settle, settle > 0 {
      rows.append(("time to settle", "\(Numbers.time(settle)): 50 ms, a margin, and how late this machine was"))
    }
    rows += measures.taken.map { ($0.name, $0.words) }
    return rows
  }

  /// The impairments that were asked for, and the rates that were measured.
  var impairmentRows: [(asked: String, cameOut: String)] {
    guard let rates else { return `case`.impairments == .none ? [] : [(`case`.impairments.description, "not counted")] }
    return rates.account(of: `case`.impairments).map { ("\($0.impairment) \($0.asked)", $0.words) }
  }
}

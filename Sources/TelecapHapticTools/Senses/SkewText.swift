import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapText

/// The skew between the senses, as text.
enum SkewText {
  /// `11.4 ms`.
  static func milliseconds(_ nanoseconds: Nanoseconds) -> String { Numbers.fixed(Double(nanoseconds) / 1e6, 1) + " ms" }

  /// A line for each of the first events with more than one sense.
  static func notes(_ run: SensesRun) -> [String] {
    let skewed = run.sensed.filter { $0.skew != nil }
    let lead = Interval(nanoseconds: run.script.lead)
    let notes = skewed.prefix(8).map { event -> String in
      guard let skew = event.skew else { return "" }
      return
        "event \(event.number) (\(names(event.perception.senses))): skew p50 \(milliseconds(skew.ahead.quantile(0.5)))"
        + ", p99 \(milliseconds(skew.ahead.quantile(0.99))) armed \(lead) ahead; "
        + "p50 \(milliseconds(skew.now.quantile(0.5))), p99 \(milliseconds(skew.now.quantile(0.99))) started now"
    }
    return skewed.count > 8 ? notes + ["and \(skewed.count - 8) events more"] : notes
  }

  /// `seen, heard, felt`.
  static func names(_ senses: Set<Sense>) -> String {
    Sense.allCases.filter(senses.contains).map(\.rawValue).joined(separator: ", ")
  }
}

import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapReport
import TelecapSuites
import TelecapTransport
import TelecapWire

/// The verdicts for both peers of a relay, from their traffic only.
public struct HeardVerdicts {
  /// The result of each peer with at least one verdict.
  public let results: [SuiteResult]
  /// Notes for the user.
  let notes: [String]

  /// Tests the peers of a relay that has ended, by their traffic only.
  public init(_ heard: WireTap, seed: UInt64, _ suites: Suites) {
    results = heard.ends.compactMap { HeardVerdicts.judged($0, seed: seed, suites) }
    var notes: [String] = []
    if !heard.knowsProtocol {
      notes.append("not tested: no protocol is known at the ports of these targets; name them, as with --tele-udp")
    } else if !heard.isJudged {
      notes.append("not tested: no requirement applies to the messages of these peers")
    }
    if heard.isFull { notes.append("tested by the first \(EndLogs.mostEvents) datagrams and events: no more are kept") }
    if heard.unheard > 0 {
      notes.append("\(heard.unheard) more clients are not tested: \(EndLogs.mostClients) are")
    }
    self.notes = notes
  }

  /// Nil where the peer's traffic exercises no requirement.
  private static func judged(_ end: EndLog, seed: UInt64, _ suites: Suites) -> SuiteResult? {
    guard let role = end.role else { return nil }
    var log = end.log
    log.isOverheard = true
    let setup = Setup(part: Part(role), code: log.code(of: role.owner) ?? "ABC123")
    let told = Judge.judge(traffic: log, setup, seed: seed, in: suites)
    guard told.contains(where: { $0.verdict != .inconclusive || $0.shown.isTooLate }) else { return nil }
    return SuiteResult(
      system: "\(role) \(end.end), by what it says", scenarios: told, duration: log.end.nanoseconds)
  }

  /// Prints them, one peer after the other: lines, or one JSON object a line, each peer's own before its requirements'.
  ///
  /// - Parameters:
  ///   - open: a report on the peer of this name without its result.
  ///   - print: is called with each line at once.
  ///   - tell: is called with notes for the user.
  /// - Returns: whether no `must` failed.
  /// - Throws: errors of `print`.
  public func print(
    isJSON: Bool, style: Style, _ open: (String) -> SuiteReport, _ print: (String) throws -> Void,
    tell: (String) -> Void
  ) throws -> Bool {
    notes.forEach(tell)
    try withoutActuallyEscaping(print) { print in
      for result in results {
        let progress = SuiteProgress(isJSON: isJSON, style: style, verbosity: .verbose, write: print)
        var report = open(result.system)
        try print(isJSON ? SuiteJSON.line(system: result.system) : "")
        for scenario in result.scenarios { progress.tell(scenario, report) }
        report.result = result
        try progress.finish(report)
      }
    }
    return !results.contains { result in
      result.scenarios.contains { $0.verdict == .fail && $0.requirement.level == .must }
    }
  }
}

import TelecapConformance

/// The output while a suite runs and at its end: text, or JSON Lines of one object for each scenario.
public final class SuiteProgress {
  private let isJSON: Bool
  private let text: SuiteText
  private let write: (String) throws -> Void
  private var failure: (any Error)?

  /// - Parameter write: takes each line, at once.
  public init(
    isJSON: Bool, style: Style, verbosity: Verbosity = .normal, write: @escaping (String) throws -> Void
  ) {
    (self.isJSON, self.write) = (isJSON, write)
    text = SuiteText(style: style, verbosity: verbosity)
  }

  /// Prints the result of a scenario. `finish` throws the errors of printing.
  public func tell(_ scenario: ScenarioResult, _ report: SuiteReport) {
    guard failure == nil else { return }
    do {
      if let line = isJSON ? SuiteJSON.line(scenario, report) : text.line(scenario) { try write(line) }
    } catch {
      failure = error
    }
  }

  /// Prints the errors of the mapping, the failures and the sum.
  ///
  /// - Throws: the first error of printing, now or before.
  public func finish(_ report: SuiteReport) throws {
    if let failure { throw failure }
    for line in isJSON ? report.notices.map(SuiteJSON.line(notice:)) : text.ending(report) { try write(line) }
  }
}

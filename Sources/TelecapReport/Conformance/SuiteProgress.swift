import TelecapConformance

/// What is told while a suite runs and at its end: text, or JSON Lines of one object a scenario.
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

  /// Tells how a scenario came out. What goes wrong is thrown at the end.
  public func tell(_ scenario: ScenarioResult, _ report: SuiteReport) {
    guard failure == nil else { return }
    do {
      if let line = isJSON ? SuiteJSON.line(scenario, report) : text.line(scenario) { try write(line) }
    } catch {
      failure = error
    }
  }

  /// Tells what is wrong with how the system was read, the failures and the sum.
  ///
  /// - Throws: what writing threw, now or before.
  public func finish(_ report: SuiteReport) throws {
    if let failure { throw failure }
    for line in isJSON ? report.notices.map(SuiteJSON.line(notice:)) : text.ending(report) { try write(line) }
  }
}

import TelecapConformance
import TelecapFiles
import TelecapReport

/// What `conform` prints while a suite runs and at its end: text, or JSON Lines of one object a scenario. It goes to
/// standard output, unless a report does: then the text is talk.
final class SuitePrinter {
  private let format: OutputFormat
  private let text: SuiteText
  private let isTalk: Bool
  private var output = Output()
  private var failure: (any Error)?

  init(_ format: OutputFormat, isTalk: Bool) {
    self.format = format
    self.isTalk = isTalk
    text = SuiteText(style: Console.style(for: isTalk ? 2 : 1))
  }

  /// Prints the line of a scenario, at once. What goes wrong is thrown at the end.
  func print(_ scenario: ScenarioResult, _ report: SuiteReport) {
    guard failure == nil else { return }
    do {
      try print([format == .json ? SuiteJSON.line(scenario, report) : text.line(scenario)])
    } catch {
      failure = error
    }
  }

  /// Prints the failures and the sum.
  ///
  /// - Throws: `FileError` when standard output is gone.
  func finish(_ report: SuiteReport) throws {
    if let failure { throw failure }
    if format == .text { try print(text.ending(report)) }
  }

  private func print(_ lines: [String]) throws {
    for line in lines {
      if isTalk { Console.say(line) } else { try output.line(line) }
    }
    try output.flush()
  }
}

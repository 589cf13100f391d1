import TelecapConformance
import TelecapText

/// A suite as one page of HTML that needs nothing else: no script, no network, light and dark.
///
/// Builder functions rather than a template engine: a page that is mostly pictures has little text to template, and the
/// one rule that matters, that nothing of the system's own reaches the page unescaped, is kept by `Element`.
public enum SuiteHTML {
  /// The whole file.
  public static func text(_ report: SuiteReport) -> String {
    let title = "telecap conform: \(report.result.system)"
    let head = Element("head") {
      $0.raw("<meta charset=\"utf-8\">")
      $0.raw(policy)
      $0.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
      $0.raw("<meta name=\"color-scheme\" content=\"light dark\">")
      $0.add(Element("title", text: title))
      $0.add(Element("style") { $0.raw(PageStyle.text) })
    }
    let body = Element("body") { body in
      body.add(header(report))
      body.add(
        Element("main") { main in
          let notices = report.notices
          if !notices.isEmpty {
            main.add(
              Element("ul", ["class": "notices"]) { list in
                for notice in notices { list.add(Element("li", text: notice)) }
              })
          }
          let troubles = report.troubles
          if !troubles.isEmpty {
            main.add(Element("h2", text: "To look at"))
            for scenario in troubles { main.add(ScenarioSection.element(scenario, report, isOpen: true)) }
          }
          let others = report.result.scenarios.filter { !$0.isTrouble }
          if !others.isEmpty {
            main.add(Element("h2", text: troubles.isEmpty ? "Scenarios" : "All other scenarios"))
            for scenario in others { main.add(ScenarioSection.element(scenario, report, isOpen: false)) }
          }
        })
    }
    return "<!DOCTYPE html>\n<html lang=\"en\">\n\(head.text)\n\(body.text)\n</html>\n"
  }

  /// What a browser may do for the page (https://www.w3.org/TR/CSP3): show it in its own styles, and nothing else. Should
  /// something of a system under test ever get into it as markup, it could neither run nor ask for anything.
  private static let policy: StaticString = """
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'">
    """

  private static func header(_ report: SuiteReport) -> Element {
    let counts = SuiteCounts(report)
    return Element("header") { header in
      header.add(
        Element("h1") {
          $0.add(
            Element(
              "span", ["class": "badge \(report.outcome.rawValue)"], text: report.headline))
          $0.text(" \(report.result.system)")
        })
      header.add(
        Element(
          "p", ["class": "facts"],
          text: "\(CalendarTime.text(report.began)) UTC on \(report.host), telecap \(report.tool), "
            + "\(report.result.scenarios.count) scenarios, \(counts.casesInWords) in "
            + Numbers.time(report.result.duration)))
      header.add(
        Element("ul", ["class": "counts"]) { list in
          for outcome in ScenarioOutcome.allCases.reversed() where counts[outcome] > 0 {
            list.add(
              Element("li", ["class": outcome.rawValue]) {
                $0.add(Element("b", text: "\(counts[outcome])"))
                $0.text(" \(outcome.words)")
              })
          }
        })
      header.add(bar(counts))
      header.add(Element("pre", ["class": "command"], text: report.command.map(Escaping.shell).joined(separator: " ")))
    }
  }

  /// How the scenarios came out, as one bar.
  private static func bar(_ counts: SuiteCounts) -> Element {
    Element("div", ["class": "bar", "role": "img", "aria-label": counts.words]) { bar in
      for outcome in ScenarioOutcome.allCases.reversed() where counts[outcome] > 0 {
        bar.add(Element("i", ["class": outcome.rawValue, "style": "flex-grow:\(counts[outcome])"]))
      }
    }
  }
}

extension ScenarioResult {
  /// A reader must look at it.
  var isTrouble: Bool { outcome == .failed || outcome == .broken || outcome == .inconclusive }
}

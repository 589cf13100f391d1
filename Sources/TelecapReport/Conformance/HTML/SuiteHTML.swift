import TelecapConformance
import TelecapText

/// A suite as one page of HTML that needs nothing else: no script, no network, light and dark; it looks as every page of
/// captures does.
///
/// Builder functions make it in place of templates: a page that is mostly pictures has little text to template, and `Element`
/// keeps the one rule that matters, that no text of the system reaches the page unescaped.
public enum SuiteHTML {
  /// The whole file.
  public static func text(_ report: SuiteReport) -> String {
    let troubles = report.troubles
    let others = report.result.scenarios.filter { !$0.isTrouble }
    let sections = [
      ("To look at", "troubles", troubles), (troubles.isEmpty ? "Scenarios" : "All others", "others", others),
    ]
    .filter { !$0.2.isEmpty }
    let content = Element("div") { content in
      addSummary(of: report, to: &content)
      for (title, anchor, scenarios) in sections {
        content.add(Element("h2", ["id": anchor], text: title))
        // Of a requirement that was broken in many ways the first is unfolded.
        var opened: Set<String> = []
        for scenario in scenarios {
          let isOpen = anchor == "troubles" && opened.insert(scenario.requirement.id).inserted
          content.add(ScenarioSection.element(scenario, report, isOpen: isOpen))
        }
      }
    }
    return PageFrame(
      title: "\(report.headline) \(report.result.system)".printable,
      subtitle: "\(CalendarTime.text(report.began)) UTC on \(report.host), telecap \(report.tool)".printable,
      links: sections.map { PageFrame.Link(name: $0.0, href: "#\($0.1)") }, content: Markup(content),
      policy: PagePolicy.still,
      footer: "Made by telecap conform. This file is self-contained and makes no network requests.",
      script: nil
    ).text
  }

  /// The verdict, notices, and the command that repeats the run.
  private static func addSummary(of report: SuiteReport, to content: inout Element) {
    let counts = SuiteCounts(report)
    content.add(
      Element("ul", ["class": "numbers"]) { list in
        for outcome in ScenarioOutcome.allCases.reversed() where counts[outcome] > 0 {
          list.add(
            Element("li") {
              $0.add(Element("b", text: "\(counts[outcome])"))
              $0.text(outcome.words(for: counts[outcome]))
            })
        }
        list.add(
          Element("li") {
            $0.add(Element("b", text: Numbers.time(report.result.duration)))
            $0.text(counts.casesInWords)
          })
      })
    content.add(tally(counts))
    content.add(Element("pre", text: Escaping.shellCommand(report.command)))
    content.add(Glossary.folded(Glossary.conformance))
    let notices = report.notices
    guard !notices.isEmpty else { return }
    content.add(
      Element("ul", ["class": "notices"]) { list in
        for notice in notices { list.add(Element("li", text: notice)) }
      })
  }

  /// How the scenarios came out, as one bar.
  private static func tally(_ counts: SuiteCounts) -> Element {
    let outcomes = ScenarioOutcome.allCases.reversed().filter { counts[$0] > 0 }
    let box = "0 0 \(outcomes.reduce(0) { $0 + counts[$1] }) 1"
    let attributes = [
      "class": "tally", "role": "img", "aria-label": counts.words, "viewBox": box, "preserveAspectRatio": "none",
    ]
    return Element("svg", attributes) { bar in
      var place = 0
      for outcome in outcomes {
        bar.add(
          Element("rect", ["class": outcome.rawValue, "x": "\(place)", "width": "\(counts[outcome])", "height": "1"]))
        place += counts[outcome]
      }
    }
  }
}

extension ScenarioResult {
  /// A reader must look at it.
  var isTrouble: Bool { outcome == .failed || outcome == .broken || outcome == .inconclusive }
}

extension ScenarioOutcome {
  /// It as a badge of a page.
  var element: Element { Element("span", ["class": "severity \(kind)"], text: badge) }

  private var kind: String {
    switch self {
    case .passed: "pass"
    case .failed, .broken: "error"
    case .inconclusive: "warning"
    case .unsupported, .notRun: "note"
    }
  }
}

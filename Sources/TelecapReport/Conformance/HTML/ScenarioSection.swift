import TelecapConformance
import TelecapImpairment

/// A scenario on the page: what it requires, how it was broken, its picture, the network and the log; folded where
/// nothing is wrong.
enum ScenarioSection {
  static func element(_ scenario: ScenarioResult, _ report: SuiteReport, isOpen: Bool) -> Element {
    var attributes = ["class": "rule", "id": scenario.scenario.id]
    if isOpen { attributes["open"] = "" }
    return Element("details", attributes) { section in
      section.add(summary(scenario))
      section.add(
        Element("p", ["class": "requirement"]) {
          $0.text(scenario.requirement.sentence)
          if scenario.requirement.isDerived {
            $0.text(" ")
            $0.add(Element("span", ["class": "soft", "title": "the rule is ours, not the text's"], text: "«derived»"))
          }
          $0.text(" ")
          $0.add(Element("span", ["class": "soft"], text: scenario.requirement.source))
        })
      section.add(Element("p", ["class": "soft"], text: "Tests: \(scenario.scenario.sentence)"))
      if !scenario.shown.reason.isEmpty { section.add(Element("p", ["class": "notice"], text: scenario.shown.reason)) }
      if !scenario.shown.breaches.isEmpty { section.add(breaches(scenario)) }
      if let faults = report.shrunk[scenario.scenario.id] {
        section.add(Element("p", ["class": "problem"], text: faults))
      }
      if let log = scenario.shown.log, !log.entries.isEmpty {
        section.add(TimelineChart.figure(RunTimeline(log, of: scenario), isTold: scenario.isTrouble))
      }
      section.add(facts(scenario, report))
      if let log = scenario.shown.log, !log.entries.isEmpty { section.add(LogTable.element(log, scenario)) }
    }
  }

  private static func summary(_ scenario: ScenarioResult) -> Element {
    Element("summary") {
      $0.add(scenario.outcome.element)
      $0.text(" ")
      $0.add(Element("b", text: scenario.scenario.id))
      $0.text(" ")
      $0.add(Element("span", ["class": "soft"], text: scenario.level))
      $0.text(" ")
      $0.add(Element("span", ["class": "count"], text: scenario.tally))
    }
  }

  private static func breaches(_ scenario: ScenarioResult) -> Element {
    Element("table", ["class": "breaches"]) { table in
      table.add(Element("thead") { $0.add(row("th", ["when", "expected", "observed"])) })
      table.add(
        Element("tbody") { body in
          for breach in scenario.shown.breaches {
            body.add(row("td", [scenario.place(of: breach), breach.expected, breach.observed]))
          }
        })
    }
  }

  private static func facts(_ scenario: ScenarioResult, _ report: SuiteReport) -> Element {
    let shown = scenario.shown
    return Element("dl") { list in
      func fact(_ name: String, _ value: String, code: Bool = false) {
        list.add(Element("dt", text: name))
        list.add(Element("dd") { $0.add(code ? Element("code", text: value) : Element("span", text: value)) })
      }
      fact("shown case", shown.case.description, code: true)
      for row in shown.impairmentRows { fact("network", "\(row.asked): \(row.cameOut)") }
      for row in shown.measured { fact(row.name, row.value) }
      if let path = report.artifacts[scenario.scenario.id] { fact("files", path, code: true) }
      if scenario.isRepeatable { fact("repeat", report.command(repeating: scenario), code: true) }
    }
  }

  static func row(_ cell: String, _ texts: [String]) -> Element {
    Element("tr") { row in
      for text in texts { row.add(Element(cell, text: text)) }
    }
  }
}

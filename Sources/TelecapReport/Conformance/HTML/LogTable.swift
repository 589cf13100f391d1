import TelecapConformance
import TelecapText

/// The log of a run as a table, folded. A long one is shown around the place where the requirement was broken.
enum LogTable {
  /// How many lines are shown of a run that failed, and of any other.
  private static let mostFailed = 400
  private static let most = 40

  static func element(_ log: RunLog, _ scenario: ScenarioResult) -> Element {
    element(ShownLog(log, scenario, most: scenario.isTrouble ? mostFailed : most), of: scenario.scenario.id)
  }

  /// - Parameter id: the scenario's.
  static func element(_ log: ShownLog, of id: String) -> Element {
    Element("details", ["class": "log"]) { section in
      section.add(Element("summary", text: title(log)))
      section.add(
        Element.scrolling("Log of \(id)") { scroll in
          scroll.add(
            Element("table") { table in
              table.add(Element("thead") { $0.add(ScenarioSection.row("th", ["s", "kind", "with", "what", "bytes"])) })
              table.add(
                Element("tbody") { body in
                  if log.earlier > 0 { body.add(gap(log.earlier, "earlier")) }
                  for line in log.lines { body.add(row(line)) }
                  if log.later > 0 { body.add(gap(log.later, "later")) }
                })
            })
        })
    }
  }

  private static func title(_ log: ShownLog) -> String {
    let all = Numbers.counted(log.count, "line")
    guard log.lines.count < log.count else { return "Log: \(all)" }
    return "Log: \(log.lines.count) of \(all)\(log.isAroundBreach ? ", around the breach" : ", from the start")"
  }

  private static func gap(_ count: Int, _ word: String) -> Element {
    Element("tr", ["class": "gap"]) {
      $0.add(Element("td", ["colspan": "5"], text: "… \(Numbers.grouped(count)) \(word) lines are left out"))
    }
  }

  private static func row(_ line: LogText.Line) -> Element {
    Element("tr", ["class": line.kind.rawValue]) { row in
      row.add(Element("td", ["class": "number"], text: Numbers.seconds(line.time)))
      row.add(Element("td", text: line.kind.rawValue))
      row.add(Element("td", text: line.peer))
      row.add(Element("td", text: line.text))
      row.add(Element("td", text: line.bytes))
    }
  }
}

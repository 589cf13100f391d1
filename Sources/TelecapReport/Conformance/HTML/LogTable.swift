import TelecapConformance
import TelecapText

/// The log of a run as a table, folded. A long one is shown around the place where the requirement was broken.
enum LogTable {
  /// How many lines are shown of a run that failed, and of any other.
  private static let mostFailed = 400
  private static let most = 80

  static func element(_ log: RunLog, _ scenario: ScenarioResult) -> Element {
    let text = LogText(log, of: scenario.ran)
    let shown = range(log, scenario)
    return Element("details", ["class": "log"]) { section in
      section.add(Element("summary", text: title(shown, log, scenario)))
      section.add(
        Element.scrolling("Log of \(scenario.scenario.id)") { scroll in
          scroll.add(
            Element("table") { table in
              table.add(Element("thead") { $0.add(ScenarioSection.row("th", ["s", "kind", "with", "what", "bytes"])) })
              table.add(
                Element("tbody") { body in
                  if shown.lowerBound > 0 { body.add(gap(shown.lowerBound, "earlier")) }
                  for entry in log.entries[shown] { body.add(row(text.line(entry))) }
                  let rest = log.entries.count - shown.upperBound
                  if rest > 0 { body.add(gap(rest, "later")) }
                })
            })
        })
    }
  }

  private static func title(_ shown: Range<Int>, _ log: RunLog, _ scenario: ScenarioResult) -> String {
    let all = "\(Numbers.grouped(log.entries.count)) lines"
    guard shown.count < log.entries.count else { return "Log: \(all)" }
    let place = scenario.shown.breaches.contains { $0.time != nil } ? ", around the breach" : ", from the start"
    return "Log: \(shown.count) of \(all)\(place)"
  }

  private static func range(_ log: RunLog, _ scenario: ScenarioResult) -> Range<Int> {
    let count = log.entries.count
    let limit = scenario.isTrouble ? mostFailed : most
    guard count > limit else { return 0..<count }
    let time = scenario.shown.breaches.compactMap(\.time).min()
    let place = time.flatMap { time in log.entries.firstIndex { $0.time >= time } } ?? 0
    let start = max(0, min(place - limit / 2, count - limit))
    return start..<start + limit
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

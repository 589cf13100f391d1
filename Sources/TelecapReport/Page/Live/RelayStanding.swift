import TelecapConformance
import TelecapRecording
import TelecapText

/// The state of the program after a relay: the verdict of each exercised requirement.
public struct RelayStanding: Sendable {
  /// The results.
  public let results: [ScenarioResult]
  /// By what happened until then, since the relay began.
  public let until: Timestamp
  /// The relay has ended: nothing will change any more.
  public let isFinal: Bool

  /// These results.
  public init(_ results: [ScenarioResult], until: Timestamp, isFinal: Bool) {
    (self.results, self.until, self.isFinal) = (results, until, isFinal)
  }

  /// How many requirements came out how, in words.
  public var words: String {
    let failed = results.count { $0.verdict == .fail }
    let passed = results.count { $0.verdict == .pass }
    let open = results.count - failed - passed
    return "\(passed) pass, \(failed) fail" + (open > 0 ? ", \(open) open" : "")
  }
}

/// The verdicts on a relay's page.
enum VerdictsMarkup {
  static func section(_ standing: RelayStanding) -> Markup { Markup(template, Filled(standing)) }

  private struct Row {
    let kind: String
    let word: String
    let id: String
    let sentence: String
    /// When it was broken first, in words.
    let when: String
    let text: String

    init(_ result: ScenarioResult, isFinal: Bool) {
      switch result.verdict {
      case .pass: (kind, word) = ("pass", ScenarioOutcome.passed.badge)
      case .fail: (kind, word) = ("error", ScenarioOutcome.failed.badge)
      case .inconclusive, .unsupported, .notRun: (kind, word) = ("note", "open")
      }
      (id, sentence) = (result.requirement.id.printable, result.requirement.sentence.printable)
      let breach = result.shown.breaches.first
      when = breach?.time.map { "\(Numbers.fixed(Double($0.nanoseconds) / 1e9, 3)) s" } ?? ""
      let open = isFinal ? result.shown.reason : "not exercised yet, or not observable"
      text =
        breach.map { "expected \($0.expected); \($0.observed)".printable } ?? (word == "open" ? open.printable : "")
    }
  }

  private struct Filled {
    let rows: [Row]
    let until: String
    let words: String
    let isFinal: Bool

    init(_ standing: RelayStanding) {
      // Failures come first.
      let all = standing.results
      rows = (all.filter { $0.verdict == .fail } + all.filter { $0.verdict != .fail }).map {
        Row($0, isFinal: standing.isFinal)
      }
      until = "\(Numbers.fixed(Double(standing.until.nanoseconds) / 1e9, 1)) s"
      (words, isFinal) = (standing.words, standing.isFinal)
    }
  }

  private static let template = PageTemplate(
    """
    <h2 id="verdicts">Verdicts</h2>
    <p class="soft">{{words}}. {{#isFinal}}By all that happened in {{until}}.{{/isFinal}}{{^isFinal}}By what happened in the first {{until}}: judged anew while somebody looks, and for good when the relay ends.{{/isFinal}}</p>
    <div class="wide" tabindex="0" role="group" aria-label="Verdicts"><table><thead><tr><th scope="col">verdict</th><th scope="col">requirement</th><th scope="col" class="number">first at</th><th scope="col">what was seen</th></tr></thead>
    <tbody>{{#rows}}<tr data-verdict="{{id}}"><td><span class="severity {{kind}}">{{word}}</span></td><th scope="row" title="{{sentence}}">{{id}}</th><td class="number">{{when}}</td><td>{{text}}</td></tr>{{/rows}}
    {{^rows}}<tr><td colspan="4" class="soft">Nothing was tried yet.</td></tr>{{/rows}}</tbody></table></div>
    """)
}

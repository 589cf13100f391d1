import TelecapText

/// Results of `conform` as a page: of one run, or of several side by side, with what became better or worse.
public enum ResultsPage {
  /// The whole file.
  ///
  /// - Precondition: there are results.
  public static func text(_ runs: [ConformanceResults], tool: String) -> String {
    precondition(!runs.isEmpty)
    let view = ResultsView(runs)
    return PageFrame(
      title: runs.count == 1 ? runs[0].system.printable : "\(runs.count) runs side by side",
      subtitle: "Results of telecap conform", links: [.init(name: "Results", href: "#main", isCurrent: true)],
      content: Markup(template, view), policy: PagePolicy.inFile,
      footer: "Made by \(tool.printable). This file is self-contained and makes no network requests."
    ).text
  }

  /// The page of a run that is followed: what is known of it by now.
  ///
  /// - Parameter results: nil before the first verdict.
  public static func living(_ results: ConformanceResults?, isOver: Bool, tool: String) -> String {
    let content =
      results.map { Markup(template, ResultsView([$0], isOver: isOver)) } ?? Markup(nothing, [:] as [String: String])
    return PageFrame(
      title: results?.system.printable ?? "telecap conform", subtitle: "Results of telecap conform, live",
      links: [.init(name: "Results", href: "./", isCurrent: true)],
      content: Markup([FollowMarkup.strip, Markup(again, ["content": content])]), policy: nil,
      footer: LivePage.footer(tool)
    ).text
  }

  private static let again = PageTemplate("<div data-again>{{{content}}}</div>\n")
  private static let nothing = PageTemplate("<p class=\"soft\">No scenario has come out yet.</p>\n")

  private static let template = PageTemplate(
    """
    <h2>Runs</h2>
    <div class="wide" tabindex="0" role="group" aria-label="Runs"><table><thead><tr><th scope="col">file</th><th scope="col">system</th><th scope="col">began</th><th scope="col">outcome</th><th scope="col" class="number">scenarios</th><th scope="col" class="number">passed</th><th scope="col" class="number">failed</th></tr></thead>
    <tbody>{{#runs}}<tr><th scope="row">{{name}}</th><td>{{system}}</td><td>{{began}}</td><td><span class="severity {{kind}}">{{outcome}}</span></td><td class="number">{{count}}</td><td class="number">{{passed}}</td><td class="number">{{failed}}</td></tr>{{/runs}}</tbody></table></div>
    {{#notices}}<p class="notice">{{.}}</p>{{/notices}}
    {{#isComparison}}
    <h2>What changed</h2>
    <ul class="stand-outs">{{#changes}}<li><span class="severity {{kind}}">{{word}}</span> <a href="#{{anchor}}">{{id}}</a> <span class="soft">{{text}}</span></li>{{/changes}}
    {{^changes}}<li class="soft">Nothing: every scenario came out as before.</li>{{/changes}}</ul>
    {{/isComparison}}
    <h2>Scenarios</h2>
    {{{words}}}
    {{#rows}}
    <details class="rule" id="{{anchor}}"{{#isOpen}} open{{/isOpen}}>
    <summary>{{#outcomes}}<span class="severity {{kind}}">{{word}}</span> {{/outcomes}}<b>{{id}}</b> <span class="soft">{{level}}</span></summary>
    <p>{{sentence}} <span class="soft">{{source}}</span></p>
    {{#outcomes}}{{#detail}}
    <p class="soft">{{name}}{{#reason}}: {{reason}}{{/reason}}</p>
    {{#isBroken}}<div class="wide" tabindex="0" role="group" aria-label="Where {{id}} was broken in {{name}}"><table><thead><tr><th scope="col" class="number">when</th><th scope="col">expected</th><th scope="col">observed</th></tr></thead>
    <tbody>{{#breaches}}<tr><td class="number">{{place}}</td><td>{{expected}}</td><td class="bad">{{observed}}</td></tr>{{/breaches}}</tbody></table></div>{{/isBroken}}
    {{#command}}<pre>{{command}}</pre>{{/command}}
    {{{run}}}
    {{/detail}}{{/outcomes}}
    </details>
    {{/rows}}
    """)
}

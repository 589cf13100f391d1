/// The overview's part of a page.
enum OverviewMarkup {
  static func section(_ view: OverviewView) -> Markup { Markup(template, view) }

  /// A session in numbers.
  private static let session = """
    <details class="session" id="session-{{id}}">
    <summary><b>Session {{id}}</b> {{ending}}, {{length}} <span class="soft">{{peers}}</span></summary>
    <div class="wide" tabindex="0" role="group" aria-label="Session {{id}} in numbers"><table><thead><tr><th scope="col">what</th><th scope="col" class="number">messages</th><th scope="col" class="number">rate</th><th scope="col" class="number"><abbr title="the longest time between two that came one after the other, and how long none came at the end">longest gap</abbr></th><th scope="col" class="number"><abbr title="how many never came, as the numbers in those that came tell">lost by number</abbr></th><th scope="col"><abbr title="when the last came, where the session went on for long without any">silent from</abbr></th></tr></thead>
    <tbody>{{#rows}}<tr><th scope="row">{{name}}</th><td class="number">{{count}}</td><td class="number">{{rate}}</td><td class="number">{{gap}}</td><td class="number">{{lost}}</td><td>{{#ended}}<a href="{{endedLink}}" class="to-time">{{ended}}</a>{{/ended}}</td></tr>{{/rows}}</tbody></table></div>
    <p><a href="{{link}}" class="to-time">Show it on the timeline</a></p>
    </details>
    """

  private static let standOut = """
    <li><span class="severity {{kind}}">{{badge}}</span> {{#time}}<a href="{{timeLink}}" class="to-time">{{time}}</a> {{/time}}{{#link}}<a href="{{link}}">{{text}}</a>{{/link}}{{^link}}{{text}}{{/link}}{{#packets}} <a href="{{packets}}" class="to-packets">{{packetWords}}</a>{{/packets}}</li>
    """

  private static let template = PageTemplate(
    """
    {{#notes}}<p class="notice">{{.}}</p>{{/notes}}
    {{^isDissected}}<p class="notice">Its messages are not derived yet: only its packets are known.</p>{{/isDissected}}
    <h3 id="issues">Issues</h3>
    {{#standOuts}}
    <ul class="stand-outs">
    {{#shown}}
    \(standOut)
    {{/shown}}
    {{^shown}}<li class="soft">Nothing: no session was refused or ended by silence, no stream paused or stopped, nothing was dropped.</li>{{/shown}}
    </ul>
    {{#foldedWords}}
    <details id="further-stand-outs"><summary><b>{{foldedWords}}</b></summary>
    <ul class="stand-outs">
    {{#folded}}
    \(standOut)
    {{/folded}}
    </ul>
    {{#more}}<p class="notice">{{more}}</p>{{/more}}
    </details>
    {{/foldedWords}}
    {{/standOuts}}
    {{#words}}{{{.}}}{{/words}}
    {{#sessions}}
    <h3>Sessions</h3>
    {{#isEmpty}}<p class="soft">There are none.</p>{{/isEmpty}}
    {{^isEmpty}}
    <div class="wide"><svg class="plot sessions" height="{{height}}" role="group" aria-label="Sessions over time">
    {{#ticks}}<line class="grid" x1="{{at}}%" x2="{{at}}%" y1="0" y2="100%"/>{{/ticks}}
    {{#bars}}<a href="#session-{{id}}"><svg x="0" y="{{y}}" width="100%" height="26" class="bar {{end}}"><title>{{title}}</title>
    <rect x="{{at}}%" y="4" width="{{width}}%" height="18" rx="3"/>{{#silent}}<rect class="silent" x="{{at}}%" y="4" width="{{width}}%" height="18" rx="3"/>{{/silent}}<text x="{{textAt}}%" y="17" text-anchor="{{anchor}}" dx="{{nudge}}">{{name}}</text></svg></a>
    {{/bars}}
    </svg>
    <svg class="plot times" height="20" aria-hidden="true">{{#ticks}}<text x="{{at}}%" y="13" text-anchor="{{anchor}}"{{#isMinor}} class="minor"{{/isMinor}}>{{text}}</text>{{/ticks}}</svg></div>
    {{#bars}}
    \(session)
    {{/bars}}
    {{#foldedWords}}
    <details class="session" id="further-sessions"><summary><b>{{foldedWords}}</b></summary>
    <div class="wide"><svg class="plot sessions" height="{{foldedHeight}}" role="group" aria-label="Further sessions over time">
    {{#ticks}}<line class="grid" x1="{{at}}%" x2="{{at}}%" y1="0" y2="100%"/>{{/ticks}}
    {{#folded}}<a href="#session-{{id}}" aria-label="{{title}}"><svg x="0" y="{{y}}" width="100%" height="12" class="bar narrow {{end}}"><title>{{title}}</title><rect x="{{at}}%" y="1" width="{{width}}%" height="10" rx="2"/></svg></a>
    {{/folded}}
    </svg></div>
    {{#folded}}
    \(session)
    {{/folded}}
    {{#more}}<p class="notice">{{more}}</p>{{/more}}
    </details>
    {{/foldedWords}}
    {{/isEmpty}}
    {{/sessions}}
    <h3>Messages</h3>
    <div class="wide" tabindex="0" role="group" aria-label="Messages by type"><table><thead><tr><th scope="col">type</th><th scope="col">direction</th><th scope="col" class="number">messages</th><th scope="col" class="number">rate</th><th scope="col" class="number">bytes</th><th scope="col" class="number"><abbr title="the longest time between two that came one after the other, and how long none came at the end">longest gap</abbr></th></tr></thead>
    <tbody>{{#kinds}}<tr><th scope="row">{{name}}</th><td>{{direction}}</td><td class="number">{{count}}</td><td class="number">{{rate}}</td><td class="number">{{bytes}}</td><td class="number">{{gap}}</td></tr>{{/kinds}}
    {{^kinds}}<tr><td colspan="6" class="soft">There are none.</td></tr>{{/kinds}}</tbody></table></div>
    <h3 id="findings">Findings</h3>
    <div class="wide" tabindex="0" role="group" aria-label="Findings by rule"><table><thead><tr><th scope="col">severity</th><th scope="col">rule</th><th scope="col" class="number">times</th><th scope="col" class="number">first in packet</th></tr></thead>
    <tbody>{{#findings}}<tr><td><span class="severity {{severity}}">{{severity}}</span></td><th scope="row"><a href="{{link}}">{{rule}}</a></th><td class="number">{{count}}</td><td class="number">{{first}}</td></tr>{{/findings}}
    {{^findings}}<tr><td colspan="4" class="soft">There are none.</td></tr>{{/findings}}</tbody></table></div>
    {{#unread}}
    <h3 id="unread">Packets in which no message was understood</h3>
    {{#command}}
    <p>A protocol is looked for at its own ports only. Where the host of one has another, end telecap and start it again with <code>--port</code>, such as for the busiest port:</p>
    <pre>{{.}}</pre>
    {{/command}}
    <div class="wide" tabindex="0" role="group" aria-label="Ports without a protocol"><table><thead><tr><th scope="col">port</th><th scope="col" class="number">packets to it and from it</th></tr></thead>
    <tbody>{{#ports}}<tr><th scope="row">{{name}}</th><td class="number">{{packets}}</td></tr>{{/ports}}
    {{^ports}}<tr><td colspan="2" class="soft">There are none.</td></tr>{{/ports}}</tbody></table></div>
    {{#more}}<p class="soft">{{.}}</p>{{/more}}
    {{#others}}<p>{{.}}</p>{{/others}}
    {{#command}}
    <p class="soft">The ports that can be told:</p>
    <dl>{{#names}}<dt><code>{{id}}</code></dt><dd>{{help}}</dd>{{/names}}</dl>
    {{/command}}
    {{/unread}}
    <h3 id="facts">The recording</h3>
    <dl>{{#facts}}<dt>{{name}}</dt><dd{{#isBad}} class="bad"{{/isBad}}>{{value}}</dd>{{/facts}}</dl>
    """)
}

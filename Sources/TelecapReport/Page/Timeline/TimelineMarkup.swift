/// The timeline's part of a page.
enum TimelineMarkup {
  static func figures(_ view: TimelineView) -> Markup { Markup(template, view) }

  /// The figures with what zooms them.
  ///
  /// - Parameters:
  ///   - source: where other parts of the time are asked for; nil in a file, which has only these.
  ///   - whole: all that can be shown.
  static func section(
    _ view: TimelineView, figures: Markup? = nil, source: String?, whole: TimelineView
  ) -> Markup {
    Markup(
      frame,
      Framed(
        view: view, figures: figures ?? self.figures(view), source: source, whole: whole,
        words: view.words.isEmpty ? nil : Glossary.folded(view.words, id: "timeline-words")))
  }

  private struct Framed {
    let view: TimelineView
    let figures: Markup
    let source: String?
    let whole: TimelineView
    let words: Markup?
  }

  private static let frame = PageTemplate(
    """
    {{#view}}{{#notes}}<p class="help">{{.}}</p>{{/notes}}{{/view}}
    {{#words}}{{{.}}}{{/words}}
    <div class="tools" role="group" aria-label="Part of the time that is shown">
    <button type="button" data-zoom="in">Zoom in</button> <button type="button" data-zoom="out">Zoom out</button>
    <button type="button" data-zoom="left">Earlier</button> <button type="button" data-zoom="right">Later</button>
    <button type="button" data-zoom="all">All</button>
    <span class="now">shown: <span id="span">{{#view}}{{span}}{{/view}}</span>; cursor: <output id="now">–</output></span>
    {{#source}}<a id="here" href="packets">Packets at the cursor</a>{{/source}}
    <span id="status" role="status"></span></div>
    <p class="help">With the curves focused: <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>←</kbd> <kbd>→</kbd> move the cursor, with <kbd>Shift</kbd> the part that is shown, <kbd>0</kbd> shows all; <kbd>Tab</kbd> goes to the marks of a lane, <kbd>←</kbd> <kbd>→</kbd> from one to the next. With the mouse: drag, and <kbd>Ctrl</kbd> with the wheel; with fingers: one moves, two zoom.{{#source}} <kbd>Enter</kbd> or a double click opens the packets at the cursor.{{/source}}</p>
    <div class="zoomer" tabindex="0" role="region" aria-label="Curves over time"{{#source}} data-source="{{source}}"{{/source}}{{#whole}} data-from="{{from}}" data-until="{{until}}"{{/whole}}>
    <div class="zoomed">
    {{{figures}}}
    </div></div>
    """)

  /// Messages by columns.
  private static let density = """
    <figure class="lane density">
    <figcaption><b>{{name}}</b> {{total}} <span class="soft">{{about}}</span> <output class="value" data-curve="0"></output></figcaption>
    <svg class="plot" height="22" role="img" aria-label="{{name}} {{about}}: {{total}} messages over time">
    {{#shades}}<rect class="shade {{kind}}" x="{{at}}%" width="{{width}}%" y="0" height="100%"/>{{/shades}}
    {{#ticks}}<line class="grid" x1="{{at}}%" x2="{{at}}%" y1="0" y2="100%"/>{{/ticks}}
    <svg viewBox="0 0 1000 100" preserveAspectRatio="none" width="100%" height="100%"><path class="bars" d="{{path}}"/></svg>
    </svg><script type="application/json" class="columns">{{{data}}}</script></figure>
    """

  /// Curves over one axis of values.
  private static let panel = """
    <figure class="panel" id="{{id}}">
    {{#plot}}
    <figcaption><b>{{title}}</b> {{#about}}<span class="soft">{{#term}}<abbr title="{{meaning}}">{{/term}}{{about}}{{#term}}</abbr>{{/term}}</span>{{/about}}
    <ul class="legend">{{#curves}}<li><svg class="key" width="26" height="10" aria-hidden="true"><path class="{{look}}" d="M1 5h24"/></svg> {{name}} <span class="soft">{{span}}</span> {{#beyond}}<b class="beyond">{{beyond}}</b>{{/beyond}} <output class="value" data-curve="{{index}}" data-unit="{{cursorUnit}}"></output></li>{{/curves}}{{/plot}}{{#marks}}<li class="{{kind}}"><svg class="key mark" width="12" height="12" aria-hidden="true"><path transform="translate(6 6)" d="{{shape}}"/></svg> {{total}} {{kind}}</li>{{/marks}}{{#plot}}</ul></figcaption>
    <div class="axed"><svg class="axis" height="{{height}}" aria-hidden="true">{{#ticks}}<text x="{{x}}" y="{{at}}%" dy="4" text-anchor="{{anchor}}">{{text}}</text>{{/ticks}}</svg>
    <svg class="plot" height="{{height}}" role="{{role}}" aria-label="{{label}}">
    {{#ticks}}<line class="grid" x1="0" x2="100%" y1="{{at}}%" y2="{{at}}%"/>{{/ticks}}
    {{/plot}}
    {{#shades}}<rect class="shade {{kind}}" x="{{at}}%" width="{{width}}%" y="0" height="100%"/>{{/shades}}
    {{#ticks}}<line class="grid" x1="{{at}}%" x2="{{at}}%" y1="0" y2="100%"/>{{/ticks}}
    {{#plot}}
    <svg viewBox="0 0 1000 100" preserveAspectRatio="none" width="100%" height="100%">{{#curves}}<path class="{{look}} {{shape}}" d="{{path}}"/>{{/curves}}</svg>
    {{/plot}}
    {{#marks}}{{#marks}}<svg x="{{at}}%" y="9" class="mark {{kind}}">{{#link}}<a href="{{link}}" aria-label="{{kind}}: {{title}}">{{/link}}<path d="{{shape}}"><title>{{kind}}: {{title}}</title></path>{{#link}}</a>{{/link}}</svg>{{/marks}}{{/marks}}
    {{#plot}}
    </svg></div>
    <script type="application/json" class="columns">{{{data}}}</script>
    {{/plot}}
    </figure>
    """

  /// Marks in a row.
  private static let lane = """
    <figure class="lane marks {{kind}}" id="{{id}}">
    <figcaption>{{#key}}<svg class="key mark" width="12" height="12" aria-hidden="true"><path transform="translate(6 6)" d="{{key}}"/></svg> {{/key}}<b>{{name}}</b> {{total}} <span class="soft">{{about}}</span> <output class="value" data-curve="0"></output></figcaption>
    <svg class="plot" height="18" role="group" aria-label="{{label}}">
    {{#shades}}<rect class="shade {{kind}}" x="{{at}}%" width="{{width}}%" y="0" height="100%"/>{{/shades}}
    {{#ticks}}<line class="grid" x1="{{at}}%" x2="{{at}}%" y1="0" y2="100%"/>{{/ticks}}
    {{#marks}}<svg x="{{at}}%" y="9" class="mark">{{#link}}<a href="{{link}}" aria-label="{{title}}">{{/link}}<path d="{{shape}}"><title>{{title}}</title></path>{{#link}}</a>{{/link}}</svg>
    {{/marks}}
    </svg><script type="application/json" class="columns">{{{data}}}</script></figure>
    """

  private static let template = PageTemplate(
    """
    <div class="figures" id="figures" data-from="{{from}}" data-until="{{until}}">
    {{^isEmpty}}
    <svg class="plot times" height="20" aria-hidden="true">{{#ticks}}<text x="{{at}}%" y="13" text-anchor="{{anchor}}"{{#isMinor}} class="minor"{{/isMinor}}>{{text}}</text>{{/ticks}}</svg>
    {{/isEmpty}}
    {{#hasShades}}
    <figure class="lane shades"><figcaption><b>Issues</b> <span class="soft">{{shadeWords}}</span></figcaption>
    <svg class="plot" height="{{shadeHeight}}" role="group" aria-label="Issues, over time">
    {{#shades}}<a href="{{link}}" class="to-time" aria-label="{{title}}"><title>{{title}}</title>{{#bars}}<rect class="bar {{kind}}" x="{{at}}%" width="{{width}}%" y="{{y}}" height="15" rx="3"/><svg class="bar" x="{{at}}%" width="{{width}}%" y="{{y}}" height="15"><text x="6" y="11.5">{{text}}</text></svg>{{#beside}}<text class="beside" x="{{at}}%" dx="{{apart}}" y="{{y}}" text-anchor="{{anchor}}">{{text}}</text>{{/beside}}{{/bars}}</a>
    {{/shades}}
    </svg></figure>
    {{/hasShades}}
    {{#runs}}
    <div class="run">
    {{#title}}<h3>{{title}}</h3>{{/title}}
    <ul class="legend counts">{{#counts}}<li class="{{kind}}"><svg class="key mark" width="12" height="12" aria-hidden="true"><path transform="translate(6 6)" d="{{shape}}"/></svg> {{total}} {{kind}}</li>{{/counts}}</ul>
    {{#densities}}
    \(density)
    {{/densities}}
    {{#lanes}}
    \(lane)
    {{/lanes}}
    {{#panels}}
    \(panel)
    {{/panels}}
    </div>
    {{/runs}}
    {{#densities}}
    \(density)
    {{/densities}}
    {{#panels}}
    \(panel)
    {{/panels}}
    {{#foldedWords}}
    <details class="further"><summary><b>{{foldedWords}}</b></summary>
    {{#folded}}
    \(panel)
    {{/folded}}
    </details>
    {{/foldedWords}}
    {{#findings}}
    \(lane)
    {{/findings}}
    {{^isEmpty}}
    <svg class="plot times" height="20" aria-hidden="true">{{#ticks}}<text x="{{at}}%" y="13" text-anchor="{{anchor}}"{{#isMinor}} class="minor"{{/isMinor}}>{{text}}</text>{{/ticks}}</svg>
    {{/isEmpty}}
    {{#isEmpty}}<p class="soft">No messages lie in this part of the time.</p>{{/isEmpty}}
    </div>
    """)
}

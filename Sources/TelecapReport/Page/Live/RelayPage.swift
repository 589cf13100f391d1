import TelecapImpairment
import TelecapText

/// The page of a relay that runs: what it does, and the sliders of its network.
public struct RelayPage: Sendable {
  /// Its title.
  public var name: String
  /// The other pages, with their addresses.
  public var others: [(name: String, href: String)]
  /// The networks that can be chosen by their names.
  public var networks: [NamedNetwork]
  /// The program that made it, with its version.
  public var tool: String

  /// The page of a relay.
  public init(name: String, others: [(name: String, href: String)], networks: [NamedNetwork], tool: String) {
    (self.name, self.others, self.networks, self.tool) = (name, others, networks, tool)
  }

  /// The whole page.
  ///
  /// - Parameters:
  ///   - picture: what the relay does; nil where it does not run yet.
  ///   - impairments: what its network does.
  ///   - way: which way.
  ///   - verdicts: the verdicts about the program after the relay; nil if none is tested.
  public func text(
    _ picture: RelayPicture?, _ impairments: Impairments, _ way: RelayRequest.Way, _ verdicts: RelayStanding? = nil
  ) -> String {
    let links =
      [PageFrame.Link(name: "Relay", href: "./", isCurrent: true)]
      + others.map { PageFrame.Link(name: $0.name.printable, href: $0.href) }
    return PageFrame(
      title: name.printable, subtitle: "A running relay", links: links,
      content: Markup([
        FollowMarkup.strip, Markup(Self.template, Filled(picture, impairments, way, networks, verdicts)),
      ]), policy: nil,
      footer: LivePage.footer(tool)
    ).text
  }

  private struct Choice {
    let name: String
    let words: String
    let isChosen: Bool
  }

  private struct Number {
    let name: String
    let value: String
  }

  private struct Way {
    let name: String
    let numbers: [Number]
    let lines: [String]
  }

  private struct Route {
    let name: String
    let ways: [Way]
  }

  private struct Filled {
    let routes: [Route]
    let figures: Markup?
    let sliders: [PlacedSlider]
    let ways: [Choice]
    let networks: [Choice]
    let isNamed: Bool
    let options: String
    let isRunning: Bool
    let verdicts: Markup?

    init(
      _ picture: RelayPicture?, _ impairments: Impairments, _ way: RelayRequest.Way, _ named: [NamedNetwork],
      _ standing: RelayStanding?
    ) {
      verdicts = standing.map { VerdictsMarkup.section($0) }
      // The requested network may be none of these: then no name is chosen.
      networks =
        [Choice(name: "", words: "perfect", isChosen: impairments.asked.isEmpty)]
        + named.map { Choice(name: $0.name, words: $0.name.printable, isChosen: $0.impairments == impairments) }
      isNamed = networks.contains { $0.isChosen }
      isRunning = picture != nil
      routes = (picture?.routes ?? []).map { route in
        Route(
          name: route.name.printable,
          ways: route.ways.map { way in
            Way(
              name: way.name, numbers: way.numbers.map { Number(name: $0.name, value: Numbers.grouped($0.value)) },
              lines: way.lines.map(\.printable))
          })
      }
      figures = picture.map { TimelineMarkup.figures(TimelineView($0)) }
      sliders = NetworkSlider.all(for: impairments).map { slider in
        PlacedSlider(
          slider, at: RelayRequest.position(of: slider, in: impairments), step: slider.unit == "%" ? "0.1" : "0.5")
      }
      ways = [(.both, "both ways"), (.up, "to the server"), (.down, "back to the clients")].map {
        (one: RelayRequest.Way, words) in Choice(name: one.rawValue, words: words, isChosen: one == way)
      }
      let direction = way == .both || impairments.asked.isEmpty ? "" : " --\(way.rawValue)"
      options = impairments.asked.isEmpty ? "nothing: all traffic is forwarded unchanged" : "\(impairments)\(direction)"
    }
  }

  private static let template = PageTemplate(
    """
    <h2>Network</h2>
    <p class="help">What you move goes for the datagrams that come from then on; what is on its way arrives as it was to. Streams (TCP) are passed on as they are.</p>
    <form id="network" method="post" action="network">
    <div class="tools"><label>Strikes <select name="way">{{#ways}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{words}}</option>{{/ways}}</select></label>
    <label>Network <select name="network"><option value="" disabled{{^isNamed}} selected{{/isNamed}}>as the sliders say</option>{{#networks}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{words}}</option>{{/networks}}</select></label>
    <span id="changed" role="status"></span></div>
    <div class="sliders">{{#sliders}}<label>{{label}} <output>{{value}} {{unit}}</output><input type="range" name="{{name}}" min="0" max="{{most}}" step="{{step}}" value="{{value}}" data-unit="{{unit}}"></label>{{/sliders}}</div>
    </form>
    <div data-again>
    <p class="soft">What it does now, as options of <code>telecap relay</code>:</p>
    <pre id="options">{{options}}</pre>
    {{#verdicts}}{{{verdicts}}}{{/verdicts}}
    {{^isRunning}}<p class="notice">The relay does not run.</p>{{/isRunning}}
    {{#routes}}
    <h2>{{name}}</h2>
    {{#ways}}
    <h3>{{name}}</h3>
    <ul class="numbers">{{#numbers}}<li data-number="{{name}}"><b>{{value}}</b> <span class="soft">{{name}}</span></li>{{/numbers}}</ul>
    {{#lines}}<p class="soft">{{.}}</p>{{/lines}}
    {{/ways}}
    {{/routes}}
    <h2>The last minute</h2>
    {{#figures}}{{{figures}}}{{/figures}}
    </div>
    """)
}

extension TimelineView {
  /// The curves of a relay.
  fileprivate init(_ picture: RelayPicture) {
    let (plots, from, until) = picture.panels
    let ticks = TimelineView.ticks(from...max(until, from + 1e-9))
    self.init(
      panels: plots.enumerated().map { Panel(id: "panel-\($0)", plot: $1, ticks: ticks) }, ticks: ticks, from: from,
      until: until)
  }
}

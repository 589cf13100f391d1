import TelecapConformance
import TelecapImpairment
import TelecapRecording
import TelecapText
import TelecapWire

/// The page that asks what would have been over a worse network.
enum WhatIfMarkup {
  /// Numbers, command and curves of a run.
  static func figures(_ picture: WhatIfPicture) -> Markup {
    let view = TimelineView(picture)
    return Markup(result, Result(view: view, picture))
  }

  /// The whole page but what is around it.
  static func section(
    _ picture: WhatIfPicture, _ request: WhatIfRequest, roles: [String], networks: [String], whole: TimeGrid
  ) -> Markup {
    let view = TimelineView(picture)
    let all = TimelineView(boundsOf: whole, since: .zero)
    return Markup(
      frame,
      Framed(
        sliders: sliders(request),
        roles: roles.map { Choice(name: $0, isChosen: $0 == picture.report.role.name) },
        networks: networks.map { Choice(name: $0, isChosen: $0 == request.network) }, network: request.network ?? "",
        seed: "\(request.seed)",
        timeline: TimelineMarkup.section(
          view, figures: figures(picture), source: "what-if/figures", whole: all)))
  }

  private static func sliders(_ request: WhatIfRequest) -> [PlacedSlider] {
    request.sliders.map { slider in
      let (number, step) = (request.numbers[slider.name] ?? 0, slider.unit == "%" ? 0.5 : 1)
      // A value between two steps would be moved to one of them.
      return PlacedSlider(
        slider, at: number, step: number.truncatingRemainder(dividingBy: step) == 0 ? PlotCurve.short(step) : "any")
    }
  }

  /// The positions of the sliders for the script of the page: those of the chosen network.
  private static func standing(_ request: WhatIfRequest) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.put("of", request.network ?? "")
    json.beginArray("sliders")
    for slider in sliders(request) {
      json.beginObject()
      json.put("name", slider.name)
      json.put("label", slider.label)
      json.put("value", slider.value)
      json.put("step", slider.step)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return Escaping.script(json: json.text)
  }

  private struct Choice {
    let name: String
    let isChosen: Bool
  }

  private struct Framed {
    let sliders: [PlacedSlider]
    let roles: [Choice]
    let networks: [Choice]
    let network: String
    let seed: String
    let timeline: Markup
  }

  private struct Number {
    let name: String
    let value: String
  }

  private struct Verdict {
    let kind: String
    let word: String
    let id: String
    let text: String
  }

  private struct Result {
    let figures: Markup
    let numbers: [Number]
    let verdicts: [Verdict]
    let command: String
    let notes: [String]
    let standing: String

    init(view: TimelineView, _ picture: WhatIfPicture) {
      figures = TimelineMarkup.figures(view)
      command = Escaping.shellCommand(picture.command)
      notes = picture.notes + picture.report.idle
      standing = WhatIfMarkup.standing(picture.request)
      numbers = WhatIfMarkup.numbers(picture)
      verdicts = (picture.report.oracle?.results ?? []).filter { $0.verdict == .pass || $0.verdict == .fail }.map {
        Verdict(
          kind: $0.verdict == .fail ? "error" : "pass",
          word: ($0.verdict == .fail ? ScenarioOutcome.failed : .passed).badge,
          id: $0.requirement.id.printable,
          text: $0.verdict == .fail
            ? "\(Numbers.grouped($0.breaches)) of \(Numbers.grouped($0.tried))"
            : Incident.times($0.tried))
      }
    }
  }

  private static func numbers(_ picture: WhatIfPicture) -> [Number] {
    var numbers: [Number] = []
    func add(_ name: String, _ value: String) { numbers.append(Number(name: name, value: value)) }
    let report = picture.report
    if let fidelity = report.oracle?.fidelity {
      add(
        "sent, delivered, applied",
        [fidelity.sent, fidelity.delivered, fidelity.applied].map(Numbers.grouped).joined(separator: " · "))
    }
    if let age = report.staleness, let mean = age.mean, let p99 = age.p99 {
      add("age of information, mean", Numbers.time(mean))
      add("age, p99", Numbers.time(p99))
      add("age, peak", Numbers.time(age.peak))
      if let share = age.staleShare { add("time with a stale value", "\(Numbers.fixed(share * 100, 1)) %") }
    }
    for track in picture.run.tracks {
      for error in track.errors { add("greatest \(error.name)", error.value) }
    }
    for rate in report.rates.account(of: report.header.impairments) { add(rate.impairment, words(rate)) }
    return numbers
  }

  /// The result of an impairment, for people; commands write the same with the names of their options.
  private static func words(_ rate: AppliedRate) -> String {
    if rate.words.hasSuffix(")") {
      let share = Numbers.fixed(rate.cameOut * 100, 1)
      return "\(share) % (\(Numbers.grouped(rate.count)) of \(Numbers.grouped(rate.total)))"
    }
    let figure = rate.words.prefix { $0 != " " }
    return "\(figure) \(Numbers.time(Int64(clampingRounded: rate.cameOut * 1e9)))"
  }

  private static let result = PageTemplate(
    """
    <ul class="numbers">{{#numbers}}<li><b>{{value}}</b> <span class="soft">{{name}}</span></li>{{/numbers}}</ul>
    {{#notes}}<p class="notice">{{.}}</p>{{/notes}}
    {{{figures}}}
    <ul class="stand-outs">{{#verdicts}}<li><span class="severity {{kind}}">{{word}}</span> {{id}} <span class="soft">{{text}}</span></li>{{/verdicts}}</ul>
    <p class="soft">The same for real, into a simulated peer over sockets:</p>
    <pre id="command">{{command}}</pre>
    <script type="application/json" id="standing">{{{standing}}}</script>
    """)

  private static let frame = PageTemplate(
    """
    <h2>What if</h2>
    <p class="help">The recording is sent once more through a worse network, to our model of its receiver, in virtual time: the same messages, the same seed, the same outcome each time.</p>
    <form method="get" id="what-if"><input type="hidden" name="of" value="{{network}}">
    <div class="tools">
    <label>Sent by <select name="as">{{#roles}}<option{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/roles}}</select></label>
    <label>Network <select name="network"><option value="">perfect</option>{{#networks}}<option{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/networks}}</select></label>
    <label>Seed <input name="seed" type="number" min="0" max="4294967295" value="{{seed}}"></label>
    <button>Run</button> <button type="button" id="copy">Copy the command</button> <span id="copied" role="status"></span></div>
    <div class="sliders">{{#sliders}}<label>{{label}} <output>{{value}} {{unit}}</output><input type="range" name="{{name}}" min="0" max="{{most}}" step="{{step}}" value="{{value}}" data-unit="{{unit}}"></label>{{/sliders}}</div>
    </form>
    {{{timeline}}}
    """)
}

extension TimelineView {
  /// The curves of a run.
  init(_ picture: WhatIfPicture) {
    let grid = picture.run.grid
    let low = Double(grid.start.nanoseconds) / 1e9
    let high = Double(grid.end.nanoseconds) / 1e9
    let ticks = TimelineView.ticks(low...max(high, low + 1e-9))
    self.init([NetworkRunView(picture.run, 0, ticks, since: .zero)], ticks: ticks, from: low, until: high)
  }
}

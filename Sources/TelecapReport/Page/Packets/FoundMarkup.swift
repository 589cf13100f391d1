import TelecapRecording
import TelecapText

/// The findings with their messages: the part of a page in one file that shows packets.
enum FoundMarkup {
  struct Rule {
    let id: String
    let rule: String
    let severity: String
    let count: String
    let rest: String?
    let places: [Place]
  }

  struct Place {
    let anchor: String?
    let packet: String
    let seconds: String
    let text: String
    let message: Markup?
  }

  static func section(_ picture: CapturePicture) -> Markup {
    var seen: Set<Int> = []
    let rules = picture.places.enumerated().map { number, found in
      Rule(
        id: "rule-\(number)", rule: found.rule.printable, severity: found.severity.name,
        count: Numbers.grouped(found.count),
        rest: found.count > found.places.count
          ? "The first \(found.places.count) of \(Numbers.grouped(found.count)) are shown." : nil,
        places: found.places.map { place in
          Place(
            anchor: seen.insert(place.packet).inserted ? "packet-\(place.packet)" : nil, packet: "\(place.packet)",
            seconds: Numbers.fixed(Double(place.time.nanoseconds(since: picture.start)) / 1e9, 6),
            text: place.text.printable, message: place.message.map(MessageMarkup.tree))
        })
    }
    return Markup(template, ["rules": rules])
  }

  private static let template = PageTemplate(
    """
    {{#rules}}
    <details class="rule" id="{{id}}">
    <summary><span class="severity {{severity}}">{{severity}}</span> <b>{{rule}}</b> {{count}}</summary>
    {{#rest}}<p class="soft">{{rest}}</p>{{/rest}}
    {{#places}}
    <article class="packet"{{#anchor}} id="{{anchor}}"{{/anchor}}>
    <h3>Packet {{packet}} <span class="soft">{{seconds}} s</span></h3>
    <p>{{text}}</p>
    {{#message}}{{{message}}}{{/message}}
    </article>
    {{/places}}
    </details>
    {{/rules}}
    {{^rules}}<p class="soft">Nothing was found.</p>{{/rules}}
    """)
}

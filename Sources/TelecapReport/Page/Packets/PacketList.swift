import TelecapRecording
import TelecapText
import TelecapWire

/// A page of a list of messages, with the one that is shown whole.
public struct PacketList: Sendable {
  /// A line of it.
  public struct Row: Sendable {
    let id: Int
    let packet: Int
    let seconds: String
    let source: String
    let destination: String
    let type: String
    let length: Int
    let severity: String?
    let session: String
    let about: String
    var isSelected = false

    /// A message of a capture, `seconds` after its first packet.
    public init(
      id: Int, packet: Int, nanoseconds: Nanoseconds, source: String, destination: String, kind: MessageKind,
      length: Int, severity: Severity?, session: Int, bytes: [UInt8]?
    ) {
      (self.id, self.packet, self.length) = (id, packet, length)
      seconds = Numbers.fixed(Double(nanoseconds) / 1e9, 6)
      (self.source, self.destination) = (source.printable, destination.printable)
      type = "\(kind.owner.name) \(kind.name)".printable
      self.severity = severity?.name
      self.session = session > 0 ? "\(session)" : ""
      about = bytes.map { PacketList.words(kind, $0) } ?? "began in an earlier packet"
    }
  }

  /// The lines.
  public var rows: [Row]
  /// The message that is shown whole.
  public var selected: (id: Int, detail: MessageDetail)?
  /// The condition that the messages are chosen by; empty where all are.
  public var condition: String
  /// The problem of the condition; nil without one.
  public var problem: String?
  /// The columns that a condition can name.
  public var columns: [String]
  /// Whether there are messages before those of the page, and after.
  public var hasEarlier = false
  public var hasLater = false

  /// A page without a line.
  public init(condition: String, columns: [String]) {
    (rows, self.condition, self.columns) = ([], condition, columns)
  }

  /// That the filter cannot be used, for this reason, in the words of the page.
  public static func problem(_ reason: String) -> String {
    let words = "This filter does not work: \(reason.printable)"
    guard reason.hasPrefix("no such column") else { return words }
    return words + ". The columns are the buttons below; text is in single quotes: type = 'POSE'"
  }

  /// The first fields in a few words, without those by which a message was recognised.
  private static func words(_ kind: MessageKind, _ bytes: [UInt8]) -> String {
    let silent = Set(kind.owner.recognisedFields)
    let fields = kind.layout.fields.filter { !silent.contains($0.name) && $0.rule != .reserved }
    let shown = fields.prefix(6).compactMap { field in
      field.value(in: bytes.span.bytes).map {
        "\(field.name.printable) \(String(FieldText.text($0, field, kind).prefix(60)))"
      }
    }
    return shown.joined(separator: "  ") + (fields.count > 6 ? " …" : "")
  }
}

/// The list of messages as markup.
enum PacketListMarkup {
  static func section(_ list: PacketList) -> Markup { Markup(frame, Filled(list)) }

  /// Only the lines, and the links to those before and after.
  static func rows(_ list: PacketList) -> Markup { Markup(lines, Filled(list)) }

  static func detail(_ list: PacketList) -> Markup {
    Markup([list.selected.map { MessageMarkup.tree($0.detail) }].compactMap(\.self))
  }

  private struct Filled {
    let rows: [PacketList.Row]
    let condition: String
    let problem: String?
    let columns: [String]
    let detail: Markup
    let lines: Markup?
    let earlier: String?
    let later: String?
    let newest: String

    init(_ list: PacketList, nested: Bool = false) {
      var marked = list.rows
      for place in marked.indices where marked[place].id == list.selected?.id { marked[place].isSelected = true }
      (rows, condition, problem) = (marked, list.condition, list.problem)
      columns = list.columns.map(\.printable)
      detail = PacketListMarkup.detail(list)
      let query = list.condition.isEmpty ? "" : "where=\(Escaping.url(list.condition))&"
      earlier = list.hasEarlier ? list.rows.first.map { "?\(query)before=\($0.id)" } : nil
      later = list.hasLater ? list.rows.last.map { "?\(query)after=\($0.id)" } : nil
      newest = "?\(query)newest=1"
      lines = nested ? nil : PacketListMarkup.inner(list)
    }
  }

  private static func inner(_ list: PacketList) -> Markup { Markup(lines, Filled(list, nested: true)) }

  private static let frame = PageTemplate(
    """
    <h2>Packets</h2>
    <form method="get" class="tools filter" role="search" aria-label="Filter">
    <label for="where">Messages where</label> <input id="where" name="where" value="{{condition}}" placeholder="type = 'POSE' AND seconds > 2" autocomplete="off" spellcheck="false" aria-describedby="columns">
    <button>Filter</button> <a href="packets">All</a></form>
    {{#problem}}<p class="problem" role="alert">{{problem}}</p>{{/problem}}
    <p id="columns" class="help"><span class="sr">SQL over the columns</span> {{#columns}}<button type="button" class="column" data-column="{{.}}">{{.}}</button> {{/columns}}</p>
    <p class="help"><kbd>↑</kbd> <kbd>↓</kbd> one message, <kbd>PgUp</kbd> <kbd>PgDn</kbd> a page, <kbd>End</kbd> the newest, <kbd>/</kbd> the filter, where <kbd>Tab</kbd> completes a column, <kbd>Enter</kbd> to its fields. A packet without a message of a known protocol is not listed.</p>
    <div id="list">{{{lines}}}</div>
    <section id="detail" aria-live="polite" aria-label="The selected message">{{{detail}}}</section>
    """)

  private static let lines = PageTemplate(
    """
    <div class="wide list" tabindex="0" role="group" aria-label="List of messages">
    <table class="packets" role="grid" aria-label="Messages"><thead><tr><th scope="col" class="number">packet</th><th scope="col" class="number">seconds</th><th scope="col">from</th><th scope="col">to</th><th scope="col">message</th><th scope="col" class="number">bytes</th><th scope="col">session</th><th scope="col">fields</th></tr></thead>
    <tbody>{{#rows}}<tr data-message="{{id}}" aria-selected="{{isSelected}}"><td class="number"><a href="?message={{id}}" tabindex="-1">{{packet}}</a></td><td class="number">{{seconds}}</td><td>{{source}}</td><td>{{destination}}</td><td><b>{{type}}</b></td><td class="number">{{length}}</td><td>{{session}}</td><td>{{#severity}}<span class="severity {{severity}}">{{severity}}</span> {{/severity}}{{about}}</td></tr>
    {{/rows}}
    {{^rows}}<tr><td colspan="8" class="soft">No message is chosen.</td></tr>{{/rows}}</tbody></table></div>
    <p class="tools">{{#earlier}}<a href="{{earlier}}" id="earlier">Earlier</a>{{/earlier}} {{#later}}<a href="{{later}}" id="later">Later</a>{{/later}} <a href="{{newest}}" id="newest">Newest</a></p>
    """)
}

import TelecapText

/// An element of HTML or SVG: the only way text gets into a page, and every text and attribute is escaped on it.
struct Element {
  /// Its HTML.
  private(set) var text: String
  private let name: String

  /// An element whose children `build` adds. Attributes are in the order of their names, so that the same report gives
  /// the same page.
  init(_ name: String, _ attributes: [String: String] = [:], _ build: (inout Element) -> Void) {
    self.init(opening: name, attributes)
    build(&self)
    text += "</\(name)>"
  }

  /// An element that holds only text.
  init(_ name: String, _ attributes: [String: String] = [:], text: String) {
    self.init(name, attributes) { $0.text(text) }
  }

  /// An element that holds nothing.
  init(_ name: String, _ attributes: [String: String]) { self.init(name, attributes) { _ in } }

  /// Content that may be wider than the page, and that scrolls within it, also by the keyboard.
  static func scrolling(_ label: String, _ build: (inout Element) -> Void) -> Element {
    Element("div", ["class": "wide", "tabindex": "0", "role": "group", "aria-label": label], build)
  }

  private init(opening name: String, _ attributes: [String: String]) {
    self.name = name
    let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(Escaping.markup($0.value))\"" }
    text = "<\(name)\(list.joined())>"
  }

  /// Adds a child.
  mutating func add(_ child: Element) { text += child.text }

  /// Adds what a template made.
  mutating func add(_ markup: Markup) { text += markup.text }

  /// Adds text.
  mutating func text(_ text: String) { self.text += Escaping.markup(text) }
}

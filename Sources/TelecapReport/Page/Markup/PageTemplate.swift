import Mustache

/// A template of a page, or of a part of one: `{{name}}` is escaped by our own rules wherever it stands.
///
/// Mustache's own escaping goes by grapheme clusters: a quote with a combining mark behind it is another character to it,
/// and a quote to a browser. So every template here declares `Escaping.markup` in its place.
struct PageTemplate: Sendable {
  private let template: MustacheTemplate

  /// - Precondition: the text is a template: it is written in this program.
  init(_ text: String) {
    _ = PageTemplate.isRegistered
    do {
      template = try MustacheTemplate(string: "{{% CONTENT_TYPE:TELECAP}}\n" + text)
    } catch {
      preconditionFailure("a template of ours: \(error)")
    }
  }

  /// The template filled with the members of a value.
  func render(_ value: Any) -> String { template.render(value) }

  private static let isRegistered: Void = MustacheContentTypes.register(Markup(), named: "TELECAP")

  private struct Markup: MustacheContentType {
    func escapeText(_ text: String) -> String { Escaping.markup(text) }
  }
}

/// Markup that was made by a template, to be put into another one with `{{{…}}}`. Text from elsewhere is none.
public struct Markup: Sendable {
  /// The markup.
  public let text: String

  init(_ template: PageTemplate, _ value: Any) { text = template.render(value) }

  init(_ element: Element) { text = element.text }

  /// Several, one behind the other.
  init(_ parts: [Markup]) { text = parts.map(\.text).joined(separator: "\n") }
}

extension Markup: CustomStringConvertible {
  public var description: String { text }
}

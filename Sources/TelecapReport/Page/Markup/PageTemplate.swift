/// A template of a page, or of a part of one, in the manner of Mustache.
///
/// `{{name}}` is a value, always escaped (`Escaping.markup`), and `{{{name}}}` markup. The part between `{{#name}}` and
/// `{{/name}}` is written for a value that is there and is not false, and for each element of a list; between `{{^name}}` and
/// `{{/name}}` where there is none. `{{.}}` is the value whose section it is.
struct PageTemplate: Sendable {
  private let parts: [TemplatePart]

  /// - Precondition: the text is a template: it is written in this program.
  init(_ text: String) {
    do {
      parts = try TemplateParser.parts(of: text)
    } catch {
      preconditionFailure("a template of ours, line \(error.line): \(error.text)")
    }
  }

  /// The template filled with the members of a value.
  func render(_ value: Any) -> String {
    var writer = TemplateWriter(value)
    writer.write(parts)
    return writer.text
  }
}

/// Markup that was made by a template, to be put into another one with `{{{…}}}`. Text from elsewhere is none.
public struct Markup: Sendable {
  /// The markup.
  public let text: String

  init(_ template: PageTemplate, _ value: Any) { text = template.render(value) }

  init(_ element: Element) { text = element.text }

  /// Several, one after the other.
  init(_ parts: [Markup]) { text = parts.map(\.text).joined(separator: "\n") }
}

extension Markup: CustomStringConvertible {
  public var description: String { text }
}

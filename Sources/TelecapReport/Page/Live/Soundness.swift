/// Whether a shown capture is valid. The check of all of it takes longer than the first page may: it runs after
/// the first page, and pages that were drawn before request its result.
public enum Soundness: Sendable, Hashable {
  /// All that was looked at is as telecap writes it.
  case sound
  /// It is being looked through; the page asks at this address, which answers when that is done.
  case asked(at: String)
  /// The damage, in words.
  case damaged(String)

  /// The note at the top of a page; nil for none.
  var strip: Markup? {
    switch self {
    case .sound: nil
    case .asked(let address): Markup(Soundness.asking, ["address": address])
    case .damaged: Markup(Soundness.told, ["notice": notice])
    }
  }

  /// The same for a page that asked.
  public var notice: String {
    guard case .damaged(let words) = self else { return "" }
    return Markup(Soundness.warning, ["words": words]).text
  }

  private static let asking = PageTemplate("<div role=\"alert\" data-damage=\"{{address}}\"></div>\n")
  private static let told = PageTemplate("<div role=\"alert\">{{{notice}}}</div>\n")
  private static let warning = PageTemplate(
    "<p class=\"notice bad\">What is shown may be wrong or incomplete: {{words}}</p>")
}

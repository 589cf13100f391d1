import TelecapConformance
import TelecapText

/// A failure as two lines, expected and observed, with the elements that differ marked by carets and by colour.
enum FailureText {
  /// The lines of a failure.
  static func lines(_ failure: Failure, _ style: Style) -> [String] {
    let texts = TextDifference(expected: failure.expected.printable, observed: failure.observed.printable)
    return lines("expected", texts.expected, texts.isPartial, style.good)
      + lines("observed", texts.observed, texts.isPartial, style.bad)
  }

  private static func lines(
    _ name: String, _ elements: [TextDifference.Element], _ isPartial: Bool, _ colour: (String) -> String
  ) -> [String] {
    let marked = elements.map { $0.differs ? colour($0.text) : $0.text }.joined()
    let text = isPartial ? marked : colour(elements.map(\.text).joined())
    let carets = isPartial ? TextDifference.carets(below: elements) : ""
    return ["    \(name)  \(text)"] + (carets.isEmpty ? [] : ["              \(carets)"])
  }
}

import Testing

@testable import TelecapReport

@Suite struct TextDifferenceTests {
  @Test("Carets are below the elements that differ")
  func carets() {
    let one = TextDifference(expected: "strengths [0.5, 1.0, 0.25]", observed: "strengths [0.5, 1.5, 0.25]")
    #expect(TextDifference.carets(below: one.expected) == "                ^^^")
    #expect(TextDifference.carets(below: one.observed) == "                ^^^")
    #expect(one.isPartial && one.first?.expected == "1.0" && one.first?.observed == "1.5")
  }

  @Test("Of lists of different lengths the middle differs")
  func lengths() {
    let one = TextDifference(expected: "impacts [light, medium, heavy]", observed: "impacts [light, heavy]")
    #expect(TextDifference.carets(below: one.expected) == "                ^^^^^^")
    #expect(TextDifference.carets(below: one.observed).isEmpty)
    #expect(one.isPartial && one.first == nil)
  }

  @Test(
    "Texts without a common element, and equal texts, are not partial", arguments: [("pose 5", "nothing"), ("a", "a")])
  func whole(_ expected: String, _ observed: String) {
    #expect(!TextDifference(expected: expected, observed: observed).isPartial)
  }

  @Test("The number of times is not compared")
  func times() {
    let one = TextDifference(expected: "pose 5", observed: "pose 3 (1,009 times)")
    #expect(TextDifference.carets(below: one.observed) == "     ^" && one.isPartial)
    #expect(one.observed.map(\.text).joined() == "pose 3 (1,009 times)")
  }

  @Test("An empty text has no elements")
  func empty() {
    let one = TextDifference(expected: "", observed: "strength 1.0")
    #expect(one.expected.isEmpty && one.first == nil && !one.isPartial)
    #expect(TextDifference.carets(below: one.observed) == "^^^^^^^^ ^^^")
  }
}

import Testing

@testable import TelecapText

@Suite struct LinesTests {
  @Test("Iterating over lines gives the same lines as a split")
  func lines() {
    for text in ["", "\n", "a", "a\n", "a\r\nb\n\nc", "\r\n", "a\u{2028}b\n"] {
      let split = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      #expect(Array(text.lines) == split)
    }
  }

  @Test("A text longer than the limit is cut between characters and ends with an ellipsis")
  func cut() {
    #expect("abc".cut(to: 3) == "abc" && "abcd".cut(to: 3) == "abc…" && "".cut(to: 3) == "")
    #expect("e\u{301}e\u{301}".cut(to: 2) == "e\u{301}…")
  }
}

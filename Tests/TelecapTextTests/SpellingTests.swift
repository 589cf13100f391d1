import Testing

@testable import TelecapText

@Suite struct SpellingTests {
  @Test(
    "The distance counts inserted, deleted, changed and swapped letters",
    arguments: [
      ("verdit", "verdict", 1), ("sned", "send", 1), ("", "abc", 3), ("abc", "", 3), ("Send", "send", 0),
      ("kitten", "sitting", 3), ("ab", "ba", 1),
    ])
  func lettersPutInLeftOutChangedOrSwappedAreCounted(_ left: String, _ right: String, _ count: Int) {
    #expect(Spelling.distance(left, right) == count)
    #expect(Spelling.distance(right, left) == count)
  }

  @Test("No suggestion is made for a word that is too far from all others")
  func whatIsTooFarFromEveryWordIsNotMeant() {
    #expect(Spelling.nearest(to: "sned", among: ["end", "send", "wait"]) == "send")
    #expect(Spelling.nearest(to: "telephone", among: ["end", "send"]) == nil)
    #expect(Spelling.closest(to: "telephone", among: ["end", "send"]) == "end")
    #expect(Spelling.closest(to: "x", among: []) == nil)
  }

  @Test(
    "A short word with half of its letters changed is no match, except for two swapped letters",
    arguments: [
      ("upd", "udp", true), ("sqe", "seq", true), ("di", "id", true), ("U8", "u8", true), ("idd", "id", true),
      ("stat", "state", true), ("seq", "key", false), ("min", "is", false), ("id", "is", false), ("BE", "big", false),
      ("host", "port", false), ("e", "a", false), ("", "at", false),
    ])
  func shortWords(_ word: String, _ other: String, _ isMeant: Bool) {
    #expect((Spelling.nearest(to: word, among: [other]) != nil) == isMeant)
  }

  @Test("A very long word costs no more than a long one")
  func aWordWithoutEndCostsNoMoreThanALongOne() {
    #expect(Spelling.distance(String(repeating: "a", count: 1 << 20), "ab") == 63)
  }
}

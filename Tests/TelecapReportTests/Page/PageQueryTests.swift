import TelecapText
import Testing

@testable import TelecapReport

@Suite struct PageQueryTests {
  @Test("What is written into an address is read out of it", arguments: ["a=b&c", "100 % + 'ü'", "", "<\"'>\n", "%41"])
  func roundTrip(_ text: String) {
    #expect(PageQuery.values(in: "x=1&where=\(Escaping.url(text))&y") == ["x": "1", "where": text, "y": ""])
  }

  @Test("A plus is a space, and what is no escape stands as it is")
  func forms() {
    #expect(PageQuery.values(in: "a=1+2&a=3&b=%zz%4") == ["a": "1 2", "b": "%zz%4"])
  }
}

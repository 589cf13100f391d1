import TelecapRecording
import TelecapReport
import TelecapText
import TelecapWire
import Testing

@Suite struct TextTableTests {
  @Test("Columns are as wide as they need to be, numbers right-aligned")
  func columnsAreAsWideAsTheyNeedToBeNumbersRightAligned() {
    var table = TextTable(rightAligned: [1])
    #expect(table.isEmpty)
    table.add("POSE", "1,234", "seq")
    table.add("BY", "7", "x")
    #expect(!table.isEmpty)
    #expect(table.lines() == ["  POSE  1,234  seq", "  BY        7  x"])
    #expect(table.lines(indent: "") == ["POSE  1,234  seq", "BY        7  x"])
  }

  @Test("No line ends in spaces")
  func noLineEndsInSpaces() {
    var table = TextTable()
    table.add("a", "bb", "")
    table.add("ccc", "", "")
    table.add("", "", "")
    table.add("d", "", "e")
    #expect(table.lines() == ["  a    bb", "  ccc", "", "  d        e"])
  }

  @Test("Rows may be of different lengths, and there may be none")
  func rowsMayBeOfDifferentLengthsAndThereMayBeNone() {
    var table = TextTable()
    #expect(table.lines() == [])
    table.add("a")
    table.add("bb", "c")
    #expect(table.lines() == ["  a", "  bb  c"])
  }

  @Test("Characters count, not bytes")
  func charactersCountNotBytes() {
    var table = TextTable()
    table.add("µ", "1")
    table.add("ab", "2")
    #expect(table.lines() == ["  µ   1", "  ab  2"])
    #expect("µ".padded(to: 3) == "µ  ")
    #expect("µ".rightAligned(to: 3) == "  µ")
    #expect("long".padded(to: 2) == "long")
    #expect("long".rightAligned(to: 2) == "long")
  }
}

@Suite struct StyleTests {
  @Test("Colour is written only where it is wanted")
  func colourIsWrittenOnlyWhereItIsWanted() {
    let coloured = Style(isColoured: true)
    #expect(coloured.bold("x") == "\u{1b}[1mx\u{1b}[0m")
    #expect(coloured.severity(.error, "x") == "\u{1b}[31mx\u{1b}[0m")
    #expect(coloured.severity(.warning, "x") == "\u{1b}[33mx\u{1b}[0m")
    #expect(coloured.severity(.note, "x") == "\u{1b}[36mx\u{1b}[0m")
    for style in [Style.plain.bold, Style.plain.dim, Style.plain.good, Style.plain.bad] { #expect(style("x") == "x") }
    #expect(Style.plain.severity(.error, "x") == "x")
  }

  @Test(
    "Text from outside cannot command the terminal",
    arguments: [
      ("plain text", "plain text"), ("Grüße, 机器人", "Grüße, 机器人"), ("", ""),
      ("\u{1b}[31mred", #"\u{1b}[31mred"#), ("a\nb\tc\0", #"a\u{a}b\u{9}c\u{0}"#), ("\u{9b}31m", #"\u{9b}31m"#),
      ("\u{202e}abc\u{2028}", #"\u{202e}abc\u{2028}"#), ("\u{7f}", #"\u{7f}"#),
    ])
  func textFromOutsideCannotCommandTheTerminal(text: String, shown: String) {
    #expect(text.printable == shown)
  }
}

import TelecapRecording
import TelecapReport
import TelecapWire
import Testing

@Suite struct NumbersTests {
  @Test(arguments: [
    (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567"),
    (-1_000, "-1,000"), (-999, "-999"), (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `groups digits by three`(value: Int, text: String) {
    #expect(Numbers.grouped(value) == text)
  }

  @Test(arguments: [
    (0, 0, "0"), (0.5, 0, "1"), (-0.5, 0, "-1"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"),
    (-0.04, 1, "0.0"), (9.999, 2, "10.00"), (1.0625, 3, "1.063"), (12.003, 3, "12.003"),
    (0.000000001, 9, "0.000000001"),
    (999_999_999, 9, "999999999.000000000"), (1e9, 2, "1000000000.0"), (1e300, 2, "1e+300"), (.nan, 2, "nan"),
    (-.infinity, 2, "-inf"),
  ])
  func `writes so many decimals and rounds half away from zero`(value: Double, places: Int, text: String) {
    #expect(Numbers.fixed(value, places) == text)
  }

  @Test(arguments: [
    (0, "0 ns"), (870, "870 ns"), (999, "999 ns"), (1_000, "1.0 µs"), (12_340, "12.3 µs"), (999_949, "999.9 µs"),
    (999_950, "1.00 ms"), (4_560_000, "4.56 ms"), (999_994_999, "999.99 ms"), (999_995_000, "1.000 s"),
    (1_200_000_000, "1.200 s"), (-1_500, "-1.5 µs"), (Int64.min, "-9223372036.854776 s"),
  ])
  func `gives times in the unit that suits them`(nanoseconds: Int64, text: String) {
    #expect(Numbers.time(nanoseconds) == text)
  }
}

@Suite struct TextTableTests {
  @Test func `columns are as wide as they need to be, numbers right-aligned`() {
    var table = TextTable(rightAligned: [1])
    #expect(table.isEmpty)
    table.add("POSE", "1,234", "seq")
    table.add("BY", "7", "x")
    #expect(!table.isEmpty)
    #expect(table.lines() == ["  POSE  1,234  seq", "  BY        7  x"])
    #expect(table.lines(indent: "") == ["POSE  1,234  seq", "BY        7  x"])
  }

  @Test func `no line ends in spaces`() {
    var table = TextTable()
    table.add("a", "bb", "")
    table.add("ccc", "", "")
    table.add("", "", "")
    table.add("d", "", "e")
    #expect(table.lines() == ["  a    bb", "  ccc", "", "  d        e"])
  }

  @Test func `rows may be of different lengths, and there may be none`() {
    var table = TextTable()
    #expect(table.lines() == [])
    table.add("a")
    table.add("bb", "c")
    #expect(table.lines() == ["  a", "  bb  c"])
  }

  @Test func `characters count, not bytes`() {
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
  @Test func `colour is written only where it is wanted`() {
    let coloured = Style(isColoured: true)
    #expect(coloured.bold("x") == "\u{1b}[1mx\u{1b}[0m")
    #expect(coloured.severity(.error, "x") == "\u{1b}[31mx\u{1b}[0m")
    #expect(coloured.severity(.warning, "x") == "\u{1b}[33mx\u{1b}[0m")
    #expect(coloured.severity(.note, "x") == "\u{1b}[36mx\u{1b}[0m")
    for style in [Style.plain.bold, Style.plain.dim, Style.plain.good, Style.plain.bad] { #expect(style("x") == "x") }
    #expect(Style.plain.severity(.error, "x") == "x")
  }

  @Test(arguments: [
    ("plain text", "plain text"), ("Grüße, 机器人", "Grüße, 机器人"), ("", ""),
    ("\u{1b}[31mred", #"\u{1b}[31mred"#), ("a\nb\tc\0", #"a\u{a}b\u{9}c\u{0}"#), ("\u{9b}31m", #"\u{9b}31m"#),
    ("\u{202e}abc\u{2028}", #"\u{202e}abc\u{2028}"#), ("\u{7f}", #"\u{7f}"#),
  ])
  func `text from outside cannot command the terminal`(text: String, shown: String) {
    #expect(text.printable == shown)
  }
}

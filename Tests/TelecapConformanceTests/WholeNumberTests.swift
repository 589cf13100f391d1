import TelecapTele
import TelecapText
import TelecapWire
import Testing

@testable import TelecapConformance
import TelecapSuites

@Suite("Whole numbers") struct WholeNumberTests {
  @Test(
    "Decimal digits are read up to 64 bits, and no other text is a whole number",
    arguments: [
      ("0", "0"), ("-0", "0"), ("+7", "7"), ("18446744073709551615", "18446744073709551615"),
      ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775809", "9223372036854775809"),
      ("18446744073709551616", nil), ("-9223372036854775809", nil), ("", nil), ("-", nil), ("--1", nil), ("1.0", nil),
      ("1e3", nil), ("0x10", nil), (" 1", nil), ("١", nil),
    ] as [(String, String?)])
  func read(_ text: String, _ expected: String?) {
    #expect(WholeNumber(text).map { "\($0)" } == expected)
  }

  @Test("A printed number matches a sent one only if it is a rounding of it")
  func rounding() throws {
    let sent = WholeNumber(UInt64(9_223_372_036_854_775_818))
    for text in ["9223372036854775818", "9223372036854775808", "9223372036854776000"] {
      #expect(try #require(WholeNumber(text)).isRounding(of: sent), "\(text)")
    }
    for text in ["9223372036854775819", "9223372036854775817", "-9223372036854775808", "9223372036854777856"] {
      #expect(try !#require(WholeNumber(text)).isRounding(of: sent), "\(text)")
    }
    #expect(!WholeNumber(7).isRounding(of: WholeNumber(8)))
  }

  @Test("A condition and a text distinguish whole numbers that are equal as doubles")
  func conditions() throws {
    let node = try #require(JSONNode.objects(printed: #"{"a": 9223372036854775809, "b": 2.0, "c": -0}"#.utf8).first)
    #expect(node[["a"]]?.meantText == "9223372036854775809")
    #expect(node[["b"]]?.meantText == "2" && node[["c"]]?.meantText == "0")
    var rule = EventRule(.strength)
    rule.conditions = [EventRule.Condition(["a"], ["9223372036854775808"])]
    #expect(!rule.matches(node))
    rule.conditions = [EventRule.Condition(["a"], ["9223372036854775809"])]
    #expect(rule.matches(node))
  }

  @Test("Stream values store whole numbers of 64 bits exactly, until a value is changed")
  func values() {
    let most = WholeNumber(UInt64.max)
    var values = StreamValues(numbers: [
      .whole(most), .whole(WholeNumber(Int64.min + 1)), .real(0.5), .whole(WholeNumber(3)),
    ])
    #expect(values.whole(at: 0) == most && values.whole(at: 1) == WholeNumber(Int64.min + 1))
    #expect(values.whole(at: 2) == nil && values.whole(at: 3) == WholeNumber(3))
    #expect(values != StreamValues([Double(UInt64.max), Double(Int64.min), 0.5, 3]))
    values[0] = 0x1p63
    #expect(values.whole(at: 0) == nil && values[0] == 0x1p63)
    values[3] = 4
    #expect(values.whole(at: 3) == WholeNumber(4))
  }
}

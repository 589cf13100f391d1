import TelecapText
import Testing

@Suite struct JSONTokensTests {
  private func string(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var at = 0
    do throws(JSONProblem) {
      return JSONTokens.unescaped(bytes[try JSONTokens.string(bytes.span.bytes, &at)])
    } catch {
      return "\(error.offset): \(error)"
    }
  }

  @Test(
    "Strings",
    arguments: [
      (#""""#, ""), (#""a\n\u00fc\ud83d\ude00" rest"#, "a\nü😀"), (#""\ud83d""#, "\u{fffd}"), (#""\"\\\/""#, "\"\\/"),
      (#""open"#, "0: this string has no closing quote"), (#""a\x""#, "2: unknown escape in a string"),
      (#""\u12g4""#, "1: unknown escape in a string"), ("x", "0: expected a value"),
      ("\"\n\"", "1: a control character in a string; write it as an escape"),
    ])
  func strings(_ text: String, _ expected: String) {
    #expect(string(text) == expected)
  }

  @Test(
    "Numbers",
    arguments: [
      ("0", 0..<1), ("-12.5e+3,", 0..<8), ("01", nil), ("1.", nil), ("-", nil), ("x", nil), ("", nil), ("NaN", nil),
    ] as [(String, Range<Int>?)])
  func numbers(_ text: String, _ expected: Range<Int>?) {
    let bytes = Array(text.utf8)
    var at = 0
    #expect((try? JSONTokens.number(bytes.span.bytes, &at)) == expected)
  }
}

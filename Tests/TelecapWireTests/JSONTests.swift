import TelecapTele
import TelecapWire
import TelecapTestSupport
import Testing

/// CONFIG holds a JSON object (RFC 8259), looked at through the decoder.
@Suite struct JSONTests {
  private func isObject(_ text: [UInt8]) throws -> Bool {
    let message = try Message(.config, fields: ["config": .bytes(text)])
    let findings = decode(message.bytes, as: .teleTCP).findings
    #expect(
      findings.isEmpty || findings == [Finding(.configJSON, 8..<8 + text.count, .field(.config, index: 4, bits: 0))])
    return findings.isEmpty
  }

  @Test(
    "An object of JSON is recognised",
    arguments: [
      "{}", " \t\r\n{ } \n", #"{"a":1}"#, #"{"a":-0.5e+10,"b":[],"c":{"d":null}}"#, #"{"":true,"":false}"#,
      #"{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D"}"#, "{\"ü\":\"\u{1f600}\u{7ff}\u{800}\u{ffff}\u{10ffff}\u{7f}\"}",
      #"{"a":[1,[2,[3]],"x"],"b":0,"c":10,"d":1E-2,"e":-1}"#,
    ])
  func valid(_ text: String) throws { #expect(try isObject(Array(text.utf8))) }

  @Test(
    "Any other JSON or text is no object",
    arguments: [
      "", " ", "[]", "1", "null", #""a""#, "{", "}", "{}}", "{}{}", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
      #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#,
      #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#, #"{"a":trueish}"#,
      #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#, #"{"a":"b}"#, #"{"a":"\"}"#, "{\"a\":\"\n\"}",
      "{\"a\":\"\u{0}\"}", "{}\u{0}", "\u{feff}{}", #"{"a":[1,]}"#, #"{"a":[1 2]}"#, #"{"a":[}"#, #"{"a":]}"#,
      "// no comments\n{}", "{/**/}", #"{"a":{"b":1}"#, #"{1:2}"#,
    ])
  func invalid(_ text: String) throws { #expect(try !isObject(Array(text.utf8))) }

  @Test(
    "Text that is not UTF-8 is no JSON",
    arguments: [
      "c3", "80", "c080", "c1bf", "e08080", "e09fbf", "eda080", "edbfbf", "f0808080", "f08fbfbf", "f4908080",
      "f5808080",
      "ff", "fe", "e282", "f09f98", "c328", "e228a1", "e28228",
    ])
  func badUTF8(_ bytes: String) throws {
    #expect(try !isObject(hex("7b22") + hex(bytes) + hex("223a317d")))
  }

  @Test(
    "The first and last characters of each length are UTF-8",
    arguments: [0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff] as [UInt32])
  func goodUTF8(_ code: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(code))
    #expect(try isObject(Array("{\"a\":\"\(Character(scalar))\"}".utf8)))
  }

  @Test("Objects may be nested 64 levels deep, and more do not exhaust the stack")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Array((String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)).utf8)
    }
    #expect(try isObject(nested(64)))
    #expect(try !isObject(nested(65)))
    #expect(try !isObject([UInt8](repeating: 0x5b, count: 60_000)))
    #expect(try !isObject(Array(#"{"a":"#.utf8) + [UInt8](repeating: 0x5b, count: 60_000)))
  }
}

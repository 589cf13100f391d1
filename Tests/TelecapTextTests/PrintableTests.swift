import Foundation
import TelecapText
import Testing

/// Characters of untrusted text that a terminal or a browser would obey.
@Suite struct PrintableTests {
  /// C0, C1, DEL, line separators and all of Unicode's Bidi_Control.
  private static let obeyed: [Unicode.Scalar] =
    ((0..<32).filter { $0 != 9 && $0 != 10 } + Array(0x7f...0x9f) + [0x61c, 0x200e, 0x200f] + Array(0x2028...0x202e)
    + Array(0x2066...0x2069)).compactMap(Unicode.Scalar.init)

  @Test("Output keeps its lines and colours, and no other terminal sequence")
  func wholeOutputKeepsItsLinesAndColoursAndNothingElseThatATerminalObeys() {
    #expect("a\n\u{1b}[1;31mb\u{1b}[0m\tü 👩‍💻\n".harmless == "a\n\u{1b}[1;31mb\u{1b}[0m\tü 👩‍💻\n")
    #expect("\u{1b}]0;owned\u{7}".harmless == "\\u{1b}]0;owned\\u{7}")
    for cut in ["\u{1b}", "\u{1b}[", "\u{1b}[31", "\u{1b}[2J", "\u{1b}[?25l", "\u{1b}[3\u{1b}[m"] {
      #expect(cut.harmless.hasPrefix("\\u{1b}"), "\(cut.debugDescription)")
    }
    for scalar in Self.obeyed {
      #expect("a\(Character(scalar))b".harmless == "a\\u{\(String(scalar.value, radix: 16))}b")
    }
  }

  @Test("Line breaks are kept")
  func linesStayLines() {
    #expect("a\u{9b}b\n\nc".printableLines == "a\\u{9b}b\n\nc")
  }

  @Test("JSON contains no such character, and has the same meaning")
  func jSONHoldsNoSuchCharacterAndMeansWhatItMeant() throws {
    for scalar in Self.obeyed {
      let text = "a\(Character(scalar))é‧b"
      var json = JSONWriter()
      json.put(nil, text)
      let digits = String(scalar.value, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      #expect(json.text == "\"a\(escape)é‧b\"")
      let read = try JSONSerialization.jsonObject(with: Data(json.bytes), options: .fragmentsAllowed) as? String
      #expect(read.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test("JSON contains the neighbours of such characters unescaped")
  func neighboursOfSuchCharactersStandInJSONAsTheyAre() {
    for number: UInt32 in [0xa0, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0x2580, 0x7000] {
      let text = String(Unicode.Scalar(number).map(Character.init) ?? "?")
      var json = JSONWriter()
      json.put(nil, text)
      #expect(json.text == "\"\(text)\"")
    }
    // Bytes that are invalid UTF-8 do not make the writer read before their start.
    for bytes: [UInt8] in [[0x80], [0xa8], [0x80, 0xa8], [0x81, 0xa6], [0xff, 0x80, 0xa8]] {
      var written: [UInt8] = []
      JSONWriter.quote(bytes, to: &written)
      #expect(written == [34] + bytes + [34])
    }
  }
}

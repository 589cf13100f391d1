import TelecapRecording
import TelecapTestSupport
import TelecapText
import Testing

@Suite struct TextPositionTests {
  /// The line and column of an offset, counted from the start of the text.
  private func counted(_ text: [UInt8], _ offset: Int) -> TextPosition {
    var position = TextPosition(line: 1, column: 1)
    for (index, byte) in text[..<offset].enumerated() {
      if byte == 10 || byte == 13 && (index + 1 == text.count || text[index + 1] != 10) {
        position = TextPosition(line: position.line + 1, column: 1)
      } else if byte & 0xc0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  @Test("Every byte's line and column are the same as by counting from the start")
  func everyByte() {
    var random = SplitMix64(seed: 5)
    let text = Array(random.string(of: "abcé🙂\n\r\"{", 5_000...5_000).utf8)
    let lines = TextLines(text)
    for offset in stride(from: 0, through: text.count, by: 7) {
      #expect(lines.position(at: offset) == counted(text, offset))
    }
    #expect(lines.position(at: text.count + 9) == counted(text, text.count))
    #expect(TextLines([]).position(at: 3) == TextPosition(line: 1, column: 1))
  }

  @Test("A position in one long line takes as long as in a short one", .timeLimit(.minutes(10)))
  func longLine() {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
    let lines = TextLines(text)
    // Counted from the start of the line each time these would take hours.
    for offset in stride(from: 0, to: text.count, by: 64) {
      #expect(lines.position(at: offset).column == offset + 1)
    }
  }
}

/// Types of C, Python, Rust, Swift, Kaitai Struct, Protocol Buffers and Wireshark in place of telecap's, and sizes.
enum TypeMistakes {
  static let rows: [Mistake] = [
    // Numbers.
    written("uint16", "write \"u16\""), written("uint16_t", "write \"u16\""), written("u_int16_t", "write \"u16\""),
    written("unsigned short", "write \"u16\""), written("int", "write \"i32\""), written("FT_UINT16", "write \"u16\""),
    written("u2", "write \"bits 2\", or \"u16\" for 2 bytes"),
    written("u16be", "write \"u16\"", "\"byte-order: big\""), written("<H", "write \"u16\"", "\"byte-order: little\""),
    written("float", "write \"f32\""), written("double", "write \"f64\""), written("half", "\"u16\" for the bits"),
    written("u48", "write \"bits 48\""), written("varint", "fixed size"),
    written("bool", "write \"u8\"", "codes: {0: no, 1: yes}"),
    written("enum", "write \"u8\"", "codes: {0: off, 1: on}"), written("timestamp", "unit: ms"),
    // Text, bytes and arrays.
    written("string", "write \"text N\"", "\"text in FIELD\""), written("char[16]", "write \"text 16\""),
    written("char name[16]", "write \"text 16\""), written("string(16)", "write \"text 16\""),
    written("uint8[4]", "write \"bytes 4\""), written("u8 4", "write \"bytes 4\""),
    written("byte[]", "\"bytes in FIELD\""),
    written("u16[3]", "no arrays", "write 3 fields with \"type: u16\""), written("uuid", "write \"bytes 16\""),
    written("cstring", "write \"text to 0\""), written("struct", "\"parts\""),
    written("text", "has no size", "write \"text N\"", "\"text in FIELD\""),
    written("bytes 0", "1 to 1024 bytes"), written("text 4 bytes", "write \"text 4\""),
    written("text in 4", "write \"text 4\""),
    written("bits 65", "1 to 64 bits", "\"bytes N\""), written("[u8, u8]", "\"type\": expected text, found a list"),
    written("", "\"type\" is empty", "u16", column: 14),
    // Text that is counted by something else.
    Mistake("{name: label, type: text in size}", "{name: label, type: text size}", 36, 29, "write \"text in size\""),
    Mistake(
      "{name: label, type: text in size}", "{name: label, type: text in length}", 36, 29,
      "there is no number \"length\" before it", "size"),
    Mistake("text in size}", "text in size, length: 4}", 36, 43, "unknown key \"length\"", "the size is in the type"),
  ]

  /// A type of the field "number", which is a u16.
  private static func written(_ wrong: String, _ words: String..., column: Int = 15) -> Mistake {
    Mistake("        type: u16", "        type: \(wrong)", 28, column, all: words)
  }
}

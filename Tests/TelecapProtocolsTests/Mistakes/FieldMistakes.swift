/// Names, keys and values of fields.
enum FieldMistakes {
  static let rows: [Mistake] = [
    // Names.
    Mistake(
      "name: number", "name: sequence number", 27, 15, "letters, digits and _", "did you mean \"sequence_number\"?"),
    Mistake("name: number", "name: sequenceNumber", 27, 15, "did you mean \"sequence_number\"?"),
    Mistake("name: number", "name: Number", 27, 15, "did you mean \"number\"?"),
    Mistake("name: number", "name: level", 29, 15, "LEVEL has a second field \"level\""),
    Mistake("name: number\n        type: u16", "number: u16", 27, 9, "if that is its name, write \"name: number\""),
    Mistake("      - name: number\n        type: u16", "      - number", 27, 9, "for example fields: [{name: level"),
    Mistake("        type: u16\n", "", 27, 9, "field \"number\" has no \"type\""),
    // Keys of other formats.
    number("size: 2", "unknown key \"size\"", "the size is in the type"),
    number("lenght: 2", "unknown key \"lenght\"", "the size is in the type"),
    number("endian: big", "unknown key \"endian\"", "write \"byte-order\""),
    number("value: 0", "unknown key \"value\"", "write \"equals\""),
    number("enum: {0: off}", "unknown key \"enum\"", "write \"codes\""),
    number("min: 0", "unknown key \"min\"", "write \"range: [smallest, largest]\""),
    number("description: of the packet", "unknown key \"description\"", "write \"meaning\""),
    number("repeat: 3", "\"repeat\" is the name of a part", "\"times\" the number of entries", column: 17),
    number("array: 3", "unknown key \"array\"", "entries are \"repeat: PART\""),
    number("checksum: crc16", "unknown key \"checksum\"", "write \"check\""),
    Mistake("unit: deg", "units: deg", 33, 45, "unknown key \"units\"", "did you mean \"unit\"?"),
    // Places.
    number("at: 4", "\"number\" begins at 3", column: 13),
    Mistake(
      "        type: f32", "        type: f32\n        offset: 5", 31, 17, "\"level\" is float32",
      "the byte where a field begins is \"at\""),
    // Constants.
    number("equals: FF", "which cannot be \"FF\"", "write 0xFF", column: 17),
    number("equals: '0xFF'", "write 0xFF, without quotes", column: 17),
    number("equals: 0b11", "write 3", column: 17),
    number("equals: 010", "010 begins with 0: write 10, or 8 if it is octal", column: 17),
    number("equals: -09", "-09 begins with 0: write -9", column: 17),
    number("range: [00, 9]", "00 begins with 0: write 0", column: 17),
    number("equals: 70000", "whole numbers from 0 to 65535", column: 17),
    number("equals: 1\n        range: [0, 1]", "has two rules: equals and range", line: 30, column: 16),
    number("reserved: yes", "expected true or false", "write true", column: 19),
    number("shown: hex", "did you mean \"hexadecimal\"?", column: 16),
    number("byte-order: BE", "write \"big\"", column: 21),
    // Codes and bits.
    Mistake("codes: {0: OK, 1: BUSY}", "codes: [OK, BUSY]", 22, 41, "for example codes: {0: off, 1: on}"),
    Mistake("codes: {0: OK, 1: BUSY}", "codes: {OK: 0, BUSY: 1}", 22, 42, "a number from 0", "write {0: OK}"),
    Mistake("codes: {0: OK, 1: BUSY}", "codes: {0:OK, 1:BUSY}", 22, 42, "write \"0: OK\""),
    Mistake("codes: {0: OK, 1: BUSY}", "codes: {0: OK, 010: BUSY}", 22, 49, "write 10, or 8 if it is octal"),
    Mistake("codes: {0: OK, 1: BUSY}", "codes: {0: OK, 256: BUSY}", 22, 49, "whole numbers from 0 to 255"),
    Mistake("bits: 0x3", "bits: 0x1ff", 32, 39, "has no bits 0x1ff"),
    Mistake(
      "{name: flags, type: u8, bits: 0x3}", "{name: flags, type: bits 3}", 32, 29, "5 bits are missing", "type: bits 5"),
    // Ranges and scales.
    Mistake("range: [0, 1]", "range: [1, 0]", 31, 16, "[smallest, largest]", "write [0, 1]"),
    Mistake("range: [0, 1]", "range: 0..1", 31, 16, "for example range: [0, 1]"),
    Mistake("range: [0, 1]", "range: {min: 0, max: 1}", 31, 16, "for example range: [0, 1]"),
    Mistake("range: [0, 1]", "range: [0,5, 1]", 31, 16, "found 3", "a decimal point is no comma"),
    number("range: [0, 70000]", "whole numbers from 0 to 65535", column: 20),
    Mistake("scale: 0.01", "scale: 0", 33, 39, "other than 0"),
    Mistake("scale: 0.01", "scale: 1 / 100", 33, 39, "write 1/100"),
    Mistake("scale: 0.01", "scale: 0.01 deg", 33, 39, "write 0.01"),
    // Checksums.
    Mistake("check: crc16-x25", "check: crc16", 34, 39, "did you mean", "\"crc16-modbus\"", "\"crc16-x25\""),
    Mistake("check: crc16-x25", "check: crc16-ccitt-false", 34, 39, "did you mean \"crc16-ccitt\"?"),
    Mistake("check: crc16-x25", "check: crc32", 34, 39, "crc32 has 32 bits", "\"crc\" is uint16"),
    Mistake("check: crc16-x25", "check: {algorithm: crc16-x25, from: levle}", 34, 68, "did you mean \"level\"?"),
    Mistake("check: crc16-x25", "check: {algorithm: crc16-x25, from: crc, to: crc}", 34, 68, "covers only itself"),
    Mistake("check: crc16-x25", "check: {algorithm: crc16-x25, from: size}", 34, 39, "covers nothing"),
    Mistake("check: crc16-x25", "check: {algorithm: crc, poly: 0x1021}", 34, 56, "write \"polynomial\""),
    Mistake("check: crc16-x25", "is: crc32", 34, 36, "fields of the header", "write \"check: crc32\""),
    // Fields that may be missing, and what follows the rest.
    Mistake(label, "{name: label, type: u8, when: flags}", 36, 39, "for example when: {field: flags, bits: 0x10}"),
    Mistake(label, "{name: label, type: u8, when: {field: flags}}", 36, 39, "requires \"bits\" or \"equals\""),
    Mistake(label, "{name: label, type: u8, when: {flags: 1}}", 36, 40, "write {field: NAME, bits: 0x10}"),
    Mistake(
      label, "{name: label, type: u8, optional: true}\n      - {name: tail, type: u8}", 37, 16,
      "write \"optional: true\" here too"),
    Mistake(
      label, "{name: label, type: rest}\n      - {name: tail, type: u8}", 37, 16, "\"label\" before it takes the rest"),
    Mistake(label, "{name: label, type: bytes to 0}", 36, 29, "write \"text to 0\""),
  ]

  private static let label = "{name: label, type: text in size}"

  /// Another line of the field "number", which is a u16.
  private static func number(_ wrong: String, _ words: String..., line: Int = 29, column: Int = 9) -> Mistake {
    Mistake("        type: u16\n", "        type: u16\n        \(wrong)\n", line, column, all: words)
  }
}

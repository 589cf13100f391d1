import TelecapText

/// Types as other languages and tools call them, and what a protocol file says for them.
enum ForeignTypes {
  /// The advice for a type name of another language; nil for an unknown name.
  static func advice(for name: String) -> String? {
    let word = plain(name)
    if let type = names[word] { return "write \"\(type)\"" }
    if let (count, isSigned) = oddWidth(word) {
      if !isSigned, count <= 64 { return "write \"bits \(count)\"" }
      return count % 8 == 0
        ? "whole numbers have 8, 16, 24, 32 or 64 bits: write \"bytes \(count / 8)\" for these"
        : "signed numbers have 8, 16, 24, 32 or 64 bits: write \"bits \(count)\", which is unsigned"
    }
    if let (type, order) = withOrder(word) {
      return "write \"\(type)\", and \"byte-order: \(order)\" next to it, or at the top of the file for all its numbers"
    }
    return hints[word]
  }

  /// `UINT16_T` and `uint16` are the same word.
  private static func plain(_ name: String) -> String {
    let word = name.lowercased()
    return word.hasSuffix("_t") ? String(word.dropLast(2)) : word
  }

  /// The bits of a whole number that is no type, and whether it is signed: 48 of `u48`, `int48` and `uint48`, 4 of `b4`.
  private static func oddWidth(_ word: String) -> (Int, isSigned: Bool)? {
    for prefix in ["uint", "int", "bits", "bit", "u", "b", "i", "s"] where word.hasPrefix(prefix) {
      guard let bits = Int(word.dropFirst(prefix.count)) else { continue }
      let isSigned = ["int", "i", "s"].contains(prefix)
      let isOdd =
        bits % 8 != 0 && bits < 64 || bits % 8 == 0 && ![8, 16, 24, 32, 64].contains(bits) || prefix.hasPrefix("b")
      return bits > 0 && bits <= 1_024 && isOdd ? (bits, isSigned) : nil
    }
    return nil
  }

  /// `u16be` as its type and byte order.
  private static func withOrder(_ word: String) -> (type: String, order: String)? {
    for (ending, order) in [("be", "big"), ("le", "little")] where word.hasSuffix(ending) {
      var stem = String(word.dropLast(2))
      if stem.hasSuffix("_") { stem.removeLast() }
      if let type = names[stem] ?? (FieldWords.isNumber(stem) ? stem : nil) { return (type, order) }
    }
    return nil
  }

  private static let names: [String: String] = {
    var names: [String: String] = [:]
    let same = [
      "u8": "uint8 byte ubyte uchar octet", "i8": "int8 s8 sbyte char schar", "u16": "uint16 ushort word",
      "i16": "int16 s16 short",
      "u24": "uint24", "i24": "int24 s24", "u32": "uint32 uint ulong dword", "i32": "int32 s32 int long",
      "u64": "uint64 qword ulonglong",
      "i64": "int64 s64 longlong", "f32": "float float32 single binary32", "f64": "double float64 real binary64",
    ]
    for (type, words) in same {
      for word in words.split(separator: " ") { names[String(word)] = type }
    }
    return names
  }()

  private static let hints: [String: String] = {
    let float = "floats have 32 or 64 bits: write \"u16\" for the bits of one of 16"
    let text = "write \"text N\" with its bytes, or \"text in FIELD\" with the field that counts them"
    let bytes = "write \"bytes N\" with their number, \"bytes in FIELD\" with the field that counts them, or \"rest\""
    let flag = "write \"u8\" with \"codes: {0: no, 1: yes}\", or with \"bits\" for flags"
    let slice = "write \"bits N\" with their number, such as \"bits 1\""
    let varying = "whole numbers have a fixed size: u8, u16, u24, u32 or u64"
    let groups = [
      float: "f16 half float16 binary16", text: "string str chars utf8 ascii",
      "write \"text to 0\"": "cstring asciiz strz",
      bytes: "blob data raw buffer array octets",
      flag: "bool boolean flag flags", slice: "bits bit", "write \"bits 4\"": "nibble", varying: "varint leb128 vlq",
    ]
    var hints: [String: String] = [:]
    for (hint, words) in groups {
      for word in words.split(separator: " ") { hints[String(word)] = hint }
    }
    return hints
  }()
}

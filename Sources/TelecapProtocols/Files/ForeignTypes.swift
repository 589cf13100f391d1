/// Types as other languages and tools call them, and what a protocol file says for them.
enum ForeignTypes {
  /// The advice for a type of another language; nil for an unknown one.
  static func advice(for text: String) -> String? {
    if let advice = ForeignArrays.advice(for: text) { return advice }
    let name = text.split(separator: " ").first.map(String.init) ?? ""
    return advice(named: plain(text)) ?? advice(named: plain(name)) ?? StructFormat.advice(for: text)
  }

  private static func advice(named word: String) -> String? {
    if let type = names[word] { return "write \"\(type)\"" }
    if let (count, isSigned) = oddWidth(word) { return advice(ofBits: count, isSigned, word) }
    if let (type, order) = withOrder(word) { return "write \"\(type)\", and \(advice(of: order))" }
    return ForeignWords.hints[word]
  }

  /// Where a byte order is written.
  static func advice(of order: String) -> String {
    "\"byte-order: \(order)\" next to it, or at the top of the file for all its numbers"
  }

  private static func advice(ofBits count: Int, _ isSigned: Bool, _ word: String) -> String {
    // Kaitai Struct counts bytes: its u4 is a u32.
    let bytes = inBytes[word].map { ", or \"\($0)\" for \(count) bytes" } ?? ""
    if !isSigned, count <= 64 { return "write \"bits \(count)\"\(bytes)" }
    return count % 8 == 0
      ? "whole numbers have 8, 16, 24, 32 or 64 bits: write \"bytes \(count / 8)\" for these"
      : "signed numbers have 8, 16, 24, 32 or 64 bits: write \"bits \(count)\", which is unsigned\(bytes)"
  }

  /// The type of a field by the name that another language has for it; nil for an unknown one.
  static func type(named name: String) -> String? {
    let word = plain(name)
    return names[word] ?? (FieldWords.isNumber(word) ? word : nil)
  }

  /// `UINT16_T`, `u_int16_t`, `unsigned short`, `FT_UINT16`, `ctypes.c_uint16` and `std::uint16_t` without what is not of the name.
  private static func plain(_ name: String) -> String {
    var word = name.lowercased().filter { $0 != " " }
    if let place = word.lastIndex(where: { ".:".contains($0) }), word.last != ":" {
      word = String(word[word.index(after: place)...])
    }
    for prefix in ["ft_", "c_", "type_"] where word.hasPrefix(prefix) { word.removeFirst(prefix.count) }
    if word.hasSuffix("_t") { word.removeLast(2) }
    return word.replacing("_", with: "")
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
    for (mark, order) in [("be", "big"), ("le", "little"), ("big", "big"), ("little", "little")] {
      let stem: String? =
        word.hasSuffix(mark)
        ? String(word.dropLast(mark.count)) : word.hasPrefix(mark) ? String(word.dropFirst(mark.count)) : nil
      guard let stem else { continue }
      if let type = names[stem] ?? inBytes[stem] ?? (FieldWords.isNumber(stem) ? stem : nil) { return (type, order) }
    }
    return nil
  }

  /// Numbers whose width is counted in bytes.
  private static let inBytes = ["u1": "u8", "u2": "u16", "u4": "u32", "s1": "i8", "s2": "i16", "s4": "i32"]

  private static let names: [String: String] = {
    var names: [String: String] = [:]
    let same = [
      "u8": "uint8 byte ubyte uchar unsignedchar octet", "i8": "int8 s8 sbyte char schar signedchar",
      "u16": "uint16 ushort unsignedshort word", "i16": "int16 s16 short signedshort",
      "u24": "uint24", "i24": "int24 s24", "u32": "uint32 uint ulong unsigned unsignedint unsignedlong dword fixed32",
      "i32": "int32 s32 int long signed signedint sint32 sfixed32",
      "u64": "uint64 qword ulonglong unsignedlonglong fixed64", "i64": "int64 s64 longlong sint64 sfixed64",
      "f32": "float float32 single binary32 f4 cgfloat", "f64": "double float64 real binary64 f8",
    ]
    for (type, words) in same {
      for word in words.split(separator: " ") { names[String(word)] = type }
    }
    return names
  }()
}

/// The letters of Python's module `struct`: `<H`, `>f`, `16s`.
private enum StructFormat {
  static func advice(for text: String) -> String? {
    let orders: [Character: String] = [">": "big", "!": "big", "<": "little"]
    let order = text.first.flatMap { orders[$0] }
    let rest = order == nil ? text[...] : text.dropFirst()
    if rest.last == "s", let count = Int(rest.dropLast()), count > 0 { return "write \"text \(count)\"" }
    guard rest.count == 1, let letter = rest.first, let type = types[letter] else { return nil }
    return "write \"\(type)\"\(order.map { ", and \(ForeignTypes.advice(of: $0))" } ?? "")"
  }

  private static let types: [Character: String] = [
    "b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "l": "i32", "L": "u32", "q": "i64",
    "Q": "u64", "f": "f32", "d": "f64",
  ]
}

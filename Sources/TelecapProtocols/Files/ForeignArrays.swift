/// Arrays of other languages, `char[16]`, `uint8[4]` and `string(16)`, which a protocol file has as text, bytes or several fields.
enum ForeignArrays {
  /// The advice for an array; nil for another text.
  static func advice(for text: String) -> String? {
    guard let (element, count) = parts(of: text) else { return nil }
    let isText = ["char", "string", "str", "text", "varchar", "utf8", "ascii", "wchar"].contains(element)
    let type = ForeignTypes.type(named: element)
    if isText || type == "u8" || ["bytes", "blob", "data", "opaque"].contains(element) {
      return sized(isText ? "text" : "bytes", count)
    }
    if ["bits", "bit", "bitfield"].contains(element), let number = Int(count) { return "write \"bits \(number)\"" }
    guard let type else { return nil }
    return "there are no arrays: write \(count.isEmpty ? "a field" : "\(count) fields") with \"type: \(type)\""
  }

  private static func sized(_ word: String, _ count: String) -> String? {
    if count.isEmpty {
      return "write \"\(word) N\" with their number, \"\(word) in FIELD\" with the field that counts them, or \"rest\""
    }
    if let number = Int(count) { return number > 0 ? "write \"\(word) \(number)\"" : nil }
    return Spelled.isColumn(count) ? "write \"\(word) in \(count)\"" : nil
  }

  /// The element and the number of `char name[16]`, `char[16]`, `string(16)`, `bytes:16` and `u8 4`; in small letters.
  private static func parts(of text: String) -> (element: String, count: String)? {
    let small = text.lowercased()
    let words = small.split { " [(:<".contains($0) }.map { word in word.filter { !"])>;".contains($0) } }
    let isArray = small.contains { "[(:<".contains($0) }
    guard words.count >= 2, let count = words.last, isArray || Int(count) != nil else { return nil }
    let kind = words.dropLast()
    let whole = kind.joined(separator: " ")
    if ForeignTypes.type(named: whole) != nil || kind.count == 1 { return (whole, count) }
    // Of a declaration in C the last word is the name.
    return (kind.dropLast().joined(separator: " "), count)
  }
}

import TelecapConformance
import TelecapWire

/// Reads what text must look like.
enum TextForms {
  /// `A-Z 0-9 _`, so many of them. NULs pad text of a fixed size that may be shorter.
  /// - Parameter count: the number of characters, or the smallest and the largest; nil where it is the field's size.
  static func characters(
    _ value: YAMLValue, _ count: YAMLValue?, _ row: FieldRow
  ) throws(YAMLFileError) -> TextForm {
    let words = (value.text ?? "").split(separator: " ").map(String.init)
    var ranges: [ClosedRange<UInt8>] = []
    for word in words {
      guard let range = range(word) else {
        throw value.error(
          "\"characters\" are visible ASCII characters and ranges of them with spaces between, such as A-Z 0-9 _, found "
            + "\"\(word)\"")
      }
      ranges.append(range)
    }
    guard !ranges.isEmpty else { throw value.error("\"characters\" is empty") }
    if let end = row.terminator, ranges.contains(where: { $0.contains(end.byte) }) {
      throw value.error("\(end.name) ends \"\(row.name)\", and cannot be one of its characters")
    }
    let size = row.type.size
    let counts = try count.map { count throws(YAMLFileError) in try self.count(count, row) }
    let allowed = counts ?? size.map { $0...$0 } ?? 0...FieldReader.largest
    let number = counts == nil && size == nil ? "" : TextForms.words(allowed) + " "
    return TextForm(
      "\(number)of \(words.map(TextForms.words).joined(separator: " "))", .badText,
      .characters(ranges, count: allowed, isPadded: size.map { allowed.lowerBound < $0 } ?? false))
  }

  private static func range(_ word: String) -> ClosedRange<UInt8>? {
    let visible = word.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard visible, let first = word.utf8.first, let last = word.utf8.last, first <= last else { return nil }
    let isRange = word.utf8.count == 3 && word.utf8.dropFirst().first == UInt8(ascii: "-")
    return isRange || word.utf8.count == 1 ? first...last : nil
  }

  /// A number of characters, or the smallest and the largest.
  private static func count(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> ClosedRange<Int> {
    let most = row.type.size ?? FieldReader.largest
    let numbers = value.list.compactMap(\.integer)
    guard numbers.count == value.list.count, (1...2).contains(numbers.count), numbers[0] >= 0,
      numbers[0] <= numbers[numbers.count - 1], numbers[numbers.count - 1] <= Int64(most)
    else {
      throw value.error("\"count\" is a number of characters from 0 to \(most), or [smallest, largest]")
    }
    return Int(numbers[0])...Int(numbers[numbers.count - 1])
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }

  private static func words(_ word: String) -> String {
    word.utf8.count == 3 ? word.replacing("-", with: "–", maxReplacements: 1) : word
  }
}

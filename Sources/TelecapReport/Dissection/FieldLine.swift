import TelecapRecording
import TelecapText
import TelecapWire

/// A field of a message, or of one of its entries, as people see it: each on a line.
struct FieldLine {
  /// `width`, or `tiles[2].width` of an entry.
  let name: String
  let value: String
  /// Its bytes, from the start of the message.
  let range: Range<Int>
  /// The bits that it has of them, where it shares them with others; nil elsewhere.
  let bits: String?
  let field: FieldRow

  /// The entries of a field that are shown: a message may have thousands.
  static let maxEntries = 64

  /// The fields of a message in their order, each field of entries followed by these.
  static func all(of kind: MessageKind, _ bytes: RawSpan) -> [FieldLine] {
    lines(of: kind.layout, kind, bytes, 0..<bytes.byteCount, "")
  }

  private static func lines(
    of layout: Layout, _ kind: MessageKind, _ bytes: RawSpan, _ place: Range<Int>, _ prefix: String
  ) -> [FieldLine] {
    let own = bytes.extracting(place)
    var lines: [FieldLine] = []
    for field in layout.fields {
      guard let value = field.shownValue(in: own) else {
        if field.start(in: own) == nil { continue }
        break
      }
      let range = field.range(in: own)
      let entries = field.entries(in: own)
      let cut = entries.count > maxEntries ? ", the first \(maxEntries) shown" : ""
      lines.append(
        FieldLine(
          name: prefix + field.name, value: FieldText.text(value, field, kind) + cut,
          range: place.lowerBound + range.lowerBound..<place.lowerBound + range.upperBound,
          bits: field.bitPattern(in: own), field: field))
      guard let repeated = field.repeated else { continue }
      for (number, entry) in entries.prefix(maxEntries).enumerated() {
        let entryPlace = place.lowerBound + entry.lowerBound..<place.lowerBound + entry.upperBound
        lines += Self.lines(of: repeated.entry, kind, bytes, entryPlace, "\(prefix)\(field.name)[\(number)].")
      }
    }
    return lines
  }
}

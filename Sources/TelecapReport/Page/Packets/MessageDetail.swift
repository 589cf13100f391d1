import TelecapRecording
import TelecapText
import TelecapWire

/// A message with every field and every byte, as pages show it.
public struct MessageDetail: Sendable {
  /// A row of the tree: a field, its location, and its value.
  struct Row: Sendable {
    let index: Int
    let offset: Int
    let name: String
    let value: String
    let meaning: String
    let severity: String?
    let finding: String?
  }

  /// A byte, with the rows that it belongs to: `3`, or `3 4` of two fields that share it.
  struct Byte: Sendable {
    let hex: String
    let fields: String?
    let isWrong: Bool
  }

  struct Line: Sendable {
    let offset: String
    let bytes: [Byte]
    let text: String
  }

  let title: String
  let meaning: String
  let rows: [Row]
  let lines: [Line]
  let findings: [Found]
  /// The worst of what was found about it as a whole, which marks no field and no byte; nil where nothing was.
  let severity: String?
  /// Why there are no bytes; nil where there are.
  let missing: String?

  /// The findings about it.
  public struct Found: Sendable {
    let rule: String
    let severity: String
    let text: String
    let range: Range<Int>

    /// Whether its words begin with the name of another field, which shares bytes with this one.
    func isAboutNeighbour(of field: FieldRow, in layout: Layout) -> Bool {
      field.type.isSlice
        && layout.fields.contains { $0.name != field.name && $0.type.isSlice && text.hasPrefix("\($0.name) ") }
    }

    /// A finding in these words, about these bytes of the message.
    public init(rule: String, severity: Severity, text: String, range: Range<Int>) {
      (self.rule, self.severity) = (rule.printable, severity.name)
      (self.text, self.range) = (text.printable, range)
    }
  }

  /// The message of this kind in `bytes`; nil where it began in an earlier packet and nobody has put it together.
  public init(_ kind: MessageKind, _ dialect: Dialect, _ bytes: [UInt8]?, _ findings: [Found]) {
    let layout = kind.layout
    title = "\(dialect.protocolName.uppercased()) \(layout.name)".printable
    let count = bytes.map { ", \($0.count) bytes" } ?? ""
    meaning = "\(layout.meaning)\(count), \(dialect.name)".printable
    self.findings = findings
    missing = bytes == nil ? "It began in an earlier packet: its bytes are not shown." : nil
    let bytes = bytes ?? []
    let span = bytes.span.bytes
    let shown = bytes.isEmpty ? [] : FieldLine.all(of: kind, span)
    // The bytes of entries belong to the fields of these.
    let all = shown.map { $0.field.repeated == nil ? $0.range : $0.range.lowerBound..<$0.range.lowerBound }
    // That a HELLO was never answered, say, is wrong with none of its bytes.
    func isOfWhole(_ found: Found) -> Bool {
      all.count > 1 && found.range.lowerBound <= 0 && found.range.upperBound >= bytes.count
    }
    severity = Severity.allCases.sorted { $0.rawValue > $1.rawValue }.map(\.name)
      .first { name in findings.contains { isOfWhole($0) && $0.severity == name } }
    let findings = findings.filter { !isOfWhole($0) }
    rows = shown.enumerated().map { index, line in
      let field = line.field
      let finding = findings.first { $0.range.overlaps(line.range) && !$0.isAboutNeighbour(of: field, in: layout) }
      return Row(
        index: index, offset: line.range.lowerBound, name: line.name.printable, value: line.value,
        meaning: field.meaning.printable, severity: finding?.severity, finding: finding?.text)
    }
    lines = MessageDetail.lines(bytes, all, findings)
  }

  /// The numbers of the fields that have bits of a byte; nil where none has.
  private static func fields(at place: Int, among ranges: [Range<Int>]) -> String? {
    let numbers = ranges.indices.filter { ranges[$0].contains(place) }
    return numbers.isEmpty ? nil : numbers.map { "\($0)" }.joined(separator: " ")
  }

  private static func lines(_ bytes: [UInt8], _ fields: [Range<Int>], _ findings: [Found]) -> [Line] {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      let places = start..<min(bytes.count, start + 16)
      return Line(
        offset: Hex.text(UInt(start), digits: 4),
        bytes: places.map { place in
          Byte(
            hex: Hex.text([bytes[place]]), fields: MessageDetail.fields(at: place, among: fields),
            isWrong: findings.contains { $0.range.contains(place) })
        },
        text: String(decoding: bytes[places].map { (32..<127).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self))
    }
  }
}

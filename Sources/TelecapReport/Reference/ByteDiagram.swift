import TelecapWire

/// The bytes of a message as a picture of rows of four, as RFCs draw them.
struct ByteDiagram {
  /// Bytes a row.
  private static let row = 4
  /// Characters a byte, without the border on its right.
  private static let cell = 13

  private let fields: [FieldRow]

  init(_ layout: Layout) { fields = layout.fields }

  /// The picture, the offset of each row before it; fields without a fixed size fill the rows below the others.
  var lines: [String] {
    let fixed = cells
    let size = fixed.map(\.bytes.upperBound).max() ?? 0
    let tail = fields.filter { $0.type.size == nil || $0.isShifted }
    let places = (0..<ByteDiagram.row).map { "+\($0)".centred(ByteDiagram.cell + 1) }.joined()
    var lines = ["     " + places.prefix(places.count - (ByteDiagram.cell + 1) / 2 + 1)]
    if size > 0 { lines.append(border(ofRow: 0, size)) }
    for start in stride(from: 0, to: size, by: ByteDiagram.row) {
      lines.append(pad(start) + text(ofRow: start, size, fixed))
      lines.append(border(ofRow: start, size))
    }
    for field in tail {
      let width = ByteDiagram.row * (ByteDiagram.cell + 1) - 1
      let words = field.name + extent(of: field)
      if size == 0 { lines.append("     +" + String(repeating: "-", count: width) + "+") }
      lines.append(pad(field.offset) + "|" + words.centred(width) + "|")
      lines.append("     +" + String(repeating: "-", count: width) + "+")
    }
    return lines
  }

  /// Bytes next to one another, and the fields in them: one, or several that share them.
  private struct Cell {
    var bytes: Range<Int>
    var words: String
  }

  private var cells: [Cell] {
    var cells: [Cell] = []
    for field in fields {
      guard let size = field.type.size, size > 0, !field.isShifted else { continue }
      let bytes = field.offset..<field.offset + size
      if let last = cells.last, field.type.isSlice, last.bytes.overlaps(bytes) {
        cells[cells.count - 1].bytes = last.bytes.lowerBound..<max(last.bytes.upperBound, bytes.upperBound)
        cells[cells.count - 1].words += " " + field.name
      } else {
        cells.append(Cell(bytes: bytes, words: field.name))
      }
    }
    return cells
  }

  /// The extent of a field after those of fixed offsets.
  private func extent(of field: FieldRow) -> String {
    if field.repeated != nil {
      return " … " + (field.length.map { "as many as \($0.field) says" } ?? "up to the end, each of \(field.typeName)")
    }
    if let length = field.length { return " … as many bytes as \(length.field) says" }
    if let end = field.terminator { return " … up to \(end.byte == 0 ? "a 0" : end.name)" }
    if field.type.isDecimal { return " … up to the end" }
    if field.type == .rest { return " … all that is left" }
    if let condition = field.condition { return ", when \(condition)" }
    return field.isOptional ? ", may be missing" : ""
  }

  private func pad(_ offset: Int) -> String {
    let digits = "\(offset)"
    return String(repeating: " ", count: max(0, 4 - digits.count)) + digits + " "
  }

  private func bytes(ofRow start: Int, _ size: Int) -> Int { min(ByteDiagram.row, size - start) }

  private func border(ofRow start: Int, _ size: Int) -> String {
    "     +"
      + String(
        repeating: String(repeating: "-", count: ByteDiagram.cell) + "+", count: bytes(ofRow: start, size))
  }

  /// The fields in one row; what reaches over several is named in its first.
  private func text(ofRow start: Int, _ size: Int, _ fixed: [Cell]) -> String {
    let end = start + bytes(ofRow: start, size)
    var line = "|"
    var at = start
    while at < end {
      let cell = fixed.first { $0.bytes.contains(at) }
      let next = fixed.map(\.bytes.lowerBound).filter { $0 > at }.min() ?? end
      let last = min(end, cell?.bytes.upperBound ?? next)
      let width = (last - at) * (ByteDiagram.cell + 1) - 1
      let words = cell.map { $0.bytes.lowerBound == at ? $0.words : "…" } ?? ""
      line += (words.count > width ? String(words.prefix(width - 1)) + "…" : words).centred(width) + "|"
      at = last
    }
    return line
  }
}

extension String {
  /// In the middle of so many characters.
  fileprivate func centred(_ width: Int) -> String {
    let space = max(0, width - count)
    return String(repeating: " ", count: space / 2) + self + String(repeating: " ", count: space - space / 2)
  }
}

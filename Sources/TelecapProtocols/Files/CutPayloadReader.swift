import TelecapConformance
import TelecapWire

/// Reads a payload whose zeros at the end are cut: a part with the number that counts the bytes that are sent.
struct CutPayloadReader {
  private let counter: YAMLValue
  private let part: String
  private let before: [FieldRow]

  /// A reader of the payload that is this part.
  ///
  /// - Parameters:
  ///   - counter: the name of the number, as the file has it.
  ///   - before: the fields before the part.
  init(_ counter: YAMLValue, part: String, before: [FieldRow]) {
    (self.counter, self.part, self.before) = (counter, part, before)
  }

  /// The fields of the payload.
  ///
  /// - Parameters:
  ///   - reads: its fields as they were read.
  ///   - range: its bytes where nothing is cut.
  ///   - length: the header's length of the whole message, which counts no payload.
  func rows(
    _ reads: ArraySlice<FieldReader.Read>, _ range: Range<Int>, isHeader: Bool, length: String?
  ) throws(YAMLFileError) -> [FieldRow] {
    if isHeader { throw counter.error("a header is sent whole: \"cut-zeros\" is for a part of a message") }
    if before.contains(where: \.isCut) {
      throw counter.error("a message has one payload whose zeros are cut; another is before \"\(part)\"")
    }
    if let other = before.first(where: \.isMovable) {
      throw counter.error(
        "the payload \"\(part)\" comes before fields whose size the message shows or that may be missing, such as \"\(other.name)\""
      )
    }
    for read in reads { try check(read) }
    let number = try number(length)
    guard UInt64(range.count) <= number.type.largest else {
      throw counter.error(
        "\"\(part)\" has \(range.count) bytes, more than \"\(number.name)\", \(number.type.name), can count")
    }
    return FieldRow.cutPayload(reads.map(\.row), countedBy: number, range)
  }

  private func check(_ read: FieldReader.Read) throws(YAMLFileError) {
    let row = read.row
    if row.isMovable || row.type.size == nil {
      throw read.entry.at("name").error(
        "a payload whose zeros are cut has fields of fixed sizes that are always there; \"\(row.name)\" is none")
    }
    if let check = read.entry["check"] {
      throw check.error("a checksum comes after a payload whose zeros are cut, and not within")
    }
  }

  private func number(_ length: String?) throws(YAMLFileError) -> FieldRow {
    let numbers = before.filter { $0.type.isWhole && !$0.type.isSigned && $0.scale == nil }
    guard let number = numbers.first(where: { $0.name == counter.text }) else {
      throw counter.error(
        "there is no unsigned number \"\(counter.text ?? "")\" before it; there are \(numbers.map(\.name).joined(separator: ", "))"
      )
    }
    if number.name == length {
      throw counter.error("\"\(number.name)\" is the length of the whole message: leave out \"is: length\"")
    }
    return number
  }
}

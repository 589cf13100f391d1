import TelecapRecording
import TelecapWire

extension RuleBook {
  /// The general rules as a file's protocol states them: by its own source, under its own requirements.
  static func named(_ name: String, _ source: String) -> RuleBook {
    var book = RuleBook()
    book.truncated = Rule.truncated.stated(in: source, requirement: "\(name).header.truncated")
    book.trailing = Rule.trailing.stated(in: source, requirement: "\(name).header.trailing")
    book.reserved = Rule.reserved.stated(in: nil, requirement: "\(name).reserved.nonzero")
    book.transport = Rule.transport.stated(in: source)
    book.direction = Rule.direction.stated(in: source)
    book.seqGap = Rule.seqGap.stated(in: source)
    book.seqDuplicate = Rule.seqDuplicate.stated(in: source)
    book.seqReordered = Rule.seqReordered.stated(in: source)
    book.seqShared = Rule.seqShared.stated(in: source)
    book.seqNotFollowed = Rule.seqNotFollowed.stated(in: source)
    book.silence = Rule.silence.stated(in: source)
    book.notFollowed = Rule.notFollowed.stated(in: source)
    book.frameLength = Rule.frameLength.stated(in: source)
    book.streamSkipped = Rule.streamSkipped.stated(in: source)
    book.streamEnd = Rule.streamEnd.stated(in: source)
    return book
  }
}

extension Rule {
  /// A field of a header that holds something else than it always does.
  static func header(_ id: String, _ row: FieldRow, protocolName: String) -> Rule {
    Rule(id, .error, text: "\(protocolName), header", requirement: "\(protocolName).\(id)") { finding in
      switch finding.detail {
      case .found(let bits):
        guard case .equal(let value) = row.rule else {
          return "\(row.name) is \(row.found(bits)), which no message has"
        }
        return "\(row.name) is \(row.found(bits)); it must be \(row.text(value))"
      case .field(let kind, let index, let bits):
        guard case .equal(let value) = kind.layout.fields[Int(index)].rule else { return nil }
        return "\(row.name) is \(row.found(bits)); in \(kind.name) it must be \(row.text(value))"
      case .lengths(let needed, let had): return "\(row.name) says \(needed) bytes; there are \(had)"
      default: return nil
      }
    }
  }

  /// A CRC-32 in a field of this name.
  static func checksum(named field: String, protocolName: String) -> Rule {
    Rule("header.\(field)", .error, text: "\(protocolName), header", requirement: "\(protocolName).header.\(field)") {
      Rule.checksum.words($0)
    }
  }
}

extension FieldRow {
  /// A value of a constant, as a file writes it.
  fileprivate func text(_ bits: UInt64) -> String {
    type.isNumber ? Finding.text(bits, as: self) : "\"\(FieldRule.letters(bits))\""
  }

  /// The same with its bytes, which may be no text.
  fileprivate func found(_ bits: UInt64) -> String {
    type.isNumber ? text(bits) : "\(text(bits)) (\(Finding.bytes(bits, type.size ?? 4)))"
  }
}

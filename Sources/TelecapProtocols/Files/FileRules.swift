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
    book.silence = Rule.silence.stated(in: source)
    return book
  }
}

extension Rule {
  /// A field of a header that holds something else than it always does.
  static func header(_ id: String, _ row: FieldRow, protocolName: String) -> Rule {
    Rule(id, .error, text: "\(protocolName), header", requirement: "\(protocolName).\(id)") { finding in
      switch finding.detail {
      case .found(let bits):
        let shown =
          row.type.isNumber ? "\(bits)" : "\"\(FieldRule.letters(bits))\" (\(Finding.bytes(bits, row.type.size ?? 4)))"
        guard case .equal(let value) = row.rule else { return "\(row.name) is \(shown), which no message has" }
        let right = row.type.isNumber ? "\(value)" : "\"\(FieldRule.letters(value))\""
        return "\(row.name) is \(shown); it must be \(right)"
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

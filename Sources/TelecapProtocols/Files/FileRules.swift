import TelecapRecording
import TelecapWire

extension RuleBook {
  /// The general rules as a file's protocol states them: by its own source, under its own requirements.
  static func named(_ name: String, _ source: String, _ streams: [StreamRules]) -> RuleBook {
    var book = RuleBook()
    book.truncated = Rule.truncated.stated(in: source, requirement: "\(name).header.truncated")
    book.trailing = Rule.trailing.stated(in: source, requirement: "\(name).header.trailing")
    book.reserved = Rule.reserved.stated(in: nil, requirement: "\(name).reserved.nonzero")
    book.transport = Rule.transport.stated(in: source)
    book.direction = Rule.direction.stated(in: source)
    book.seqGap = Rule.seqGap.stated(in: source)
    // A finding names one requirement: where several streams are numbered it cannot say which.
    let numbered = streams.filter { if case .sequence = $0.order { true } else { false } }
    let stream = numbered.count == 1 && numbered[0].merge == .latest ? numbered[0].name : nil
    book.seqDuplicate = Rule.seqDuplicate.stated(in: source, requirement: stream.map { "\(name).\($0).duplicate" })
    book.seqReordered = Rule.seqReordered.stated(
      in: source, requirement: stream.map { "\(name).\($0).latest-value-wins" })
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
  /// A quaternion that is none, in the fields of the only message with one, or in those of any.
  static func quaternion(of names: [[String]], in source: String) -> Rule {
    let distinct = Set(names.filter { !$0.isEmpty })
    let subject = distinct.count == 1 ? distinct.first?.joined(separator: ", ") : nil
    return Rule(Rule.quaternion.id, Rule.quaternion.severity, text: source) { finding in
      guard case .norm(let norm) = finding.detail else { return nil }
      return
        "\(subject.map { "\($0) have" } ?? "the quaternion has") norm \(norm); a unit quaternion has 1 within 0.001"
    }
  }

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

/// Fields that may be missing, and text that shows its own end.
extension Message {
  /// Puts in what an empty message has of parts whose size it shows: fields that are there, and the ends of texts.
  mutating func fillParts() {
    for row in kind.layout.fields where row.isPart {
      if let length = row.length, let counter = kind.layout[length.field], length.less > 0, counter.rule == .any,
        let number = length.number(ofBytes: 0)
      {
        FieldPlace(counter).write(number, into: &bytes)
      }
      guard !row.isOptional, let start = row.start(in: bytes.span.bytes), start <= bytes.count else { continue }
      let size = row.terminatorStep.map { $0 - start % $0 } ?? row.type.size ?? 0
      bytes.insert(contentsOf: repeatElement(0, count: size), at: start)
      if case .equal(let value) = row.rule { FieldPlace(row).write(value, into: &bytes) }
    }
  }

  /// Writes bits that decide which fields are there: what comes is 0, and what goes is lost.
  mutating func rearrange(by decider: FieldRow, to bits: UInt64) {
    let before = bytes
    let span = before.span.bytes
    var changed: [(row: FieldRow, isThere: Bool)] = []
    for row in kind.layout.fields where row.isPart {
      let sources = [row.condition?.field, row.length?.field]
      if let condition = row.condition, condition.field == decider.name {
        changed.append((row, bits & condition.mask == condition.value))
      } else if let source = changed.first(where: { sources.contains($0.row.name) }) {
        changed.append((row, source.isThere && row.condition == nil && row.length == nil))
      }
    }
    FieldPlace(decider).write(bits, into: &bytes)
    // From the last to the first, so that the offsets of those before stay.
    for (row, isThere) in changed.reversed() {
      let range = row.range(in: span)
      let wasThere = row.start(in: span) != nil
      if wasThere, !isThere {
        bytes.removeSubrange(range.clamped(to: 0..<bytes.count))
      } else if !wasThere, isThere {
        let start = row.offset + (row.parts?.size(of: row.partsBefore, in: span) ?? 0)
        let size = row.type.size ?? row.terminatorStep.map { $0 - start % $0 } ?? 0
        if start <= bytes.count { bytes.insert(contentsOf: repeatElement(0, count: size), at: start) }
      }
    }
  }

  /// Makes a field be there: sets the bits of its condition, and lengthens a message that ends before it.
  mutating func makePresent(_ row: FieldRow) {
    if let condition = row.condition, let decider = kind.layout[condition.field] {
      if decider.mayBeMissing { makePresent(decider) }
      let bits = decider.bits(in: bytes.span.bytes) ?? 0
      if bits & condition.mask != condition.value { put(bits: bits & ~condition.mask | condition.value, decider) }
    }
    guard row.isOptional else { return }
    let all = kind.layout.fields
    for other in all.prefix(through: all.firstIndex(of: row) ?? 0) where other.isOptional {
      let end =
        other.offset + (other.parts?.size(of: other.partsBefore, in: bytes.span.bytes) ?? 0)
        + (other.type.size ?? 0)
      if end > bytes.count { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
    }
  }

  /// Writes text with the 0 that ends it and those that pad it.
  mutating func setTerminated(_ text: [UInt8], _ row: FieldRow, _ value: FieldValue) throws(WireError) {
    guard !text.contains(0) else {
      throw WireError.doesNotFit(message: kind.name, field: row.name, type: row.type, value: value)
    }
    let (range, step) = (row.range(in: bytes.span.bytes), row.terminatorStep ?? 1)
    let end = range.lowerBound + text.count
    replace(range, with: text + [UInt8](repeating: 0, count: step - end % step))
  }
}

import TelecapWire

/// Guesses the fields of the payloads of one message, or of the part of them that all messages have.
struct FieldInference {
  let samples: [TrafficSample]
  /// The fields that are known already.
  let known: [InferredField]
  /// The kinds of numbers that are looked for.
  var kinds = NumberInference.Kind.allCases

  /// The offset after which bytes are not looked at.
  private static let maxOffset = 512
  /// The longest run of bytes that show no number and are fields of one byte each.
  private static let maxSingleBytes = 16
  /// The maximum number of fields, below the 255 of a message.
  private static let maxFields = 200

  /// All fields from `start` to `end`, without gaps: at most 200, the last of which has the bytes that are left.
  func fields(from start: Int, to end: Int) -> [InferredField] {
    let limit = min(end, max(start, FieldInference.maxOffset))
    var fields = numbers(from: start, to: limit)
    let last = known.filter { $0.offset >= limit && $0.end == end }
    let rest = limit..<(last.first?.offset ?? end)
    if !rest.isEmpty { fields.append(bytes(rest.lowerBound, rest.count)) }
    return limited(joined(fields) + last)
  }

  /// The same fields; of too many, those in the middle are one of bytes, so that a checksum at the end stays.
  private func limited(_ fields: [InferredField]) -> [InferredField] {
    guard fields.count > FieldInference.maxFields, let last = fields.last else { return fields }
    let kept = fields.prefix(FieldInference.maxFields - 2)
    let start = kept.last?.end ?? 0
    return kept + [bytes(start, last.offset - start), last]
  }

  private func bytes(_ offset: Int, _ count: Int) -> InferredField {
    InferredField(offset: offset, size: count, type: "bytes \(count)", stem: "bytes", evidence: "no number was found")
  }

  /// The strongest evidence decides first, wherever it is.
  private func numbers(from start: Int, to end: Int) -> [InferredField] {
    var found = known.filter { $0.offset >= start && $0.end <= end }
    for kind in kinds {
      var offset = start
      while offset < end {
        let border = border(after: offset, end, found)
        if !found.contains(where: { ($0.offset..<$0.end).contains(offset) }),
          let field = NumberInference(samples: samples).number(kind, at: offset, end: border)
        {
          found.append(field)
          offset = field.end
        } else {
          offset += 1
        }
      }
    }
    for offset in start..<max(start, end) where !found.contains(where: { ($0.offset..<$0.end).contains(offset) }) {
      found.append(byte(at: offset))
    }
    return found.sorted { $0.offset < $1.offset }
  }

  /// The offset of the next field, or of the first byte that a checksum covers.
  private func border(after offset: Int, _ end: Int, _ found: [InferredField]) -> Int {
    let borders = found.map(\.offset) + known.compactMap { $0.check?.from }
    return borders.filter { $0 > offset }.min().map { min($0, end) } ?? end
  }

  private func byte(at offset: Int) -> InferredField {
    if let byte = samples.constant(at: offset) {
      return .number("constant", at: offset, 1, .little, byte == 0 ? "always 0" : "always \(byte)")
    }
    let numbers = samples.numbers(at: offset, 1, .little)
    let values = Set(numbers)
    return .number(
      "byte", at: offset, 1, .little,
      values.count <= 8
        ? "one of \(values.sorted().map { "\($0)" }.joined(separator: ", "))"
        : "\(numbers.min() ?? 0) to \(numbers.max() ?? 0)")
  }

  /// The same fields, zeros between floats read as such floats, and other bytes that are always 0 as one field.
  private func joined(_ fields: [InferredField]) -> [InferredField] {
    var (result, index) = ([InferredField](), 0)
    while index < fields.count {
      let field = fields[index]
      let zeros = fields[index...].prefix { $0.isZero && isJoinable($0, after: field) }
      let others = fields[index...].prefix { $0.isSingleByte && isJoinable($0, after: field) }
      if zeros.count > 1 {
        result += split(
          zeros.count, at: field.offset, after: result.last, before: fields.dropFirst(index + zeros.count).first)
        index += zeros.count
      } else if others.count > FieldInference.maxSingleBytes {
        result.append(bytes(field.offset, others.count))
        index += others.count
      } else {
        result.append(field)
        index += 1
      }
    }
    return result
  }

  /// A border of a checksum lies between two fields.
  private func isJoinable(_ field: InferredField, after first: InferredField) -> Bool {
    field.offset == first.offset || !known.contains { $0.check?.from == field.offset }
  }

  private func split(
    _ count: Int, at offset: Int, after last: InferredField?, before next: InferredField?
  ) -> [InferredField] {
    let float = [last, next].compactMap(\.self).first { $0.type.hasPrefix("f") }
    if let float, let size = float.size, let order = float.order, count.isMultiple(of: size) {
      return stride(from: offset, to: offset + count, by: size).map {
        .number("value", at: $0, size, order, prefix: "f", "always 0, next to such numbers")
      }
    }
    return [
      InferredField(offset: offset, size: count, type: "bytes \(count)", stem: "zeros", evidence: "always 0")
    ]
  }
}

extension InferredField {
  /// A byte that is always 0.
  fileprivate var isZero: Bool { evidence == "always 0" && size == 1 }

  /// A byte that is no number of a known kind.
  fileprivate var isSingleByte: Bool { ["byte", "constant"].contains(stem) && size == 1 }
}

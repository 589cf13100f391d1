import TelecapWire

/// Guesses the fields of the payloads of one message, or of the part of them that all messages have.
struct FieldInference {
  let samples: [TrafficSample]
  /// The fields that are known already.
  let known: [InferredField]
  /// The payloads are those of several messages: floats of different messages at one offset are no measurements of one quantity.
  var isShared = false

  /// The offset after which bytes are not looked at.
  private static let maxOffset = 512
  /// The longest run of bytes that show no number and are fields of one byte each.
  private static let maxSingleBytes = 16
  /// The offset before which the number of a stream is looked for, such as that of a slot.
  private static let maxKeyOffset = 128
  /// The most streams of one sender.
  private static let maxKeys = 16
  /// The maximum number of fields, below the 255 of a message.
  private static let maxFields = 200

  /// All fields from `start` to `end`, without gaps: at most 200, the last of which has the bytes that are left.
  func fields(from start: Int, to end: Int) -> [InferredField] {
    let limit = min(end, max(start, FieldInference.maxOffset))
    var fields = numbers(from: start, to: limit)
    let last = known.filter { $0.offset >= limit && $0.end == end }
    let rest = limit..<(last.first?.offset ?? end)
    if !rest.isEmpty { fields.append(bytes(rest.lowerBound, rest.count)) }
    return limited(joined(fields) + last).flatMap(\.slices)
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
    func add(_ look: (Range<Int>) -> [InferredField]) {
      for range in free(start..<max(start, end), of: found) { found += look(range) }
    }
    add(TextInference(samples: samples).texts)
    add { counters(in: $0, key: nil) }
    add(clocks)
    if !(found + known).contains(where: { $0.stem == "counter" }) {
      for key in keys(end) where !found.contains(where: { $0.stem == "counter" }) {
        add { range in counters(in: range, key: key).filter { !($0.offset..<$0.end).contains(key) } }
      }
    }
    for key in Set(found.compactMap(\.key)) where key >= start {
      found.append(.number("key", at: key, 1, .little, "each of its values has a counter of its own"))
    }
    if !isShared {
      found += FloatInference(samples).floats(in: free(start..<max(start, end), of: found))
      found += IntegerInference(samples).integers(in: free(start..<max(start, end), of: found))
    }
    add { $0.map(byte) }
    return found.sorted { ($0.offset, $0.end) < ($1.offset, $1.end) }
  }

  /// The runs of bytes that are no field yet. A border of a checksum lies between two fields.
  private func free(_ whole: Range<Int>, of found: [InferredField]) -> [Range<Int>] {
    let borders = Set(known.compactMap { $0.check?.from })
    var ranges: [Range<Int>] = []
    let taken = found.map { $0.offset..<$0.end }
    for offset in whole where !taken.contains(where: { $0.contains(offset) }) {
      if let last = ranges.last, last.upperBound == offset, !borders.contains(offset) {
        ranges[ranges.count - 1] = last.lowerBound..<offset + 1
      } else {
        ranges.append(offset..<offset + 1)
      }
    }
    return ranges
  }

  private func counters(in range: Range<Int>, key: Int?) -> [InferredField] {
    let inference = CounterInference(samples, key: key)
    var (fields, free) = ([InferredField](), range)
    for low in range where low >= free.lowerBound {
      guard let field = inference.counter(low: low, in: free) else { continue }
      fields.append(field)
      free = field.end..<range.upperBound
    }
    return fields
  }

  /// The bytes that may discriminate streams of one sender: they have few values, and change from one payload to the next.
  private func keys(_ end: Int) -> [Int] {
    let steps = SampleSteps(samples)
    return (0..<min(end, FieldInference.maxKeyOffset)).filter {
      steps.changes(at: $0) * 2 >= max(1, steps.count) && samples.distinct(at: $0) <= FieldInference.maxKeys
    }
  }

  private func clocks(in range: Range<Int>) -> [InferredField] {
    let inference = ClockInference(samples)
    var (fields, offset) = ([InferredField](), range.lowerBound)
    while offset < range.upperBound {
      let sizes = [8, 4].filter { offset + $0 <= range.upperBound }
      let guesses = sizes.lazy.flatMap { size in [ByteOrder.little, .big].map { (size, $0) } }
      if let field = guesses.compactMap({ inference.clock(at: offset, $0, $1) }).first {
        fields.append(field)
        offset = field.end
      } else {
        offset += 1
      }
    }
    return fields
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
        result += split(zeros.count, at: field.offset, after: result, before: fields.dropFirst(index + zeros.count))
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

  /// The first of some fields, as long as they are floats of one type.
  private func floats(_ fields: [InferredField]) -> [InferredField] {
    Array(fields.prefix { $0.isFloat && $0.type == fields[0].type })
  }

  /// Zeros as floats between such floats, or next to at least two and as many as they are; otherwise as one field.
  private func split(
    _ count: Int, at offset: Int, after before: [InferredField], before after: ArraySlice<InferredField>
  ) -> [InferredField] {
    let runs = [floats(before.reversed()), floats(Array(after))]
    if let float = (runs[0] + runs[1]).first, let size = float.size, let order = float.order,
      count.isMultiple(of: size),
      runs.allSatisfy({ $0.first?.type == float.type })
        || runs.contains(where: { $0.count >= max(2, count / size) && $0.first?.type == float.type })
    {
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
  fileprivate var isFloat: Bool { type.hasPrefix("f") }

  /// A byte that is always 0.
  fileprivate var isZero: Bool { evidence == "always 0" && size == 1 }

  /// A byte that is no number of a known kind.
  fileprivate var isSingleByte: Bool { ["byte", "constant"].contains(stem) && size == 1 }
}

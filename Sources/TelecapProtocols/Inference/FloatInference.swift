import TelecapWire

/// Looks for binary floats: of magnitudes that measurements have, with exponents near one another. At a wrong offset bytes may read as
/// floats too. So all floats of a message are chosen together, in one byte order, such that they fill the most bytes and change the least.
struct FloatInference {
  private let samples: [TrafficSample]
  /// Whether each byte of all payloads changes.
  private let isChanging: [Bool]

  /// The fewest payloads that show a float.
  private static let fewest = 8
  /// The fewest different values of one.
  private static let fewestValues = 4

  init(_ samples: [TrafficSample]) {
    self.samples = samples
    isChanging = (0..<samples.minSize).map { samples.constant(at: $0) == nil }
  }

  /// The fewest different values of a byte that holds digits.
  private static let fewestDigits = 8

  /// A float that the bytes may be.
  private struct Candidate {
    var field: InferredField
    var weight: Double
  }

  /// The floats in ranges of bytes that are no other field.
  func floats(in ranges: [Range<Int>]) -> [InferredField] {
    guard samples.count >= FloatInference.fewest else { return [] }
    let sets = [ByteOrder.little, .big].map { order in
      ranges.map { best(candidates(in: $0, order)) }.reduce((fields: [InferredField](), weight: 0.0)) {
        ($0.fields + $1.fields, $0.weight + $1.weight)
      }
    }
    return extended(sets[0].weight >= sets[1].weight ? sets[0].fields : sets[1].fields, in: ranges)
  }

  /// The candidates in a range, in the order of their ends.
  private func candidates(in range: Range<Int>, _ order: ByteOrder) -> [Candidate] {
    var found: [Candidate] = []
    for end in range.lowerBound + 4..<max(range.lowerBound + 4, range.upperBound + 1) {
      for size in [4, 8] where end - size >= range.lowerBound {
        if let candidate = candidate(at: end - size, size, order) { found.append(candidate) }
      }
    }
    return found
  }

  /// The candidates without overlaps that weigh the most.
  private func best(_ candidates: [Candidate]) -> (fields: [InferredField], weight: Double) {
    // For each number of candidates: the most that they weigh, and the last one that is taken.
    var weights = [0.0]
    var taken: [Int?] = [nil]
    for (index, candidate) in candidates.enumerated() {
      let before = candidates[..<index].lastIndex { $0.field.end <= candidate.field.offset }.map { $0 + 1 } ?? 0
      let weight = weights[before] + candidate.weight
      weights.append(max(weight, weights[index]))
      taken.append(weight > weights[index] ? before : nil)
    }
    var (fields, index) = ([InferredField](), candidates.count)
    while index > 0 {
      if let before = taken[index] {
        fields.append(candidates[index - 1].field)
        index = before
      } else {
        index -= 1
      }
    }
    return (fields.reversed(), weights.last ?? 0)
  }

  private func candidate(at offset: Int, _ size: Int, _ order: ByteOrder) -> Candidate? {
    guard isChanging[offset..<offset + size].contains(true), let values = values(at: offset, size, order) else {
      return nil
    }
    let measured = values.filter { $0 != 0 }
    guard measured.count >= FloatInference.fewest, Set(measured).count >= FloatInference.fewestValues,
      zip(values, values.dropFirst()).count(where: { $0 != $1 }) * 4 >= values.count
    else {
      return nil
    }
    // Exponents of one quantity are near one another; bytes of something else have any.
    let exponents = measured.map { Int($0.exponent) }.sorted()
    let middle = exponents[exponents.count / 2]
    guard exponents.count(where: { abs($0 - middle) <= 5 }) * 5 >= exponents.count * 4 else { return nil }
    if size == 4, samples.distinct(at: order == .big ? offset + 1 : offset + 2) < 2 { return nil }
    if size == 8, isPairOfFloats(at: offset, order) { return nil }
    return Candidate(field: field(values, at: offset, size, order), weight: Double(size) * (1 + 3 * smoothness(values)))
  }

  /// The values of a float; nil where one is none that is measured.
  private func values(at offset: Int, _ size: Int, _ order: ByteOrder) -> [Double]? {
    var values: [Double] = []
    values.reserveCapacity(samples.count)
    for sample in samples {
      guard let bits = sample.number(at: offset, size, order) else { return nil }
      let value =
        size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      guard value == 0 || (1e-12...1e9).contains(value.magnitude) else { return nil }
      values.append(value)
    }
    // A measurement is seldom so near to 0, or so large.
    guard values.count(where: { $0 != 0 && !(1e-6...1e7).contains($0.magnitude) }) * 20 <= values.count else {
      return nil
    }
    return hasDigits(at: offset, size, order) ? values : nil
  }

  /// Whether the bytes below one that changes change too, as the last digits of a measurement do, or all bytes below are 0.
  private func hasDigits(at offset: Int, _ size: Int, _ order: ByteOrder) -> Bool {
    let bytes = (0..<size).map { order == .big ? offset + $0 : offset + size - 1 - $0 }
    guard let first = bytes.firstIndex(where: { isChanging[$0] }) else { return true }
    let fewest = min(FloatInference.fewestDigits, samples.distinct(at: bytes[first]))
    let lower = bytes[(first + 1)...]
    let end = lower.lastIndex { samples.constant(at: $0) != 0 }.map { $0 + 1 } ?? lower.startIndex
    return lower[..<end].allSatisfy { samples.distinct(at: $0) >= fewest }
  }

  /// Whether eight bytes are two floats rather than a double: half of a double has any exponent. Where one half is always 0, the other
  /// one has bits down to its end, which a double with so many zeros has not.
  private func isPairOfFloats(at offset: Int, _ order: ByteOrder) -> Bool {
    let halves = [offset, offset + 4].map { samples.numbers(at: $0, 4, order) }
    let areFloats = [offset, offset + 4].map { candidate(at: $0, 4, order) != nil }
    return zip(halves, areFloats).allSatisfy { $0.allSatisfy { $0 == 0 } || $1 }
      && zip(halves, areFloats).contains { half, isFloat in isFloat && half.count { $0 & 0xff != 0 } * 2 >= half.count }
  }

  /// 1 of values that change little from one to the next, 0 of those that are all over their range. Up to four streams may take turns.
  private func smoothness(_ values: [Double]) -> Double {
    let range = (values.max() ?? 0) - (values.min() ?? 0)
    let steps = (1...4).compactMap { streams -> Double? in
      let steps = zip(values, values.dropFirst(streams)).map { ($1 - $0).magnitude }
      return steps.isEmpty ? nil : steps.reduce(0, +) / Double(steps.count)
    }
    guard range > 0, let least = steps.min() else { return 0 }
    return max(0, 1 - 3 * least / range)
  }

  /// The same floats and those next to them, of the same size: a constant is one only if people would write it with few digits.
  private func extended(_ fields: [InferredField], in ranges: [Range<Int>]) -> [InferredField] {
    var (result, index) = (fields, 0)
    while index < result.count {
      let (field, size) = (result[index], result[index].size ?? 4)
      index += 1
      guard let order = field.order else { continue }
      for offset in [field.offset - size, field.end] {
        let place = offset..<offset + size
        guard ranges.contains(where: { $0.lowerBound <= place.lowerBound && place.upperBound <= $0.upperBound }),
          !result.contains(where: { place.overlaps($0.offset..<$0.end) }),
          let values = values(at: offset, size, order), let largest = values.max(), largest != 0 || values.min() != 0
        else { continue }
        let isConstant = values.allSatisfy { $0 == largest }
        if isConstant, (largest * 1_000).rounded() != largest * 1_000 { continue }
        result.append(self.field(values, at: offset, size, order))
      }
    }
    return result.sorted { $0.offset < $1.offset }
  }

  private func field(_ values: [Double], at offset: Int, _ size: Int, _ order: ByteOrder) -> InferredField {
    let (least, largest) = (values.min() ?? 0, values.max() ?? 0)
    return .number(
      "value", at: offset, size, order, prefix: "f", least == largest ? "always \(least)" : "\(least) to \(largest)")
  }
}

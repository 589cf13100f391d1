import TelecapRecording
import TelecapWire

/// Guesses the number at an offset of payloads of one message: a counter, a clock, a float or a number that changes smoothly.
struct NumberInference {
  let samples: [TrafficSample]

  /// The kinds of numbers, those first whose evidence is the strongest.
  enum Kind: CaseIterable {
    case counter, clock, float, smooth
  }

  /// The number of a kind at `offset` that ends at `end` at the latest; nil where the bytes show none.
  func number(_ kind: Kind, at offset: Int, end: Int) -> InferredField? {
    switch kind {
    case .counter: counter(at: offset, end: end)
    case .clock: first([8, 4], at: offset, end: end) { clock(at: offset, $0, $1) }
    case .float: first([8, 4], at: offset, end: end) { float(at: offset, $0, $1) }
    case .smooth: first([4, 3, 2], at: offset, end: end) { smooth(at: offset, $0, $1) }
    }
  }

  private func first(
    _ sizes: [Int], at offset: Int, end: Int, _ guess: (Int, ByteOrder) -> InferredField?
  ) -> InferredField? {
    for size in sizes where offset + size <= end {
      for order in size == 1 ? [.little] : [ByteOrder.little, .big] {
        if let field = guess(size, order) { return field }
      }
    }
    return nil
  }

  /// The widest of the numbers at an offset that most often are one more than the one before.
  private func counter(at offset: Int, end: Int) -> InferredField? {
    var best: (steps: Int, field: InferredField)?
    _ = first([1, 2, 3, 4, 8], at: offset, end: end) { size, order in
      if let (steps, field) = counter(at: offset, size, order), steps >= best?.steps ?? 0 { best = (steps, field) }
      return nil
    }
    return best?.field
  }

  /// A number that is one more in most messages of a sender, and the number of such steps.
  private func counter(at offset: Int, _ size: Int, _ order: ByteOrder) -> (steps: Int, field: InferredField)? {
    let steps = samples.steps(at: offset, size, order)
    let mask = UInt64.max >> UInt64(64 - 8 * size)
    let ones = steps.count { ($0.after &- $0.before) & mask == 1 }
    guard steps.count >= 4, ones * 10 >= steps.count * 7 else { return nil }
    // A wide number shows by a carry into its highest byte; one that has none yet is believed where such numbers are aligned.
    let top = order == .little ? offset + size - 1 : offset
    let isAligned = [2, 4].contains(size) && offset.isMultiple(of: size)
    if size > 1, let byte = samples.constant(at: top), byte != 0 || !isAligned { return nil }
    return (ones, .number("counter", at: offset, size, order, "one more in \(ones) of \(steps.count) messages"))
  }

  /// A number that grows as the time of the capture does, in a known unit.
  private func clock(at offset: Int, _ size: Int, _ order: ByteOrder) -> InferredField? {
    let steps = samples.steps(at: offset, size, order)
    guard steps.count >= 4, let first = samples.first, let last = samples.last,
      samples.allSatisfy({ $0.sender == first.sender }), last.time > first.time,
      let from = first.number(at: offset, size, order), let to = last.number(at: offset, size, order), to > from,
      steps.count(where: { $0.after >= $0.before }) * 20 >= steps.count * 19
    else { return nil }
    // As doubles: the clock of a capture may have been set by any amount.
    let ratio = Double(to - from) / (Double(last.time) - Double(first.time))
    let units = [("ns", 1.0), ("µs", 1e-3), ("ms", 1e-6)]
    guard let unit = units.first(where: { (ratio / $0.1 - 1).magnitude < 0.05 }) else { return nil }
    return .number(
      "time", at: offset, size, order, keys: ["unit: \(unit.0)"], "grows by the time of the capture")
  }

  /// A binary float: finite, of a magnitude that measurements have, and not always the same.
  private func float(at offset: Int, _ size: Int, _ order: ByteOrder) -> InferredField? {
    if size == 8, isPairOfFloats(at: offset, order) { return nil }
    let bits = samples.numbers(at: offset, size, order)
    guard !bits.isEmpty else { return nil }
    let values = bits.map {
      size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) : Double(bitPattern: $0)
    }
    let measured = values.filter { $0 != 0 }
    guard !measured.isEmpty, measured.allSatisfy({ $0.isFinite && (1e-9...1e9).contains($0.magnitude) }) else {
      return nil
    }
    // Exponents of one quantity are near one another; bytes of something else have any.
    let exponents = measured.map { Int($0.exponent) }
    guard (exponents.max() ?? 0) - (exponents.min() ?? 0) <= 40 else { return nil }
    let distinct = Set(bits).count
    if distinct == 1 {
      // A constant is a float only where people would write it with few digits.
      guard let value = measured.first, (value * 1_000).rounded() == value * 1_000, bits[0].trailingZeroBitCount >= 8
      else {
        return nil
      }
    }
    return .number(
      "value", at: offset, size, order, prefix: "f",
      distinct == 1 ? "always \(values[0])" : "\(values.min() ?? 0) to \(values.max() ?? 0)")
  }

  /// Whether eight bytes are two floats rather than a double: half of a double has any exponent. Where one half is always 0, the other
  /// one has bits down to its end, which a double with so many zeros has not.
  private func isPairOfFloats(at offset: Int, _ order: ByteOrder) -> Bool {
    let halves = [offset, offset + 4].map { samples.numbers(at: $0, 4, order) }
    let areFloats = [offset, offset + 4].map { float(at: $0, 4, order) != nil }
    return zip(halves, areFloats).allSatisfy { $0.allSatisfy { $0 == 0 } || $1 }
      && zip(halves, areFloats).contains { half, isFloat in isFloat && half.count { $0 & 0xff != 0 } * 2 >= half.count }
  }

  /// A whole number whose low byte changes and whose high byte seldom does.
  private func smooth(at offset: Int, _ size: Int, _ order: ByteOrder) -> InferredField? {
    let (low, high) = order == .little ? (offset, offset + size - 1) : (offset + size - 1, offset)
    let (lows, highs) = (samples.steps(at: low, 1, .little), samples.steps(at: high, 1, .little))
    guard lows.count >= 8, lows.count(where: { $0.after != $0.before }) * 2 >= lows.count,
      samples.constant(at: high) == nil
    else { return nil }
    let near = highs.count { [0, 1, 255].contains(($0.after &- $0.before) & 0xff) }
    let still = highs.count { $0.after == $0.before }
    guard near * 20 >= highs.count * 19, still * 10 >= highs.count * 6 else { return nil }
    let numbers = samples.numbers(at: offset, size, order)
    let shift = UInt64(8 * size - 8)
    let tops = Set(numbers.map { $0 >> shift })
    let isSigned = tops.contains { $0 < 0x20 } && tops.contains { $0 >= 0xe0 }
    return .number(
      "number", at: offset, size, order, prefix: isSigned ? "i" : "u",
      isSigned ? "changes by small steps around 0" : "changes by small steps")
  }
}

import TelecapWire

/// Looks for sequence numbers: the lowest byte of one is in most steps one more than before, whatever its size. A wrap of this byte shows
/// the size: the byte above it then is one more too, or there is none.
struct CounterInference {
  let steps: SampleSteps
  /// The offset of the byte that discriminates streams with numbers of their own; nil where each sender has one stream.
  let key: Int?

  /// The fewest steps that show a counter.
  private static let fewest = 8

  init(_ samples: [TrafficSample], key: Int? = nil) {
    (steps, self.key) = (SampleSteps(samples, key: key), key)
  }

  /// The counter whose lowest byte is at `low`, within `range`; nil where the byte shows none.
  func counter(low: Int, in range: Range<Int>) -> InferredField? {
    let bytes = steps.bytes(at: low)
    guard isCounter(at: low), let largest = steps.samples.map({ $0.bytes[low] }).max() else { return nil }
    let ends = bytes.filter { $0.before == largest }
    let restarts = ends.filter { $0.after <= 1 }
    // A number of fewer than eight bits begins again at the same place each time.
    if largest < 255, restarts.count >= 2, restarts.count * 10 >= ends.count * 9 {
      let bits = (Int(largest) + 1).trailingZeroBitCount
      guard bits >= 2, Int(largest) + 1 == 1 << bits else { return nil }
      return field(at: low, 1, .little, bits: bits, skipsZero: restarts.allSatisfy { $0.after == 1 })
    }
    let (size, order) = proven(low: low, in: range)
    let start = order == .big ? low - size + 1 : low
    let wraps = self.wraps(at: start, size, order ?? .little)
    if wraps.isEmpty { return widened(low: low, size, order, in: range) }
    let skipsZero = wraps.count >= 2 && wraps.allSatisfy { $0 == 1 }
    return field(at: start, size, order ?? .little, bits: 8 * size, skipsZero: skipsZero)
  }

  /// Whether the byte at an offset is one more than before in most steps; with a key in almost all, as there are many keys to try.
  func isCounter(at offset: Int) -> Bool {
    steps.count >= CounterInference.fewest
      && steps.isCounting(at: offset, but: key == nil ? steps.count * 3 / 10 : steps.count / 20)
  }

  /// The number of steps in which a number is one more than before.
  func ones(at offset: Int, _ size: Int, _ order: ByteOrder) -> Int {
    let mask = UInt64.max >> UInt64(64 - 8 * size)
    return steps.numbers(at: offset, size, order).count { ($0.after &- $0.before) & mask == 1 }
  }

  /// The numbers after each step forwards over the end of a number's range.
  private func wraps(at offset: Int, _ size: Int, _ order: ByteOrder) -> [UInt64] {
    let mask = UInt64.max >> UInt64(64 - 8 * size)
    return steps.numbers(at: offset, size, order).filter {
      $0.after < $0.before && ($0.after &- $0.before) & mask <= mask / 2
    }.map(\.after)
  }

  /// The size and the byte order that carries show; one byte where there are none.
  private func proven(low: Int, in range: Range<Int>) -> (size: Int, order: ByteOrder?) {
    let sizes = [ByteOrder.little, .big].map { order -> (size: Int, order: ByteOrder?) in
      var size = 1
      while size < 8, carries(from: size, low: low, order, in: range) { size += 1 }
      return (size, order)
    }
    let best = sizes[0].size >= sizes[1].size ? sizes[0] : sizes[1]
    return best.size == 1 ? (1, nil) : best
  }

  /// Whether the byte above a number of `size` bytes is one more where the number wraps.
  private func carries(from size: Int, low: Int, _ order: ByteOrder, in range: Range<Int>) -> Bool {
    let next = order == .little ? low + size : low - size
    guard range.contains(next) else { return false }
    let mask = UInt64.max >> UInt64(64 - 8 * size)
    let start = order == .little ? low : low - size + 1
    let wraps = zip(steps.numbers(at: start, size, order), steps.bytes(at: next)).filter { step, _ in
      step.after < step.before && (step.after &- step.before) & mask <= mask / 2
    }
    return !wraps.isEmpty && wraps.count { $0.1.after &- $0.1.before == 1 } * 10 >= wraps.count * 7
  }

  /// A number that never wrapped. It is believed to be wider where zeros above it fill an aligned number.
  private func widened(low: Int, _ size: Int, _ order: ByteOrder?, in range: Range<Int>) -> InferredField {
    for width in [4, 2] where width > size {
      for order in order.map({ [$0] }) ?? [.little, .big] {
        let start = order == .little ? low : low - width + 1
        let zeros = order == .little ? low + size..<low + width : start..<low - size + 1
        if start.isMultiple(of: width), start >= range.lowerBound, start + width <= range.upperBound,
          zeros.allSatisfy({ isZero(at: $0, counting: low) })
        {
          return field(at: start, width, order, bits: 8 * width, skipsZero: false)
        }
      }
    }
    return field(
      at: order == .big ? low - size + 1 : low, size, order ?? .little, bits: 8 * size, skipsZero: false)
  }

  /// Whether a byte is 0 in all payloads that count, which not all messages may do.
  private func isZero(at offset: Int, counting low: Int) -> Bool {
    zip(steps.bytes(at: low), steps.bytes(at: offset)).allSatisfy { count, byte in
      count.after &- count.before != 1 || byte == (0, 0)
    }
  }

  private func field(at offset: Int, _ size: Int, _ order: ByteOrder, bits: Int, skipsZero: Bool) -> InferredField {
    let ones = ones(at: offset, size, order)
    var field = InferredField.number(
      "counter", at: offset, size, order, "one more in \(ones) of \(steps.count) messages")
    if bits < 8 {
      (field.highBits, field.evidence) = (8 - bits, field.evidence + "; begins again after \((1 << bits) - 1)")
    }
    (field.key, field.skipsZero) = (key, skipsZero)
    return field
  }
}

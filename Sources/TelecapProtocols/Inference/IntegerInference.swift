import TelecapWire

/// Looks for whole numbers that change by small steps: a byte that changes by one, just when the byte below it wraps, is above it.
struct IntegerInference {
  let steps: SampleSteps

  /// The fewest carries that show two bytes of one number.
  private static let fewest = 3
  /// The largest step of the two bytes together that counts as a carry. Bytes of two numbers rarely are so near.
  private static let nearest = 100
  /// The number of different values of a byte that is noise.
  private static let noise = 32

  init(_ samples: [TrafficSample]) { steps = SampleSteps(samples) }

  /// The numbers in ranges of bytes that are no other field, all of one byte order: that with the most carries.
  func integers(in ranges: [Range<Int>]) -> [InferredField] {
    let sets = [ByteOrder.big, .little].map { order in ranges.flatMap { integers(in: $0, order) } }
    return sets[0].count >= sets[1].count ? sets[0] : sets[1]
  }

  private func integers(in range: Range<Int>, _ order: ByteOrder) -> [InferredField] {
    var (fields, offset) = ([InferredField](), range.lowerBound)
    while offset + 1 < range.upperBound {
      var end = offset + 1
      while end < range.upperBound, end - offset < 4, isCarried(end - 1, end, order, isFirst: end - offset == 1) {
        end += 1
      }
      guard end - offset > 1 else {
        offset = end
        continue
      }
      let free = (fields.last?.end ?? range.lowerBound)..<range.upperBound
      let number = extended(offset..<end, in: free, order)
      fields.append(field(number, order))
      offset = number.upperBound
    }
    return fields.map { widened($0, among: fields, in: range, order) }
  }

  /// A number next to wider ones of the same size is as wide, if the bytes above it never change: its values are small.
  private func widened(
    _ field: InferredField, among fields: [InferredField], in range: Range<Int>, _ order: ByteOrder
  ) -> InferredField {
    let sizes = fields.compactMap(\.size)
    guard let size = field.size, let width = sizes.max(), size < width, sizes.count(where: { $0 == width }) > 1,
      let wide = fields.first(where: { $0.size == width })
    else { return field }
    let place = order == .big ? field.end - width..<field.end : field.offset..<field.offset + width
    let above = order == .big ? place.lowerBound..<field.offset : field.end..<place.upperBound
    let isFree =
      range.contains(above.lowerBound) && range.contains(above.upperBound - 1)
      && fields.allSatisfy { !above.overlaps($0.offset..<$0.end) }
    guard isFree, (place.lowerBound - wide.offset).isMultiple(of: width),
      above.allSatisfy({ steps.samples.constant(at: $0) != nil })
    else { return field }
    return self.field(place, order)
  }

  /// A number with the byte above it, if this changes by carries, and the byte below it, if this is noise and the number changes fast.
  private func extended(_ number: Range<Int>, in free: Range<Int>, _ order: ByteOrder) -> Range<Int> {
    var (start, end) = (number.lowerBound, number.upperBound)
    if order == .big {
      while end - start < 4, free.contains(start - 1), isCarried(start - 1, start, order, isFirst: false) { start -= 1 }
      if end - start < 4, free.contains(end), isFast(end - 1), isNoise(at: end) { end += 1 }
    } else if end - start < 4, free.contains(start - 1), isFast(start), isNoise(at: start - 1) {
      start -= 1
    }
    return start..<end
  }

  private func isFast(_ low: Int) -> Bool { steps.changes(at: low) * 2 >= steps.count }

  /// Whether two adjacent bytes are the higher and the lower one of a number. Fewer carries show a third byte.
  private func isCarried(_ first: Int, _ second: Int, _ order: ByteOrder, isFirst: Bool) -> Bool {
    let (high, low) = order == .big ? (first, second) : (second, first)
    guard steps.changes(at: high) >= (isFirst ? IntegerInference.fewest : 1) else { return false }
    var (changes, carries) = (0, 0)
    for (high, low) in zip(steps.bytes(at: high), steps.bytes(at: low)) where high.before != high.after {
      changes += 1
      let step = Int(high.after &- high.before == 1 ? 256 : -256) + Int(low.after) - Int(low.before)
      if [1, 255].contains(high.after &- high.before), abs(step) <= IntegerInference.nearest { carries += 1 }
    }
    return carries * 10 >= changes * 9
  }

  private func isNoise(at offset: Int) -> Bool {
    steps.changes(at: offset) * 10 >= steps.count * 9 && steps.samples.distinct(at: offset) >= IntegerInference.noise
  }

  private func field(_ range: Range<Int>, _ order: ByteOrder) -> InferredField {
    let highs = steps.samples.map { $0.bytes[order == .big ? range.lowerBound : range.upperBound - 1] }
    let isSigned = highs.contains { $0 >= 0xe0 } && highs.allSatisfy { $0 < 0x20 || $0 >= 0xe0 }
    return .number(
      "number", at: range.lowerBound, range.count, order, prefix: isSigned ? "i" : "u",
      "changes by small steps")
  }
}

import TelecapWire

/// Guesses the fields that all payloads of a protocol begin with: constant bytes, the type of the message, its length.
struct HeaderInference {
  /// All payloads of both sides.
  let samples: [TrafficSample]
  private let counters: CounterInference
  /// The fields, in the order of their offsets; there may be bytes between them.
  private(set) var fields: [InferredField] = []
  /// The field that discriminates messages; nil where their sizes do.
  private(set) var type: InferredField?

  /// The offset before which a type and a length are looked for.
  private static let deepest = 32
  /// The most types that a protocol is believed to have.
  private static let maxTypes = 40

  /// The header of these payloads.
  init(_ samples: [TrafficSample]) {
    (self.samples, counters) = (samples, CounterInference(samples))
    addConstants()
    if let length = length() { add(length) }
    type = typeField()
    if let type { add(type) }
  }

  private mutating func add(_ field: InferredField) {
    fields.append(field)
    fields.sort { $0.offset < $1.offset }
  }

  /// The number that counts the payloads of all messages of a sender; nil where there is none.
  func sharedCounter() -> InferredField? {
    let end = min(samples.minSize, HeaderInference.deepest)
    for low in 0..<end where isFree(low..<low + 1) {
      let start = fields.last { $0.end <= low }?.end ?? 0
      let stop = fields.first { $0.offset > low }?.offset ?? end
      if let counter = counters.counter(low: low, in: start..<min(stop, end)) { return counter }
    }
    return nil
  }

  private func isFree(_ range: Range<Int>) -> Bool {
    fields.allSatisfy { !range.overlaps($0.offset..<$0.end) }
  }

  // MARK: - Constants

  /// The text of at least three letters that all payloads have in their first bytes, and the first byte. Other constants may be
  /// data that did not change, and do not identify the protocol.
  private mutating func addConstants() {
    var bytes: [UInt8] = []
    while bytes.count < HeaderInference.deepest, let byte = samples.constant(at: bytes.count) { bytes.append(byte) }
    guard let first = bytes.first, bytes.count < samples.minSize else { return }
    let starts = (0...min(4, bytes.count)).filter { bytes[$0...].prefix(while: HeaderInference.isLetter).count >= 3 }
    if let start = starts.first {
      let text = bytes[start...].prefix(while: HeaderInference.isLetter)
      add(
        InferredField(
          offset: start, size: min(8, text.count), type: "text \(min(8, text.count))", stem: "magic",
          keys: ["equals: '\(String(decoding: text.prefix(8), as: UTF8.self))'", "is: identity"],
          evidence: "the same in all payloads"))
    } else if first != 0 {
      add(
        .number(
          "magic", at: 0, 1, .little, keys: ["equals: 0x\(String(first, radix: 16))", "is: identity"],
          "the same in all payloads"))
    }
  }

  /// A visible ASCII character that needs no quoting.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && ![UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte)
  }

  // MARK: - Length

  /// A number that is the payload's size, less a constant, in payloads of two sizes at least.
  private func length() -> InferredField? {
    guard Set(samples.map(\.bytes.count)).count > 1 else { return nil }
    // The number may share its bytes with flags, in its highest four bits.
    for highBits in [0, 4] {
      for size in highBits == 0 ? [4, 2, 1] : [2] {
        for order in size == 1 ? [ByteOrder.little] : highBits == 0 ? [.little, .big] : [.big] {
          for offset in 0...max(0, min(samples.minSize, HeaderInference.deepest) - size)
          where isFree(offset..<offset + size) {
            if let field = length(at: offset, size, order, highBits) { return field }
          }
        }
      }
    }
    return nil
  }

  private func length(at offset: Int, _ size: Int, _ order: ByteOrder, _ highBits: Int) -> InferredField? {
    let numbers = samples.numbers(at: offset, size, order).map { $0 & .max >> UInt64(64 - 8 * size + highBits) }
    guard let first = numbers.first, first <= 65_535 else { return nil }
    let excluded = samples[0].bytes.count - Int(first)
    guard (0...samples.minSize).contains(excluded),
      zip(samples, numbers).allSatisfy({ $0.bytes.count - excluded == Int(clamping: $1) }),
      isWhole(offset, size, order)
    else { return nil }
    var field = InferredField.number(
      "length", at: offset, size, order, keys: ["is: length"] + (excluded > 0 ? ["excluding: \(excluded)"] : []),
      "the size of all payloads\(excluded > 0 ? " less \(excluded)" : "")")
    (field.highBits, field.excluded) = (highBits, excluded)
    return field
  }

  /// Whether the highest byte of a number belongs to it: it changes, or the number is aligned.
  private func isWhole(_ offset: Int, _ size: Int, _ order: ByteOrder) -> Bool {
    offset.isMultiple(of: size) || samples.constant(at: order == .big ? offset : offset + size - 1) == nil
  }

  // MARK: - Type

  /// A number of few values, each of which has one size on each side. One byte; else four or two; else the
  /// byte that does so in almost all payloads.
  private func typeField() -> InferredField? {
    let shapes = Set(samples.map(Shape.init))
    guard shapes.count > 1 else { return nil }
    for (size, isStrict) in [(1, true), (4, true), (2, true), (1, false)] {
      let places = 0...max(0, min(samples.minSize, HeaderInference.deepest) - size)
      let candidates = places.compactMap { isFree($0..<$0 + size) ? candidate(at: $0, size, shapes) : nil }
        .filter { !isStrict || $0.others == 0 }
      // The one with the fewest payloads of another size, and of these the first: data come after what they are.
      guard let best = candidates.min(by: { ($0.others, $0.offset) < ($1.others, $1.offset) })
      else { continue }
      let size = size == 1 ? typeSize(at: best.offset) : size
      return .number(
        "type", at: best.offset, size, .little, keys: ["is: type"] + (size > 1 ? ["shown: hexadecimal"] : []),
        "discriminates \(best.values) messages")
    }
    return nil
  }

  /// The size and the side of a payload, which discriminate messages where there is no type.
  private struct Shape: Hashable {
    let isFromHost: Bool
    let size: Int

    init(_ sample: TrafficSample) { (isFromHost, size) = (sample.isFromHost, sample.bytes.count) }
  }

  /// The numbers at an offset, where they may be types. Few payloads have another size than most of their type.
  private func candidate(
    at offset: Int, _ size: Int, _ shapes: Set<Shape>
  ) -> (offset: Int, values: Int, others: Int)? {
    var counts: [UInt64: [Shape: Int]] = [:]
    let most = min(HeaderInference.maxTypes, shapes.count * (size == 1 ? 4 : 2))
    for sample in samples {
      guard let value = sample.number(at: offset, size, .little) else { return nil }
      counts[value, default: [:]][Shape(sample), default: 0] += 1
      if counts.count > most { return nil }
    }
    guard counts.count > 1, !(offset..<offset + size).contains(where: counters.isCounter) else { return nil }
    var others = 0
    for counts in counts.values {
      for side in [false, true] {
        let sizes = counts.filter { $0.key.isFromHost == side }.values
        others += sizes.reduce(0, +) - (sizes.max() ?? 0)
      }
    }
    let common = Dictionary(grouping: samples, by: Shape.init).values.map(\.count).max() ?? 0
    return others * 50 <= samples.count && others * 4 <= samples.count - common ? (offset, counts.count, others) : nil
  }

  /// Four bytes where the ones after the first are constant, and one of them is not 0; otherwise one.
  private func typeSize(at offset: Int) -> Int {
    guard offset.isMultiple(of: 4), isFree(offset..<offset + 4) else { return 1 }
    let rest = (offset + 1..<offset + 4).map { samples.constant(at: $0) }
    return rest.allSatisfy { $0 != nil } && rest.contains { $0 != 0 } ? 4 : 1
  }
}

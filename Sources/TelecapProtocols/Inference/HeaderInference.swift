import TelecapWire

/// Guesses the fields that all payloads of a protocol begin with: constant bytes, the type of the message, its length.
struct HeaderInference {
  /// All payloads of both sides.
  let samples: [TrafficSample]
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
    self.samples = samples
    addConstants()
    if let length = length() { add(length) }
    type = typeField()
    if let type { add(type) }
  }

  /// The offset after the last field.
  var end: Int { fields.last?.end ?? 0 }

  private mutating func add(_ field: InferredField) {
    fields.append(field)
    fields.sort { $0.offset < $1.offset }
  }

  private func isFree(_ range: Range<Int>) -> Bool {
    fields.allSatisfy { !range.overlaps($0.offset..<$0.end) }
  }

  // MARK: - Constants

  /// The text of at least three letters that all payloads have in their first bytes, and the first byte. What else is constant may be
  /// data that did not change, and is no mark of the protocol.
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

  // MARK: - Length and type

  /// A number that is the payload's size, less a constant, in payloads of two sizes at least.
  private func length() -> InferredField? {
    guard Set(samples.map(\.bytes.count)).count > 1 else { return nil }
    for size in [4, 2, 1] {
      for order in size == 1 ? [ByteOrder.little] : [.little, .big] {
        for offset in 0...max(0, min(samples.minSize, HeaderInference.deepest) - size)
        where isFree(offset..<offset + size) {
          let numbers = samples.numbers(at: offset, size, order)
          guard let first = numbers.first, first <= 65_535 else { continue }
          let excluded = samples[0].bytes.count - Int(first)
          guard (0...samples.minSize).contains(excluded),
            zip(samples, numbers).allSatisfy({ $0.bytes.count - excluded == Int(clamping: $1) })
          else { continue }
          let keys = ["is: length"] + (excluded > 0 ? ["excluding: \(excluded)"] : []) + ["unit: bytes"]
          return .number("length", at: offset, size, order, keys: keys, "the size of all payloads")
        }
      }
    }
    return nil
  }

  /// A number of few values, each of which has one size on each side: the one with the fewest values, and of these the first.
  private func typeField() -> InferredField? {
    let classes = Set(samples.map(Shape.init))
    guard classes.count > 1 else { return nil }
    var best: (values: Int, field: InferredField)?
    for offset in 0..<min(samples.minSize, HeaderInference.deepest) where isFree(offset..<offset + 1) {
      let values = samples.map { $0.bytes[offset] }
      let shapes = Dictionary(grouping: zip(values, samples), by: \.0).mapValues { Set($0.map { Shape($0.1) }) }
      let isFunction = shapes.values.allSatisfy { Set($0.map(\.isFromHost)).count == $0.count }
      guard isFunction, shapes.count > 1, shapes.count <= min(HeaderInference.maxTypes, classes.count * 4),
        !isCounter(at: offset)
      else { continue }
      guard best == nil || shapes.count < best?.values ?? 0 else { continue }
      let size = typeSize(at: offset)
      best = (
        shapes.count,
        .number("type", at: offset, size, .little, keys: ["is: type"], "discriminates \(shapes.count) messages")
      )
    }
    return best?.field
  }

  /// The size and the side of a payload, which discriminate messages where there is no type.
  private struct Shape: Hashable {
    let isFromHost: Bool
    let size: Int

    init(_ sample: TrafficSample) { (isFromHost, size) = (sample.isFromHost, sample.bytes.count) }
  }

  /// Four bytes where the ones after the first are constant, and one of them is not 0; otherwise one.
  private func typeSize(at offset: Int) -> Int {
    guard offset.isMultiple(of: 4), isFree(offset..<offset + 4) else { return 1 }
    let rest = (offset + 1..<offset + 4).map { samples.constant(at: $0) }
    return rest.allSatisfy { $0 != nil } && rest.contains { $0 != 0 } ? 4 : 1
  }

  private func isCounter(at offset: Int) -> Bool {
    let steps = samples.steps(at: offset, 1, .little)
    return steps.count >= 4 && steps.count { ($0.after &- $0.before) & 0xff == 1 } * 2 >= steps.count
  }
}

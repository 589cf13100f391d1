import TelecapWire

/// Looks for a checksum in payloads: each algorithm that has a name, at the end of the payload and in its first bytes.
struct ChecksumInference {
  let samples: [TrafficSample]

  /// The fewest different payloads that show a checksum: of 8 bits one in 256 is right by chance.
  private static let fewest = 8
  /// The number of payloads that are tried.
  private static let most = 64
  /// The offset after the last byte of a header that may hold one.
  private static let deepest = 24

  /// The checksum of all payloads; nil where none was found. It covers the payload from one of its first bytes on.
  func checksum() -> InferredField? {
    var seen: Set<[UInt8]> = []
    var different: [TrafficSample] = []
    for sample in samples where different.count < ChecksumInference.most && seen.insert(sample.bytes).inserted {
      different.append(sample)
    }
    guard different.count >= ChecksumInference.fewest else { return nil }
    let size = different[0].bytes.count
    let hasOneSize = different.allSatisfy { $0.bytes.count == size }
    for width in [4, 2, 3, 1] {
      for order in width == 1 ? [ByteOrder.little] : [.little, .big] {
        // Only where all payloads have one size is the last byte at one offset.
        let last = hasOneSize ? [size - width] : []
        for offset in last + Array(0...max(0, min(ChecksumInference.deepest, size) - width)) where offset >= 0 {
          if let field = checksum(different, at: offset, width, order, isLast: hasOneSize && offset == size - width) {
            return field
          }
        }
      }
    }
    return nil
  }

  private func checksum(
    _ samples: [TrafficSample], at offset: Int, _ width: Int, _ order: ByteOrder, isLast: Bool
  ) -> InferredField? {
    guard Set(samples.numbers(at: offset, width, order)).count >= ChecksumInference.fewest - 1 else { return nil }
    // A sum that is not at the end would be found by chance: only those that are strong are looked for there.
    if !isLast, width < 4 { return nil }
    let firsts = isLast ? Array(0..<min(8, offset)) : [0]
    // A sum that begins with another number is believed only where none begins with its own.
    for isStarted in [false, true] {
      for name in ChecksumAlgorithm.names {
        guard let known = ChecksumAlgorithm.named(name, bits: 8 * width), known.bits == 8 * width,
          width == 1 || known.isCRC
        else { continue }
        for from in firsts {
          let place = Place(from: from, to: isLast ? offset : nil, range: offset..<offset + width, order: order)
          guard let algorithm = isStarted ? place.started(known, by: samples[0]) : known,
            place.isRight(algorithm, in: samples)
          else { continue }
          return field(place, known: name, algorithm == known ? nil : algorithm.initial, samples.count)
        }
      }
    }
    return nil
  }

  private func field(_ place: Place, known name: String, _ initial: UInt64?, _ count: Int) -> InferredField {
    var field = InferredField.number(
      "checksum", at: place.range.lowerBound, place.range.count, place.order, "right in \(count) different payloads")
    field.check = InferredField.Check(
      algorithm: name, initial: initial, from: place.from, reachesEnd: place.to == nil)
    return field
  }

  /// The bytes that a checksum covers, and those that hold it.
  private struct Place {
    let from: Int
    let to: Int?
    let range: Range<Int>
    let order: ByteOrder

    /// Whether a checksum is right in all payloads. Its table is made once.
    func isRight(_ algorithm: ChecksumAlgorithm, in samples: [TrafficSample]) -> Bool {
      let sum = Checksum(algorithm, from: from, to: to)
      return samples.allSatisfy { value(sum, $0) == $0.number(at: range.lowerBound, range.count, order) }
    }

    private func value(_ sum: Checksum, _ sample: TrafficSample) -> UInt64? {
      sum.value(of: sample.bytes.span.bytes, count: sample.bytes.count, in: range)
    }

    /// A sum with the number that it begins with in a payload; nil of another algorithm.
    func started(_ algorithm: ChecksumAlgorithm, by sample: TrafficSample) -> ChecksumAlgorithm? {
      guard !algorithm.isCRC, algorithm.method != .fletcher,
        let computed = value(Checksum(algorithm, from: from, to: to), sample),
        let held = sample.number(at: range.lowerBound, range.count, order)
      else { return nil }
      let initial = algorithm.method == .xor ? held ^ computed : (held &- computed) & 0xff
      return ChecksumAlgorithm(algorithm.method, bits: algorithm.bits, initial: initial)
    }
  }
}

extension ChecksumAlgorithm {
  fileprivate var isCRC: Bool { if case .crc = method { true } else { false } }
}

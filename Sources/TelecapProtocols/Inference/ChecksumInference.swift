import TelecapWire

/// Looks for a checksum in payloads: each algorithm that has a name, at the end of the payload and in its first bytes.
struct ChecksumInference {
  /// The first payloads that differ.
  private let samples: [TrafficSample]

  /// The fewest different payloads that show a checksum: of 8 bits one in 256 is right by chance.
  private static let fewest = 8
  /// The number of payloads that are tried.
  private static let most = 64
  /// The offset after the last byte of a header that may hold one.
  private static let deepest = 24

  init(_ samples: [TrafficSample]) {
    var seen: Set<[UInt8]> = []
    var different: [TrafficSample] = []
    for sample in samples where different.count < ChecksumInference.most && seen.insert(sample.bytes).inserted {
      different.append(sample)
    }
    self.samples = different
  }

  /// The checksum of all payloads; nil where none was found. It covers the payload from one of its first bytes on.
  func checksum() -> InferredField? {
    guard samples.count >= ChecksumInference.fewest else { return nil }
    for width in [4, 2, 3, 1] {
      for order in width == 1 ? [ByteOrder.little] : [.little, .big] {
        if let field = atEnd(width, order) ?? inHeader(width, order) { return field }
      }
    }
    return nil
  }

  /// The checksum at the end of payloads that are too few to show one: that of another message, but for the byte that counts after what
  /// it covers.
  func checksum(like known: InferredField) -> InferredField? {
    guard let check = known.check, let width = known.size, width > 1, samples.count > 1, let end = commonSize,
      end - width > check.from, let trial = ChecksumTrial.trials(width).first(where: { $0.name == check.algorithm })
    else { return nil }
    let place = ChecksumPlace(
      covered: check.from..<end - width, offset: end - width, width: width, order: known.order ?? .little)
    return trial.field(at: place, in: samples) ?? trial.adaptedField(at: place, in: samples)
  }

  /// The size of all payloads; nil where they differ. Only then is the last byte at one offset.
  private var commonSize: Int? {
    guard let size = samples.first?.bytes.count, samples.allSatisfy({ $0.bytes.count == size }) else { return nil }
    return size
  }

  private func atEnd(_ width: Int, _ order: ByteOrder) -> InferredField? {
    guard let size = commonSize, size > width, isChanging(at: size - width, width) else { return nil }
    let places = (0..<min(8, size - width)).map {
      ChecksumPlace(covered: $0..<size - width, offset: size - width, width: width, order: order)
    }
    let trials = ChecksumTrial.trials(width)
    for trial in trials {
      for place in places { if let field = trial.field(at: place, in: samples) { return field } }
    }
    // One with another start, or with another byte, is believed only where none is right as it is.
    for trial in trials {
      for place in places { if let field = trial.adaptedField(at: place, in: samples) { return field } }
    }
    return nil
  }

  /// A sum that is not at the end would be found by chance: only those that are strong are looked for there.
  private func inHeader(_ width: Int, _ order: ByteOrder) -> InferredField? {
    let end = min(ChecksumInference.deepest, samples.minSize)
    guard width == 4, end >= width else { return nil }
    for offset in 0...end - width where isChanging(at: offset, width) {
      let place = ChecksumPlace(covered: nil, offset: offset, width: width, order: order)
      for trial in ChecksumTrial.trials(width) {
        if let field = trial.field(at: place, in: samples) { return field }
      }
    }
    return nil
  }

  private func isChanging(at offset: Int, _ width: Int) -> Bool {
    Set(samples.numbers(at: offset, width, .little)).count >= ChecksumInference.fewest - 1
  }
}

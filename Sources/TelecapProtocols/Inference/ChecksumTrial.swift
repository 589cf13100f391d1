import TelecapWire

/// The bytes that a checksum may cover, and those that hold it.
struct ChecksumPlace {
  /// The covered bytes; nil of the whole payload, with the bytes of the checksum as 0.
  let covered: Range<Int>?
  let offset: Int
  let width: Int
  let order: ByteOrder

  /// The number that a payload has there.
  func held(in sample: TrafficSample) -> UInt64? { sample.number(at: offset, width, order) }

  /// The checksum of the covered bytes.
  func value(_ sum: Checksum, of sample: TrafficSample) -> UInt64? {
    let bytes = sample.bytes.span.bytes
    guard let covered else { return sum.value(of: bytes, count: bytes.byteCount, in: offset..<offset + width) }
    return sum.value(of: bytes.extracting(covered), count: covered.count, in: 0..<0)
  }
}

/// An algorithm that has a name, tried on payloads. Its tables are made once.
struct ChecksumTrial {
  let name: String
  private let algorithm: ChecksumAlgorithm
  private let plain: Checksum
  /// The checksum with a byte 0 after the covered bytes, and the bytes by how they change it; empty of what is no CRC of two bytes or more.
  private let extended: Checksum
  private let extras: [UInt64: UInt8]

  /// The algorithms of a width in bytes. Sums of two bytes and more are found by chance.
  static func trials(_ width: Int) -> [ChecksumTrial] { all.filter { $0.algorithm.bits == 8 * width } }

  private static let all = [8, 16, 24, 32].flatMap { bits in
    ChecksumAlgorithm.names.compactMap { name -> ChecksumTrial? in
      guard let algorithm = ChecksumAlgorithm.named(name, bits: bits), algorithm.bits == bits,
        bits == 8 || algorithm.isCRC
      else { return nil }
      return ChecksumTrial(name, algorithm)
    }
  }

  private init(_ name: String, _ algorithm: ChecksumAlgorithm) {
    (self.name, self.algorithm) = (name, algorithm)
    plain = Checksum(algorithm)
    extended = Checksum(algorithm, extra: 0)
    guard algorithm.isCRC, algorithm.bits > 8 else {
      extras = [:]
      return
    }
    // By the linearity of a CRC its last byte changes it in the same way whatever comes before.
    let plain = plain
    let values = (UInt8.min...UInt8.max).map { byte in
      plain.value(of: [byte].span.bytes, count: 1, in: 0..<0) ?? 0
    }
    extras = Dictionary(
      zip(values.map { $0 ^ values[0] }, UInt8.min...UInt8.max), uniquingKeysWith: { first, _ in first })
  }

  /// The checksum as it is, where it is right in all payloads.
  func field(at place: ChecksumPlace, in samples: [TrafficSample]) -> InferredField? {
    isRight(plain, place, samples) ? field(place, initial: nil, extra: nil, samples) : nil
  }

  /// The checksum with what the first payload shows: of a sum the start, of a CRC a byte that counts after the covered ones.
  func adaptedField(at place: ChecksumPlace, in samples: [TrafficSample]) -> InferredField? {
    guard let first = samples.first, let held = place.held(in: first) else { return nil }
    if algorithm.isCRC {
      guard let zero = place.value(extended, of: first), let extra = extras[held ^ zero],
        isRight(Checksum(algorithm, extra: extra), place, samples)
      else { return nil }
      return field(place, initial: nil, extra: extra, samples)
    }
    guard algorithm.method != .fletcher, let computed = place.value(plain, of: first) else { return nil }
    let initial = algorithm.method == .xor ? held ^ computed : (held &- computed) & 0xff
    let started = ChecksumAlgorithm(algorithm.method, bits: algorithm.bits, initial: initial)
    return isRight(Checksum(started), place, samples) ? field(place, initial: initial, extra: nil, samples) : nil
  }

  private func isRight(_ sum: Checksum, _ place: ChecksumPlace, _ samples: [TrafficSample]) -> Bool {
    samples.allSatisfy { place.value(sum, of: $0) == place.held(in: $0) }
  }

  private func field(
    _ place: ChecksumPlace, initial: UInt64?, extra: UInt8?, _ samples: [TrafficSample]
  ) -> InferredField {
    var field = InferredField.number(
      "checksum", at: place.offset, place.width, place.order, "right in \(samples.count) different payloads")
    field.check = InferredField.Check(
      algorithm: name, initial: initial, extra: extra, from: place.covered?.lowerBound ?? 0,
      reachesEnd: place.covered == nil)
    return field
  }
}

extension ChecksumAlgorithm {
  fileprivate var isCRC: Bool { if case .crc = method { true } else { false } }
}

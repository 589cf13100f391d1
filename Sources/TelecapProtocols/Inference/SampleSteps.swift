import TelecapWire

/// Payloads next to the ones before them: what changes from one to the next shows numbers.
struct SampleSteps {
  let samples: [TrafficSample]
  /// The indices of the payloads that a sender sent one after the other.
  private let pairs: [(before: Int, after: Int)]

  /// The steps of each sender; with a key, those between payloads with the same byte at this offset.
  init(_ samples: [TrafficSample], key: Int? = nil) {
    self.samples = samples
    var last: [Int: Int] = [:]
    pairs = samples.indices.compactMap { index in
      let sample = samples[index]
      let stream = sample.sender << 8 | (key.map { Int(sample.bytes[$0]) } ?? 0)
      return last.updateValue(index, forKey: stream).map { ($0, index) }
    }
  }

  var count: Int { pairs.count }

  /// The numbers before and after each step. All payloads have bytes there.
  func numbers(at offset: Int, _ size: Int, _ order: ByteOrder) -> [(before: UInt64, after: UInt64)] {
    let numbers = samples.numbers(at: offset, size, order)
    return numbers.isEmpty ? [] : pairs.map { (numbers[$0.before], numbers[$0.after]) }
  }

  /// The bytes before and after each step.
  func bytes(at offset: Int) -> [(before: UInt8, after: UInt8)] {
    pairs.map { (samples[$0.before].bytes[offset], samples[$0.after].bytes[offset]) }
  }

  /// Whether a byte is one more than before in all steps but some.
  func isCounting(at offset: Int, but missing: Int) -> Bool {
    var others = 0
    for pair in pairs where samples[pair.after].bytes[offset] &- samples[pair.before].bytes[offset] != 1 {
      others += 1
      if others > missing { return false }
    }
    return true
  }

  /// The number of steps in which a byte changes.
  func changes(at offset: Int) -> Int {
    pairs.count { samples[$0.before].bytes[offset] != samples[$0.after].bytes[offset] }
  }
}

import TelecapRecording

/// The values that a client writes in parts, until it has them executed (Bluetooth Core Specification, Vol 3, Part F, 3.4.6).
struct LongWrites {
  /// No attribute is longer (3.2.9).
  static let longest = 512
  /// So many attributes are written at once.
  static let most = 8

  private var values: [(handle: UInt16, bytes: [UInt8])] = []

  /// Takes a part; one that leaves a hole, or that no attribute could hold, is none.
  mutating func add(_ part: RawSpan, at offset: Int, of handle: UInt16) {
    let place = values.firstIndex { $0.handle == handle } ?? values.count
    let had = place < values.count ? values[place].bytes.count : 0
    guard offset == had, had + part.byteCount <= LongWrites.longest, place < LongWrites.most else { return }
    if place == values.count { values.append((handle, [])) }
    part.withUnsafeBytes { values[place].bytes.append(contentsOf: $0) }
  }

  /// All of them, in the order in which they were begun; then there are none.
  mutating func take() -> [(handle: UInt16, bytes: [UInt8])] {
    defer { values = [] }
    return values
  }
}

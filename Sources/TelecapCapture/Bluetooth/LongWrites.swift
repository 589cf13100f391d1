import TelecapRecording

/// The queued writes of a client, until it executes them (Bluetooth Core Specification, Vol 3, Part F, 3.4.6).
struct LongWrites {
  /// The maximum length of an attribute (3.2.9).
  static let longest = 512
  /// The maximum number of attributes with queued writes.
  static let most = 8

  private var values: [(handle: UInt16, bytes: [UInt8])] = []

  /// Adds a part. Ignores a part after a gap, or beyond the maximum length of an attribute.
  mutating func add(_ part: RawSpan, at offset: Int, of handle: UInt16) {
    let place = values.firstIndex { $0.handle == handle } ?? values.count
    let had = place < values.count ? values[place].bytes.count : 0
    guard offset == had, had + part.byteCount <= LongWrites.longest, place < LongWrites.most else { return }
    if place == values.count { values.append((handle, [])) }
    part.withUnsafeBytes { values[place].bytes.append(contentsOf: $0) }
  }

  /// Removes and returns all values, in the order of their first parts.
  mutating func take() -> [(handle: UInt16, bytes: [UInt8])] {
    defer { values = [] }
    return values
  }
}

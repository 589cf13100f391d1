/// An input that is read from its front. After its end every value is 0 or empty.
struct FuzzBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A little-endian number.
  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
    (0..<MemoryLayout<Number>.size).reduce(0) { $0 | Number(truncatingIfNeeded: byte()) << Number(8 * $1) }
  }

  /// Up to `count` bytes.
  mutating func piece(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// One of a list that is not empty.
  mutating func choice<Element>(_ list: [Element]) -> Element { list[Int(byte()) % list.count] }
}

import TelecapWire

/// A field that was inferred from traffic.
struct InferredField: Hashable {
  var offset: Int
  /// The size in bytes; nil of the rest of a payload of variable size.
  var size: Int?
  /// The type as a protocol file has it.
  var type: String
  /// The first part of its name.
  var stem: String
  /// The order of its bytes; nil where it has none.
  var order: ByteOrder?
  /// Further keys, such as `equals: 1001` or `is: length`.
  var keys: [String] = []
  /// The algorithm of the checksum that it is, and the offset of the first byte that this covers; nil where it is none.
  var check: Check?
  /// The number of bits above it in its bytes that are a field of their own.
  var highBits = 0
  /// Of a length: the bytes of the payload that it does not count.
  var excluded = 0
  /// Of a counter: the offset of the byte whose values each have a counter of their own; nil where there is one for each sender.
  var key: Int?
  /// Of a counter: it never is 0, and goes on with 1 after its largest value.
  var skipsZero = false
  /// The evidence, for people.
  var evidence = ""

  /// A checksum.
  struct Check: Hashable {
    var algorithm: String
    /// The number that a sum begins with; nil for the algorithm's own.
    var initial: UInt64?
    /// A byte that counts after those that it covers.
    var extra: UInt8?
    var from: Int
    /// It covers what follows it too.
    var reachesEnd: Bool
  }

  /// An unsigned or signed number.
  static func number(
    _ stem: String, at offset: Int, _ size: Int, _ order: ByteOrder, prefix: String = "u", keys: [String] = [],
    _ evidence: String
  ) -> InferredField {
    InferredField(
      offset: offset, size: size, type: "\(prefix)\(8 * size)", stem: stem, order: size == 1 ? nil : order, keys: keys,
      evidence: evidence)
  }

  /// The offset after its last byte.
  var end: Int { offset + (size ?? 0) }

  /// The field as the lines of a file: one of some bits has the bits above it as a line before it, which begins at the same byte.
  var slices: [InferredField] {
    guard highBits > 0, let size else { return [self] }
    let rest = InferredField(
      offset: offset, size: 0, type: "bits \(highBits)", stem: "bits", keys: ["bit-order: high-first"],
      evidence: "the bits above the next field")
    var slice = self
    (slice.type, slice.order, slice.highBits) = ("bits \(8 * size - highBits)", nil, 0)
    return [rest, slice]
  }
}

/// The checksum of ISO 3309, as zlib and Ethernet compute it.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
  }

  /// The checksum of the first `count` bytes, those in `zeroed` taken as 0.
  static func of(_ bytes: RawSpan, count: Int, zeroing zeroed: Range<Int>) -> UInt32 {
    var crc = UInt32.max
    for index in 0..<min(count, bytes.byteCount) {
      let byte = zeroed.contains(index) ? 0 : bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
      crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
    return ~crc
  }
}

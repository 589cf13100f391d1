/// How a checksum is computed.
public struct ChecksumAlgorithm: Hashable, Sendable {
  /// The treatment of each byte.
  public enum Method: Hashable, Sendable {
    /// A cyclic redundancy check, by the polynomial without its highest bit. `isReflected`: the lowest bit of each byte first, and of the
    /// result too.
    case crc(polynomial: UInt64, isReflected: Bool)
    /// All bytes, exclusive or.
    case xor
    /// The sum of all bytes.
    case sum
    /// The start value less all bytes.
    case difference
    /// Two sums modulo 255, the second one in the high byte (RFC 1146, of 8 bits).
    case fletcher
  }

  /// The treatment of each byte.
  public let method: Method
  /// The width of the result: 8, 16, 24 or 32.
  public let bits: Int
  /// The value before the first byte, as the catalogue of CRC algorithms has it: not reflected.
  public let initial: UInt64
  /// The number that the result is combined with by exclusive or.
  public let xorOut: UInt64

  /// An algorithm of these values.
  public init(_ method: Method, bits: Int, initial: UInt64 = 0, xorOut: UInt64 = 0) {
    (self.method, self.bits, self.initial, self.xorOut) = (method, bits, initial, xorOut)
  }

  /// The algorithm of a name: of a CRC as in the catalogue of parametrised CRC algorithms (reveng.sourceforge.io); a sum has so many
  /// bits as its field. Nil for an unknown name.
  public static func named(_ name: String, bits: Int) -> ChecksumAlgorithm? {
    switch name {
    case "xor": ChecksumAlgorithm(.xor, bits: bits)
    case "sum": ChecksumAlgorithm(.sum, bits: bits)
    case "difference": ChecksumAlgorithm(.difference, bits: bits)
    default: crcs[name] ?? (name == "fletcher16" ? ChecksumAlgorithm(.fletcher, bits: 16) : nil)
    }
  }

  /// The names of all algorithms that have one, in the order of their widths.
  public static let names =
    ["xor", "sum", "difference", "fletcher16"]
    + crcs.keys.sorted { (crcs[$0]?.bits ?? 0, $0) < (crcs[$1]?.bits ?? 0, $1) }

  /// The CRC-32 of ISO 3309, as zlib and Ethernet compute it.
  public static let crc32 = crc(32, 0x04c1_1db7, 0xffff_ffff, reflected: true, xor: 0xffff_ffff)

  private static func crc(
    _ bits: Int, _ polynomial: UInt64, _ initial: UInt64 = 0, reflected: Bool = false, xor: UInt64 = 0
  ) -> ChecksumAlgorithm {
    ChecksumAlgorithm(.crc(polynomial: polynomial, isReflected: reflected), bits: bits, initial: initial, xorOut: xor)
  }

  private static let crcs: [String: ChecksumAlgorithm] = [
    "crc8": crc(8, 0x07), "crc8-dvb-s2": crc(8, 0xd5), "crc8-maxim": crc(8, 0x31, reflected: true),
    "crc8-sae-j1850": crc(8, 0x1d, 0xff, xor: 0xff), "crc16-ibm": crc(16, 0x8005, reflected: true),
    "crc16-modbus": crc(16, 0x8005, 0xffff, reflected: true), "crc16-umts": crc(16, 0x8005),
    "crc16-ccitt": crc(16, 0x1021, 0xffff), "crc16-xmodem": crc(16, 0x1021),
    "crc16-kermit": crc(16, 0x1021, reflected: true), "crc16-mcrf4xx": crc(16, 0x1021, 0xffff, reflected: true),
    "crc16-x25": crc(16, 0x1021, 0xffff, reflected: true, xor: 0xffff), "crc24": crc(24, 0x86_4cfb, 0xb7_04ce),
    "crc32": crc32, "crc32-mpeg-2": crc(32, 0x04c1_1db7, 0xffff_ffff),
    "crc32c": crc(32, 0x1edc_6f41, 0xffff_ffff, reflected: true, xor: 0xffff_ffff),
  ]

  /// The largest result.
  var mask: UInt64 { .max >> UInt64(64 - bits) }
}

extension ChecksumAlgorithm: CustomStringConvertible {
  /// Its name, or what it is made of: `crc16-x25`, `crc of 16 bits, polynomial 0x1021, …`.
  public var description: String {
    let name = ChecksumAlgorithm.names.first { ChecksumAlgorithm.named($0, bits: bits) == self }
    if let name { return name }
    func hex(_ value: UInt64) -> String { "0x\(String(value, radix: 16))" }
    let ends = "init \(hex(initial)), xorout \(hex(xorOut))"
    switch method {
    case .crc(let polynomial, let isReflected):
      return "crc of \(bits) bits, polynomial \(hex(polynomial)), \(ends)\(isReflected ? ", reflected" : "")"
    case .xor: return "xor, \(ends)"
    case .sum: return "sum, \(ends)"
    case .difference: return "difference, \(ends)"
    case .fletcher: return "fletcher16, \(ends)"
    }
  }
}

/// An algorithm made ready for the packet path: the table of a CRC is computed once.
final class ChecksumMachine: Sendable {
  private let algorithm: ChecksumAlgorithm
  /// For each byte of a CRC; empty otherwise.
  private let table: [UInt64]
  private let isReflected: Bool

  init(_ algorithm: ChecksumAlgorithm) {
    self.algorithm = algorithm
    guard case .crc(let polynomial, let isReflected) = algorithm.method else {
      (table, isReflected) = ([], false)
      return
    }
    self.isReflected = isReflected
    let (bits, mask) = (algorithm.bits, algorithm.mask)
    let reversed = ChecksumMachine.reversed(polynomial, bits)
    table = (0..<256).map { index in
      (0..<8).reduce(isReflected ? UInt64(index) : UInt64(index) << UInt64(bits - 8)) { crc, _ in
        isReflected
          ? crc >> 1 ^ (crc & 1 == 1 ? reversed : 0)
          : (crc << 1 ^ (crc >> UInt64(bits - 1) & 1 == 1 ? polynomial : 0)) & mask
      }
    }
  }

  /// The checksum of some bytes.
  ///
  /// - Parameters:
  ///   - zeroed: those of these places count as 0.
  ///   - extra: a byte that follows them, which is in no message.
  func value(of bytes: RawSpan, _ range: Range<Int>, zeroing zeroed: Range<Int>, extra: UInt8?) -> UInt64 {
    var (sum, second) = (
      isReflected ? ChecksumMachine.reversed(algorithm.initial, algorithm.bits) : algorithm.initial, UInt64(0)
    )
    for index in range.clamped(to: 0..<bytes.byteCount) {
      let byte = zeroed.contains(index) ? 0 : bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
      add(byte, &sum, &second)
    }
    if let extra { add(extra, &sum, &second) }
    if algorithm.method == .fletcher { sum |= second << 8 }
    return (sum ^ algorithm.xorOut) & algorithm.mask
  }

  @inline(__always)
  private func add(_ byte: UInt8, _ sum: inout UInt64, _ second: inout UInt64) {
    switch algorithm.method {
    case .crc:
      sum =
        isReflected
        ? sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        : (sum << 8 & algorithm.mask) ^ table[Int(UInt8(truncatingIfNeeded: sum >> UInt64(algorithm.bits - 8)) ^ byte)]
    case .xor: sum ^= UInt64(byte)
    case .sum: sum &+= UInt64(byte)
    case .difference: sum &-= UInt64(byte)
    case .fletcher:
      sum = (sum + UInt64(byte)) % 255
      second = (second + sum) % 255
    }
  }

  private static func reversed(_ value: UInt64, _ bits: Int) -> UInt64 {
    (0..<bits).reduce(0) { $0 | (value >> UInt64($1) & 1) << UInt64(bits - 1 - $1) }
  }
}

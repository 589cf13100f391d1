/// An IPv4 or IPv6 address, or that of a Bluetooth device, as numbers; without a scope or a name.
public struct IPAddress: Hashable, Sendable {
  /// The family of the address: an internet protocol, or Bluetooth with Linux's number of the family.
  public enum Family: UInt8, Sendable {
    /// IPv4, four bytes.
    case v4 = 4
    /// IPv6, sixteen bytes.
    case v6 = 6
    /// A Bluetooth device address, six bytes (Bluetooth Core Specification, Vol 6, Part B, 1.3). Nothing is ever sent
    /// to one.
    case bluetooth = 31
  }

  /// The first eight bytes of an IPv6 address, most significant first; 0 for IPv4.
  public let high: UInt64
  /// The last eight bytes of an IPv6 address, most significant first; the whole of an IPv4 address.
  public let low: UInt64
  /// The family. It is the last property, so that data after an address fit into its padding.
  public let family: Family

  /// The IPv4 address with these 32 bits, first byte most significant.
  @inlinable
  public init(v4 bits: UInt32) {
    family = .v4
    high = 0
    low = UInt64(bits)
  }

  /// The IPv6 address with these halves, most significant first.
  @inlinable
  public init(v6High high: UInt64, low: UInt64) {
    family = .v6
    self.high = high
    self.low = low
  }

  /// The address of a Bluetooth device, with the first byte of its text form most significant.
  @inlinable
  public init(bluetooth bits: UInt64) {
    family = .bluetooth
    high = 0
    low = bits & 0xffff_ffff_ffff
  }

  /// 127.0.0.1.
  public static let loopback = IPAddress(v4: 0x7f00_0001)
  /// 0.0.0.0.
  public static let any = IPAddress(v4: 0)

  /// Whether it is in 127.0.0.0/8 or ::1 (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
  public var isLoopback: Bool {
    family == .v4 ? low >> 24 == 127 : family == .v6 && high == 0 && low == 1
  }

  /// Whether it is in 224.0.0.0/4 or ff00::/8 (RFC 1112 §4, RFC 4291 §2.7).
  public var isMulticast: Bool {
    family == .v4 ? low >> 28 == 0xe : high >> 56 == 0xff
  }

  /// Whether it is 255.255.255.255 (RFC 919 §7). An interface's own broadcast address cannot be recognised by its
  /// number.
  public var isLimitedBroadcast: Bool { family == .v4 && low == 0xffff_ffff }

  /// The bytes in wire order, four or sixteen; for a Bluetooth device six in the order of the text form.
  public var bytes: [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
    switch family {
    case .v4: return bytes(low, 4)
    case .v6: return bytes(high, 8) + bytes(low, 8)
    case .bluetooth: return bytes(low, 6)
    }
  }
}

extension IPAddress: CustomStringConvertible {
  /// `192.0.2.1`, or an IPv6 address in the form of RFC 5952; IPv4-mapped ones as `::ffff:192.0.2.1` (its §5). A Bluetooth
  /// device's as `5c:f3:70:01:02:03`.
  public var description: String {
    if family == .v4 { return bytes.map(String.init).joined(separator: ".") }
    if family == .bluetooth { return Hex.text(bytes, separator: ":") }
    if high == 0, low >> 32 == 0xffff { return "::ffff:\(IPAddress(v4: UInt32(truncatingIfNeeded: low)))" }
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> UInt64(48 - $0 % 4 * 16)) }
    let zeros = IPAddress.longestRunOfZeros(groups)
    let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard let zeros else { return text(groups[...]) }
    return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
  }

  /// The first of the longest runs of two or more zero groups (RFC 5952 §4.2).
  private static func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int>? {
    var best: Range<Int>?
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > max(1, best?.count ?? 0) { best = start..<end }
      start = max(end, start + 1)
    }
    return best
  }
}

extension IPAddress: LosslessStringConvertible {
  /// Parses `192.0.2.1`, `2001:db8::1`, `::ffff:192.0.2.1` or `5c:f3:70:01:02:03`; nil for other text: names, scopes,
  /// and numbers with leading zeros, which some parsers read as octal (RFC 6943 §3.1.1).
  public init?(_ text: String) {
    if let v4 = IPAddress.parseV4(text[...]) {
      self.init(v4: v4)
    } else if let (high, low) = IPAddress.parseV6(text) {
      self.init(v6High: high, low: low)
    } else if let bits = IPAddress.parseBluetooth(text) {
      self.init(bluetooth: bits)
    } else {
      return nil
    }
  }

  private static func parseV4(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard let byte = decimal(part), byte <= 255 else { return nil }
      bits = bits << 8 | UInt32(byte)
    }
    return bits
  }

  /// Parses one to five decimal digits without a sign or a leading zero.
  static func decimal(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
      text.utf8.count == 1 || text.utf8.first != 48
    else { return nil }
    return Int(text)
  }

  /// Parses six pairs of digits separated by colons, which cannot be an IPv6 address.
  private static func parseBluetooth(_ text: String) -> UInt64? {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    guard pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
    return pairs.reduce(UInt64(0)) { $0 << 8 | (UInt64($1, radix: 16) ?? 0) }
  }

  private static func parseV6(_ text: String) -> (UInt64, UInt64)? {
    guard text.contains(":") else { return nil }
    let gap = text.firstRange(of: "::")
    let head = gap.map { text[..<$0.lowerBound] } ?? text[...]
    let tail = gap.map { text[$0.upperBound...] } ?? ""
    guard let left = groups(head, endsAddress: gap == nil), let right = groups(tail, endsAddress: true) else {
      return nil
    }
    let missing = 8 - left.count - right.count
    guard gap == nil ? missing == 0 : missing >= 1 else { return nil }
    let all = left + Array(repeating: 0, count: missing) + right
    let number = { (part: ArraySlice<UInt16>) in part.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
    return (number(all[..<4]), number(all[4...]))
  }

  /// The groups between colons; only the last part of an address may be in IPv4 form (RFC 4291 §2.2).
  private static func groups(_ text: Substring, endsAddress: Bool) -> [UInt16]? {
    if text.isEmpty { return [] }
    var result: [UInt16] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if endsAddress, index == parts.count - 1, let v4 = parseV4(part) {
        result += [UInt16(v4 >> 16), UInt16(v4 & 0xffff)]
      } else {
        guard (1...4).contains(part.utf8.count), part.first?.isHexDigit == true,
          let group = UInt16(part, radix: 16)
        else { return nil }
        result.append(group)
      }
    }
    return result
  }
}

/// Serial number arithmetic (RFC 1982; semantics, Latest value wins).
public enum SerialNumber {
  /// Whether `a` is newer than `b` among numbers of so many bits: (a − b) mod 2ⁿ is 1…2ⁿ⁻¹ − 1.
  @inlinable
  public static func isNewer(_ a: UInt64, than b: UInt64, bits: Int) -> Bool {
    let step = difference(a, b, bits: bits)
    return step >= 1 && step < UInt64(1) << UInt64(bits - 1)
  }

  /// (a − b) mod 2ⁿ.
  @inlinable
  public static func difference(_ a: UInt64, _ b: UInt64, bits: Int) -> UInt64 {
    (a &- b) & (bits >= 64 ? .max : UInt64(1) << UInt64(bits) &- 1)
  }

  /// The same for 16 bits: (a − b) mod 65536 is 1…32767.
  @inlinable
  public static func isNewer(_ a: UInt16, than b: UInt16) -> Bool { (1...32_767).contains(a &- b) }
}

/// Finds gaps, duplicates and reordered numbers in one stream of sequence numbers; remembers the newest 64.
public struct SequenceTracker: Hashable, Sendable {
  /// The newest number so far; nil before the first.
  public private(set) var newest: UInt64?
  /// How the numbers compare.
  private let order: NumberOrder
  /// The number 0 came.
  private var hasZero = false
  /// A number of eight bits came as 0 again and again and never otherwise: its protocol may mean by it that there is no order, as
  /// Art-Net does, which no declaration says.
  private var isUnnumbered = false
  /// Bit n: newest − n was seen.
  private var seen: UInt64 = 0
  /// Numbers after the first that never came; those that came late, within the newest 64, are taken off again.
  public private(set) var missing = 0
  /// How many numbers lie from the first to the newest, 64 at most: older ones never were missing.
  private var span = 0

  /// The arrival of a number, compared with those before it.
  public enum Arrival: Hashable, Sendable {
    /// The first, or the next.
    case next
    /// So many are missing before it.
    case gap(missing: Int)
    /// It came before.
    case duplicate
    /// Older than the newest, and new.
    case late
  }

  /// A tracker that has seen nothing, of numbers of so many bits in serial arithmetic.
  public init(bits: Int = 16) { self.init(NumberOrder(bits: bits)) }

  /// A tracker that has seen nothing, of numbers in this order.
  public init(_ order: NumberOrder) { self.order = order }

  /// Whether this number is one of the remembered numbers that came.
  public func saw(_ seq: UInt64) -> Bool {
    guard let newest, !order.isUnused(seq) else { return false }
    let age = order.steps(from: seq, to: newest)
    return age < 64 && seen >> age & 1 == 1
  }

  /// Whether this number lies between the first and the newest of the remembered numbers: it came, or counts as missing.
  public func covers(_ seq: UInt64) -> Bool {
    newest.map { !order.isUnused(seq) && order.steps(from: seq, to: $0) < UInt64(span) } ?? false
  }

  /// Takes the next number.
  public mutating func receive(_ seq: UInt64) -> Arrival {
    // It has no number.
    if order.isUnused(seq) { return .next }
    if seq == 0 { hasZero = true }
    guard let last = newest else {
      newest = seq
      seen = 1
      span = 1
      return .next
    }
    if isUnnumbered || order.bits == 8 && last == 0 && span == 1 && seq == 0 {
      isUnnumbered = seq == 0
      newest = seq
      return .next
    }
    switch order.place(of: seq, after: last) {
    case .ahead(let steps): return receive(seq, steps: Int(clamping: steps))
    case .behind(let age): return receive(late: Int(clamping: age))
    case .restarted:
      (newest, seen, span) = (seq, 1, 1)
      return .next
    }
  }

  private mutating func receive(_ seq: UInt64, steps step: Int) -> Arrival {
    newest = seq
    seen = step < 64 ? seen << UInt64(step) | 1 : 1
    span = step < 64 ? min(64, span + step) : 64
    // A counter of eight bits that never was 0 goes on with 1: its protocol uses 0 for something else, or not at all.
    if order.bits == 8, step == 2, seq == 1, !hasZero { return .next }
    // Numbers of 64 bits that make such leaps are noise.
    missing = missing.addingReportingOverflow(step - 1).overflow ? .max : missing + step - 1
    return step == 1 ? .next : .gap(missing: step - 1)
  }

  private mutating func receive(late age: Int) -> Arrival {
    guard age < 64 else { return .late }
    let bit = UInt64(1) << UInt64(age)
    if seen & bit != 0 { return .duplicate }
    seen |= bit
    if age < span { missing -= 1 }
    return .late
  }
}

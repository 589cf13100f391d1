/// The order of the numbers of a field: their rule, and how many bits they have.
public struct NumberOrder: Hashable, Sendable {
  /// The rule.
  public let rule: OrderRule
  /// The width of the numbers, 1 to 64.
  public let bits: Int
  /// Whether it is the usual rule, which costs no more than one subtraction.
  public let isSerial: Bool

  /// The order of numbers of so many bits.
  public init(_ rule: OrderRule = .serial, bits: Int) {
    (self.rule, self.bits, isSerial) = (rule, bits, rule == .serial)
  }

  /// The largest number.
  public var last: UInt64 { bits >= 64 ? .max : UInt64(1) << UInt64(bits) - 1 }

  /// Whether messages of this number have none.
  @inlinable
  public func isUnused(_ number: UInt64) -> Bool { rule.unused == number }

  /// Whether no number is newer than this one, so that a sender has to count from the beginning again.
  public func isUsedUp(by number: UInt64) -> Bool {
    guard rule.comparison == .greater else { return false }
    return number == (isUnused(last) ? last &- 1 : last)
  }

  /// Whether a receiver applies a message of number `a` after one of number `b`.
  @inlinable
  public func isNewer(_ a: UInt64, than b: UInt64) -> Bool {
    isSerial ? SerialNumber.isNewer(a, than: b, bits: bits) : isNewerByRule(a, b)
  }

  @usableFromInline
  func isNewerByRule(_ a: UInt64, _ b: UInt64) -> Bool {
    if isUnused(a) || isUnused(b) { return true }
    if a == b { return rule.appliesDuplicates }
    return switch rule.comparison {
    case .none: true
    default: place(of: a, after: b).isAhead
    }
  }

  /// The position of a number relative to another one.
  enum Place: Hashable {
    /// So many steps ahead, by the rule.
    case ahead(UInt64)
    /// Older by this number of steps, 0 if both are the same.
    case behind(UInt64)
    /// Newer by the rule, and not ahead: the sender counts anew.
    case restarted

    /// Whether it is newer.
    var isAhead: Bool {
      if case .behind = self { false } else { true }
    }
  }

  /// The position of `a` relative to `b`, neither of which is unused. For the order of arrival, it is that of serial arithmetic.
  @inline(__always)
  func place(of a: UInt64, after b: UInt64) -> Place {
    guard isSerial else { return placeByRule(a, b) }
    let ahead = SerialNumber.difference(a, b, bits: bits)
    return ahead >= 1 && ahead <= last / 2 ? .ahead(ahead) : .behind(SerialNumber.difference(b, a, bits: bits))
  }

  private func placeByRule(_ a: UInt64, _ b: UInt64) -> Place {
    let (ahead, behind) = (steps(from: b, to: a), steps(from: a, to: b))
    // 2ⁿ numbers, or one less: half of them, rounded down, is the same.
    let isForward = ahead >= 1 && ahead <= last / 2
    switch rule.comparison {
    case .serial, .none: return isForward ? .ahead(ahead) : .behind(behind)
    case .greater: return a > b ? .ahead(ahead) : .behind(behind)
    case .restarting(let from, let to):
      if a > b { return .ahead(ahead) }
      return a == b || (b < from && a > to) ? .behind(behind) : isForward ? .ahead(ahead) : .restarted
    case .window(let size, wraps: true):
      return behind < size ? .behind(behind) : isForward ? .ahead(ahead) : .restarted
    case .window(let size, wraps: false):
      return a > b ? .ahead(ahead) : b - a < size ? .behind(behind) : isForward ? .ahead(ahead) : .restarted
    }
  }

  /// How many steps a sender counts from one number to another.
  func steps(from b: UInt64, to a: UInt64) -> UInt64 {
    guard let unused = rule.unused else { return (a &- b) & last }
    let (from, to) = (index(of: b, unused), index(of: a, unused))
    return to >= from ? to - from : to + (last - from)
  }

  /// The number that a sender counts so many steps after another one.
  public func number(_ steps: UInt64, after number: UInt64) -> UInt64 {
    guard let unused = rule.unused, last > 0 else { return (number &+ steps) & last }
    let (place, more) = (index(of: number, unused) % last, steps % last)
    return self.number(at: place >= last - more ? place - (last - more) : place + more, unused)
  }

  /// The number that a sender counts so many steps before another one.
  public func number(_ steps: UInt64, before number: UInt64) -> UInt64 {
    guard let unused = rule.unused, last > 0 else { return (number &- steps) & last }
    let (place, fewer) = (index(of: number, unused) % last, steps % last)
    return self.number(at: place >= fewer ? place - fewer : place + (last - fewer), unused)
  }

  /// The `count`th number of a sender that begins with 1, or after the unused number.
  public func number(_ count: UInt64) -> UInt64 { number(count, after: rule.unused.map { $0 &- 1 } ?? 0) }

  /// The index of a number among those that count, which begin after the unused one.
  private func index(of number: UInt64, _ unused: UInt64) -> UInt64 { (number &- unused &- 1) & last }
  private func number(at index: UInt64, _ unused: UInt64) -> UInt64 { (index &+ unused &+ 1) & last }
}

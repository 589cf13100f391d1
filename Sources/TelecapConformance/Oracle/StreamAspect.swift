/// What is required of a stream.
public enum StreamAspect: Int, Hashable, Sendable, CaseIterable {
  /// The latest value wins; of increments, their sum.
  case latest
  /// The same message twice is applied once.
  case duplicate
  /// What is applied is what the message holds.
  case values
  /// What is not finite is not applied.
  case finite
  /// What lies above the range is applied as its highest value.
  case clampHigh
  /// What lies below the range is applied as its lowest value.
  case clampLow
  /// 0 switches off.
  case zeroStops
  /// Reserved bits do not count.
  case reserved
  /// What comes over TCP counts like what comes over UDP.
  case control
  /// Nothing is queued: once it is quiet nothing changes any more.
  case noQueue
  /// Before there is a session nothing is applied.
  case needsSession
  /// Silence, or the loss of the session, turns it off.
  case safe
  /// What is no message of the protocol changes nothing.
  case invalid

  /// It is judged by when something happened, not only by what did and in which order.
  var restsOnTime: Bool { self == .safe || self == .noQueue }

  /// The one that holds it where a protocol has no requirement for it alone.
  func general(isNumbered: Bool) -> StreamAspect? {
    switch self {
    case .clampHigh, .clampLow: isNumbered ? .values : .latest
    case .noQueue, .duplicate: .latest
    default: nil
    }
  }
}

/// Some aspects of a stream.
struct AspectSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt16 = 0

  init(arrayLiteral aspects: StreamAspect...) {
    for aspect in aspects { insert(aspect) }
  }

  var isEmpty: Bool { bits == 0 }

  func contains(_ aspect: StreamAspect) -> Bool { bits & 1 << UInt16(aspect.rawValue) != 0 }
  mutating func insert(_ aspect: StreamAspect) { bits |= 1 << UInt16(aspect.rawValue) }
  mutating func remove(_ aspect: StreamAspect) { bits &= ~(1 << UInt16(aspect.rawValue)) }
  mutating func formUnion(_ other: AspectSet) { bits |= other.bits }
  mutating func formIntersection(_ other: AspectSet) { bits &= other.bits }

  /// Takes one of them out; nil when none is left.
  mutating func popFirst() -> StreamAspect? {
    guard !isEmpty, let aspect = StreamAspect(rawValue: bits.trailingZeroBitCount) else { return nil }
    bits &= bits - 1
    return aspect
  }
}

/// A rule on a stream that can be required.
public enum StreamAspect: Int, Hashable, Sendable, CaseIterable {
  /// The latest value wins; of increments, their sum.
  case latest
  /// A duplicate is applied once.
  case duplicate
  /// The applied values are those of the message.
  case values
  /// NaN and infinity are not applied.
  case finite
  /// A value above the range is applied as its highest value.
  case clampHigh
  /// A value below the range is applied as its lowest value.
  case clampLow
  /// 0 switches off.
  case zeroStops
  /// Reserved bits are ignored.
  case reserved
  /// Messages over TCP count like those over UDP.
  case control
  /// Messages are not queued: without deliveries the value does not change.
  case noQueue
  /// Outside a session nothing is applied.
  case needsSession
  /// Silence, or the loss of the session, sets it to 0.
  case safe
  /// An invalid message changes nothing.
  case invalid

  /// Whether its verdict depends on the times of events, not only on their content and order.
  var restsOnTime: Bool { self == .safe || self == .noQueue }

  /// The general aspect that includes it where a protocol has no separate requirement.
  func general(isNumbered: Bool) -> StreamAspect? {
    switch self {
    case .clampHigh, .clampLow: isNumbered ? .values : .latest
    case .noQueue, .duplicate: .latest
    default: nil
    }
  }
}

/// A set of aspects.
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

  /// Removes and returns one of them; nil when the set is empty.
  mutating func popFirst() -> StreamAspect? {
    guard !isEmpty, let aspect = StreamAspect(rawValue: bits.trailingZeroBitCount) else { return nil }
    bits &= bits - 1
    return aspect
  }
}

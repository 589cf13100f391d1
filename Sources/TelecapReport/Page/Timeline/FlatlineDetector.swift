import TelecapRecording

/// Messages of a stream that came one after the other and said all the same: 0, no number at all, or one outside its range. What
/// is felt then is nothing, or not what was meant, though nothing is missing.
struct Rest: Hashable, Sendable {
  enum Value: Sendable { case zero, notANumber, outOfRange }

  let value: Value
  let start: Timestamp
  private(set) var end: Timestamp
  private(set) var messages = 1

  var length: Nanoseconds { end.nanoseconds(since: start) }

  fileprivate init(_ value: Value, at time: Timestamp) { (self.value, start, end) = (value, time, time) }

  fileprivate mutating func add(_ time: Timestamp) { (end, messages) = (time, messages + 1) }
}

/// Looks for them in a stream whose values begin at 0.
struct FlatlineDetector: Hashable, Sendable {
  /// Where its values must lie.
  private let range: ClosedRange<Double>
  /// Those that stand out and have another value behind them, the first of them.
  private var past: [Rest] = []
  /// The one that goes on.
  private var current: Rest?
  /// There was something to feel before.
  private var hasMoved = false

  private static let most = 64

  init(_ range: ClosedRange<Double>) { self.range = range }

  mutating func add(_ value: Double, at time: Timestamp) {
    let rest: Rest.Value? =
      value == 0 ? .zero : !value.isFinite ? .notANumber : range.contains(value) ? nil : .outOfRange
    if let rest, current?.value == rest {
      current?.add(time)
      return
    }
    if let current, current.value != .zero, current.length >= current.value.least, past.count < FlatlineDetector.most {
      past.append(current)
    }
    current = rest.flatMap { $0 != .zero || hasMoved ? Rest($0, at: time) : nil }
    if rest != .zero && rest != .notANumber { hasMoved = true }
  }

  /// Those that stand out: 0 only where nothing else came behind it, for a hand that touches nothing feels nothing.
  var all: [(rest: Rest, isLast: Bool)] {
    let ended = past.map { (rest: $0, isLast: false) }
    guard let current, current.length >= current.value.least else { return ended }
    return ended + [(rest: current, isLast: true)]
  }
}

extension Rest.Value {
  /// So long, in ns, it is said before it stands out: 0 at the end for a while before anybody would wonder, the others at once.
  fileprivate var least: Nanoseconds { self == .zero ? 5_000_000_000 : 250_000_000 }
}

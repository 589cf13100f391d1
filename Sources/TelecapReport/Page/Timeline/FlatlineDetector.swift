import TelecapRecording

/// Successive messages of a stream with the same abnormal content: 0, NaN, or a value outside its range. The output is then
/// nothing, or wrong, although no message is missing.
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
  /// Those in the issue list that have another value after them, the first of them.
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

  /// Those in the issue list: 0 only if no other value came after it, because a hand that touches nothing feels nothing.
  var all: [(rest: Rest, isLast: Bool)] {
    let ended = past.map { (rest: $0, isLast: false) }
    guard let current, current.length >= current.value.least else { return ended }
    return ended + [(rest: current, isLast: true)]
  }
}

extension Rest.Value {
  /// The minimum duration for the issue list, in ns: long for 0 at the end, short for the others.
  fileprivate var least: Nanoseconds { self == .zero ? 5_000_000_000 : 250_000_000 }
}

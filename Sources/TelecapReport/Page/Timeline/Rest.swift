import TelecapRecording

/// Messages of a stream that came one after the other and said all the same: 0, or no number at all. What is felt then is
/// nothing, though nothing is missing.
struct Rest: Hashable, Sendable {
  enum Value: Sendable { case zero, notANumber }

  let value: Value
  let start: Timestamp
  private(set) var end: Timestamp
  private(set) var messages = 1

  var length: Nanoseconds { end.nanoseconds(since: start) }

  fileprivate init(_ value: Value, at time: Timestamp) { (self.value, start, end) = (value, time, time) }

  fileprivate mutating func add(_ time: Timestamp) { (end, messages) = (time, messages + 1) }
}

/// Looks for them in a stream whose values begin at 0.
struct RestWatch: Hashable, Sendable {
  /// Those that stand out and have another value behind them, the first of them.
  private var past: [Rest] = []
  /// The one that goes on.
  private var current: Rest?
  /// There was something to feel before.
  private var hasMoved = false

  /// So long 0 is said at the end before anybody would wonder; what is no number is wrong at once.
  private static let longest: (zero: Nanoseconds, notANumber: Nanoseconds) = (5_000_000_000, 250_000_000)
  private static let most = 64

  mutating func add(_ value: Double, at time: Timestamp) {
    let rest: Rest.Value? = value == 0 ? .zero : value.isFinite ? nil : .notANumber
    if let rest, current?.value == rest {
      current?.add(time)
      return
    }
    if let current, current.value == .notANumber, current.length >= RestWatch.longest.notANumber,
      past.count < RestWatch.most
    {
      past.append(current)
    }
    current = rest.flatMap { $0 == .notANumber || hasMoved ? Rest($0, at: time) : nil }
    if rest == nil { hasMoved = true }
  }

  /// Those that stand out: 0 only where nothing else came behind it, for a hand that touches nothing feels nothing.
  var all: [(rest: Rest, isLast: Bool)] {
    let ended = past.map { (rest: $0, isLast: false) }
    guard let current else { return ended }
    let least = current.value == .zero ? RestWatch.longest.zero : RestWatch.longest.notANumber
    return ended + (current.length >= least ? [(rest: current, isLast: true)] : [])
  }
}

import DequeModule
import TelecapRecording
import TelecapWire

/// The messages that a receiver accepts of a stream whose sequence numbers have their own comparison. By such a rule
/// each message depends on the last accepted one: a number that is stale now may be newer later.
struct AcceptedNumbers: Sendable {
  /// The possible last accepted numbers: several where a receiver may have dropped a message. Nil before the first.
  private var bases: [UInt64?] = [nil]
  /// Whether there are more than the maximum, so that any message may be accepted.
  private var isUncertain = false
  /// Accepted messages that are not shown yet, in order of delivery.
  private(set) var pending: Deque<PendingEvent> = []
  /// The message that the receiver showed last.
  private(set) var shown: StreamValue?

  /// The decision of a receiver on a message.
  enum Answer { case accepts, drops, either }

  /// The origin of a shown value.
  enum Reading {
    /// It was accepted with this value.
    case accepted(StreamValue)
    /// It repeats the last shown value, which is allowed.
    case again
    /// It was not accepted, or a newer one was shown before.
    case wrong
  }

  private static let mostBases = 256
  private static let mostPending = 1_024

  /// The last accepted number, where it is certain.
  var base: UInt64? { bases.count == 1 && !isUncertain ? bases[0] : nil }

  /// Whether everything that must be shown is shown.
  var isSettled: Bool { pending.allSatisfy(\.mayBeDropped) }

  /// The value that must be applied; nil where there is none.
  var expected: StreamValue? { pending.last { !$0.mayBeDropped }?.value ?? shown }

  /// Handles a delivered message.
  ///
  /// - Parameter mayBeDropped: whether a receiver may drop it, whatever its number.
  mutating func take(_ value: StreamValue, _ order: NumberOrder, mayBeDropped: Bool) -> Answer {
    guard let number = value.number else { return .drops }
    let isAccepted = bases.map { $0.map { order.isNewer(number, than: $0) } ?? true }
    guard isUncertain || isAccepted.contains(true) else { return .drops }
    let isSure = !isUncertain && !mayBeDropped && !isAccepted.contains(false)
    if !order.isUnused(number) {
      let kept = zip(bases, isAccepted).filter { mayBeDropped || !$0.1 }.map(\.0)
      bases = kept.contains(number) ? kept : kept + [number]
      if bases.count > AcceptedNumbers.mostBases { (bases, isUncertain) = ([nil], true) }
    }
    // An equal message does not change the shown value.
    if !(pending.isEmpty && shown == value) {
      if pending.count >= AcceptedNumbers.mostPending { pending.removeFirst() }
      pending.append(PendingEvent(value: value, mayBeDropped: !isSure))
    }
    return isSure ? .accepts : .either
  }

  /// Handles a shown value: messages accepted before it need not be shown any more.
  mutating func show(
    _ value: StreamValue, _ order: NumberOrder, where isSame: (StreamValue, StreamValue) -> Bool
  ) -> Reading {
    let alike = { (event: PendingEvent) in event.value.number == value.number }
    let index = pending.firstIndex { alike($0) && isSame($0.value, value) } ?? pending.firstIndex(where: alike)
    guard let index else {
      let isAgain = shown.map { $0.number == value.number && isSame($0, value) } ?? false
      let mayRepeat = order.rule.appliesDuplicates || value.number.map(order.isUnused) ?? false
      return isAgain && mayRepeat ? .again : .wrong
    }
    let event = pending[index].value
    pending.removeFirst(index + 1)
    while pending.first?.value == event { pending.removeFirst() }
    shown = event
    return .accepted(event)
  }

  /// Whether a message with this number that is not shown yet contains 0.
  func mayShowOff(_ number: UInt64?) -> Bool {
    pending.contains { $0.value.number == number && $0.value.values.isOff }
  }

  /// Accepts the shown value, since the right one is unknown.
  mutating func adopt(_ value: StreamValue, _ order: NumberOrder) {
    if case .wrong = show(value, order, where: { _, _ in true }) { shown = value }
    if let number = value.number, !order.isUnused(number), !bases.contains(number) { bases.append(number) }
  }
}

import DequeModule
import TelecapRecording
import TelecapWire

/// The messages that a receiver accepts of a stream whose order has a rule of its own. By such a rule each message depends on the one that
/// was accepted before it: a number that is old today may be newer tomorrow.
struct AcceptedNumbers: Sendable {
  /// The numbers that the next one may be compared with: several where a receiver may have dropped a message. Nil before the first.
  private var bases: [UInt64?] = [nil]
  /// More of these than are remembered: nothing is certain any more.
  private var isUncertain = false
  /// The messages that were accepted and are not shown yet, in the order of their deliveries.
  private(set) var pending: Deque<PendingEvent> = []
  /// The message that the receiver showed last.
  private(set) var shown: StreamValue?

  /// The fate of a message at a receiver.
  enum Answer { case accepts, drops, either }

  /// The origin of a shown value.
  enum Reading {
    /// It was accepted, and holds this.
    case accepted(StreamValue)
    /// It is what the receiver showed before, which may be shown again.
    case again
    /// It was not accepted, or something newer is shown already.
    case wrong
  }

  private static let mostBases = 256
  private static let mostPending = 1_024

  /// The number that is compared with, where it is certain.
  var base: UInt64? { bases.count == 1 && !isUncertain ? bases[0] : nil }

  /// Everything that must be shown is shown.
  var isSettled: Bool { pending.allSatisfy(\.mayBeDropped) }

  /// The value that must be applied; nil where there is none.
  var expected: StreamValue? { pending.last { !$0.mayBeDropped }?.value ?? shown }

  /// Takes in a delivered message.
  ///
  /// - Parameter mayBeDropped: a receiver may drop it, whatever its number.
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
    // The same again changes nothing that the receiver shows.
    if !(pending.isEmpty && shown == value) {
      if pending.count >= AcceptedNumbers.mostPending { pending.removeFirst() }
      pending.append(PendingEvent(value: value, mayBeDropped: !isSure))
    }
    return isSure ? .accepts : .either
  }

  /// Takes in what the receiver shows: what was accepted before it need not be shown any more.
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

  /// The receiver goes by what it shows, since nobody knows better.
  mutating func adopt(_ value: StreamValue, _ order: NumberOrder) {
    if case .wrong = show(value, order, where: { _, _ in true }) { shown = value }
    if let number = value.number, !order.isUnused(number), !bases.contains(number) { bases.append(number) }
  }
}

import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// The state of one key of a stream: the deliveries and the shown value.
struct StreamState: Sendable {
  let key: [UInt64]
  var settling: Settling
  /// Of a stream without sequence numbers: the acceptable values, and the one shown last.
  var allowed: AcceptableValues
  var applied: StreamValue?
  /// Of a stream with sequence numbers: the newest delivered, and the one that the receiver applies. Values are kept
  /// once, since they are expensive to move.
  var newest: UInt64?
  var followed: UInt64?
  /// Newer messages that may be dropped because of trailing bytes or an invalid field, with their times of delivery.
  private(set) var droppable: [(number: UInt64, time: Timestamp)] = []
  /// Of a stream with its own comparison of sequence numbers: the numbers that a receiver accepts.
  var accepted = AcceptedNumbers()
  /// The last delivery, and whether another with its number has other values.
  var last = StreamValue(values: [])
  var isAmbiguous = false
  /// Whether the receiver showed 0.
  var isOff = false
  var delivered = Timestamp.zero
  /// The delivery of the last message that must be applied, if one that may be dropped came since: the silence may
  /// start here too.
  var unrefreshed: Timestamp?
  /// Whether its session has ended since, and the value may be 0 before the silence.
  var mayEnd = false
  /// The time at which the last delivery was due.
  var sentAt = Timestamp.zero
  /// Whether a value is set that silence must reset.
  var isOn = false
  /// Whether a quiet time has begun in which nothing may change.
  var isQuiet = false
  /// Whether it ignored the last message without reserved bits.
  var isDeaf = false
  /// Whether the receiver has shown a value of this key.
  var isShown = false
  /// The indices of checks that fail if it ever does.
  var deferred: [(check: Int, breach: Failure)] = []
  /// The counted sequence numbers, of a stream of sums or events.
  var numbers = CountedNumbers()
  /// Delivered events that are not shown yet, in order of delivery.
  var pending: Deque<PendingEvent> = []
  /// The aspects that the last delivery exercises, known once the receiver has settled.
  var causes: AspectSet = []
  /// The exercised aspects that are observable only in a failure.
  var occasions: AspectSet = []

  init(_ key: [UInt64], _ start: StreamValues?, settle: Nanoseconds) {
    self.key = key
    settling = Settling(settle)
    applied = start.map { StreamValue(number: nil, values: $0) }
    allowed = AcceptableValues(applied)
  }

  /// Stores the last delivery.
  mutating func keep(_ value: StreamValue) {
    isAmbiguous = last.number == value.number && (isAmbiguous || last.values != value.values)
    last = value
  }

  /// The maximum number of stored messages that may be dropped.
  private static let mostDroppable = 1_024

  /// Stores a newer message that may be dropped.
  mutating func mayDrop(_ number: UInt64, at time: Timestamp) {
    if droppable.count >= StreamState.mostDroppable { droppable.removeFirst() }
    droppable.append((number, time))
  }

  /// The delivery of a message with this number that may be dropped; nil where there is none.
  func delivery(droppable number: UInt64?) -> Timestamp? { droppable.last { $0.number == number }?.time }

  /// Removes those that are not newer than the newest.
  mutating func forgetDroppable(notNewerThan newest: UInt64, _ order: NumberOrder) {
    droppable.removeAll { !order.isNewer($0.number, than: newest) }
  }

  /// Resets the state after the receiver left its session: deliveries do not count, and the applied value is unknown.
  mutating func forget(_ stream: JudgedStream, settle: Nanoseconds) {
    let (applied, isShown) = (applied, isShown)
    self = StreamState(key, stream.start(of: key), settle: settle)
    (self.applied, self.isShown) = (applied, isShown)
    allowed.anything = true
  }

  /// Whether the receiver of a stream without sequence numbers, or with its own comparison, shows an acceptable value.
  func isRight(of stream: JudgedStream) -> Bool {
    if allowed.anything { return true }
    if stream.rules.merge == .event { return pending.allSatisfy(\.mayBeDropped) }
    if stream.isNumbered { return accepted.isSettled }
    guard let applied else { return allowed.value == nil || allowed.nothing }
    return allowed.contains(applied, of: stream)
  }

  /// Whether the last delivery has this number and its values are unambiguous.
  func isLast(_ number: UInt64?) -> Bool { last.number == number && !isAmbiguous }
}

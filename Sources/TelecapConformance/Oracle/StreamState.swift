import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// What an oracle knows of a stream of one key: what was delivered, and what the receiver shows.
struct StreamState: Sendable {
  let key: [UInt64]
  var settling: Settling
  /// Of a stream without numbers: what the rules allow, and what the receiver showed last.
  var allowed: AcceptableValues
  var applied: StreamValue?
  /// Of a stream with numbers: the newest that was delivered, and that which the receiver goes by. Values are kept once, for
  /// they are what costs most to move.
  var newest: UInt64?
  var followed: UInt64?
  /// Newer ones that may be dropped, since bytes follow them or they break a rule of a field, and when they were delivered.
  private(set) var droppable: [(number: UInt64, time: Timestamp)] = []
  /// Of a stream with numbers that compare by a rule of their own: what a receiver accepts.
  var accepted = AcceptedNumbers()
  /// What was delivered last, and whether another one of the same number differs from it.
  var last = StreamValue(values: [])
  var isAmbiguous = false
  /// The receiver showed 0.
  var isOff = false
  var delivered = Timestamp.zero
  /// When the last one came that must be applied, where one came since that may be dropped: silence may count from here too.
  var unrefreshed: Timestamp?
  /// When what came last was to be sent.
  var sentAt = Timestamp.zero
  /// Something is on that silence must turn off.
  var isOn = false
  /// A quiet time has begun in which nothing may change.
  var isQuiet = false
  /// It did not obey the last message that had no reserved bits set.
  var isDeaf = false
  /// The receiver has shown something of this key.
  var isShown = false
  /// The checks, by their places, that count as broken if it ever does.
  var deferred: [(check: Int, breach: Failure)] = []
  /// The numbers that were counted; of a stream that is added up, or whose messages are events.
  var numbers = CountedNumbers()
  /// Events that were delivered and are not shown yet, in the order of their deliveries.
  var pending: Deque<PendingEvent> = []
  /// What the last delivery tries: it shows once the receiver has settled.
  var causes: AspectSet = []
  /// What was tried, and shows only where it is broken.
  var occasions: AspectSet = []

  init(_ key: [UInt64], _ start: StreamValues?, settle: Nanoseconds) {
    self.key = key
    settling = Settling(settle)
    applied = start.map { StreamValue(number: nil, values: $0) }
    allowed = AcceptableValues(applied)
  }

  /// Keeps what was delivered last in the place of what was before.
  mutating func keep(_ value: StreamValue) {
    isAmbiguous = last.number == value.number && (isAmbiguous || last.values != value.values)
    last = value
  }

  /// The maximum number of droppable ones that are remembered.
  private static let mostDroppable = 1_024

  /// Keeps a newer one that may be dropped.
  mutating func mayDrop(_ number: UInt64, at time: Timestamp) {
    if droppable.count >= StreamState.mostDroppable { droppable.removeFirst() }
    droppable.append((number, time))
  }

  /// When a droppable one of this number was delivered; nil where there is none.
  func delivery(droppable number: UInt64?) -> Timestamp? { droppable.last { $0.number == number }?.time }

  /// This one is the newest: only newer ones may still be applied.
  mutating func forgetDroppable(notNewerThan newest: UInt64, _ order: NumberOrder) {
    droppable.removeAll { !order.isNewer($0.number, than: newest) }
  }

  /// Its receiver left the session: nothing that was delivered counts, and nobody knows what is applied.
  mutating func forget(_ stream: JudgedStream, settle: Nanoseconds) {
    let (applied, isShown) = (applied, isShown)
    self = StreamState(key, stream.start(of: key), settle: settle)
    (self.applied, self.isShown) = (applied, isShown)
    allowed.anything = true
  }

  /// Whether the receiver of a stream without numbers, or with numbers that compare by a rule of their own, shows what it should.
  func isRight(of stream: JudgedStream) -> Bool {
    if allowed.anything { return true }
    if stream.rules.merge == .event { return pending.allSatisfy(\.mayBeDropped) }
    if stream.isNumbered { return accepted.isSettled }
    guard let applied else { return allowed.value == nil || allowed.nothing }
    return allowed.contains(applied, of: stream)
  }

  /// A value of this number is the one that was delivered last, and it is known what that held.
  func isLast(_ number: UInt64?) -> Bool { last.number == number && !isAmbiguous }
}

import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// Checks one stream of one receiver: its declaration and the deliveries leave few allowed states (semantics, Latest
/// value wins; Clamping and what is not a number).
struct StreamOracle: Sendable {
  let stream: JudgedStream
  /// The stream without reference counting, for the packet path.
  private let declared: Unmanaged<JudgedStream>
  let checked: CheckedAspects
  /// How long a value lasts without messages of the stream; nil where they keep nothing alive.
  let silence: LivenessWindow?
  /// How long the session that the receiver requested lasts without signs of life; nil where it needs none.
  let life: LivenessWindow?
  let settle: Nanoseconds
  private let lateness: Nanoseconds
  /// The state of each key so far; one where the stream has none.
  var states: [StreamState] = []
  private var placeOfKey: [[UInt64]: Int] = [:]
  /// The index of the last message's key, which the next message usually has too.
  private var latest = 0
  /// The indices of keys that have not settled, in the order of their deliveries.
  var settling: [Int] = []
  /// The times at which the values of keys must have expired, in the order of deliveries. Some were refreshed since.
  var silences: Deque<(place: Int, latest: Timestamp)> = []
  /// No applied value must expire before this time.
  var firstEnding = Timestamp.never
  /// The expiry of the session that the receiver requested; nil while there is none.
  var session: ExpiryWindow?
  /// Whether there was a session since the link came up.
  var hasBegun = false
  /// Before this time it is unknown whether the receiver, a client that closed its session by itself, has its next one.
  var unsureUntil = Timestamp.zero
  /// The sessions before, while their values may still be shown, the last one first.
  var sessionsBefore: [StreamOracle] = []
  /// Of a session that has ended: the time until which its values may be shown.
  var mayShowUntil = Timestamp.zero
  /// The time until which values of sessions may be shown that were not kept.
  var anyMayShowUntil = Timestamp(nanoseconds: -1)
  private(set) var hasShown = false
  /// Whether a delivery could not be checked before the next one because the machine was late.
  private(set) var isTimingAmbiguous = false
  /// The interval in ns after which a message is checked alone: a settled receiver has shown the one before.
  private static let apart: Nanoseconds = 100_000_000
  /// Whether the receiver has a session that it requested.
  var hasSession: Bool { session != nil }
  /// The current delivery and the shown value, while they are processed.
  var incoming = StreamValue(values: [])
  var shown = JudgedStream.Shown()

  init(_ stream: JudgedStream, settle: Nanoseconds, lateness: Nanoseconds, _ checks: inout CheckList) {
    self.stream = stream
    declared = .passUnretained(stream)
    (self.settle, self.lateness) = (settle, lateness)
    checked = CheckedAspects(stream, &checks)
    silence = LivenessWindow(silenceOf: stream, settle: settle)
    life = LivenessWindow(sessionOf: stream, settle: settle)
  }

  // MARK: - Events

  /// Starts afresh for a new session.
  mutating func openSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    blur(before: now)
    keepSessionBefore(at: now)
    (states, placeOfKey, settling, silences) = ([], [:], [], [])
  }

  /// Ends the session: deliveries on which the receiver has not settled may be applied or not.
  mutating func closeSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    mayEnd()
    // In virtual time all values are applied at once.
    if settle == 0 { return }
    blur(before: now)
    for place in settling {
      states[place].allowed.anything = true
      // Earlier values were checked when they were shown.
      if states[place].followed != nil, let check = checked[.latest] { checks.held(check) }
    }
  }

  /// The receiver, a host, ends the session of its client now: values that silence resets may be 0 at once.
  mutating func mayEnd() {
    for place in states.indices where stream.hasSilence { states[place].mayEnd = true }
  }

  /// Handles an acknowledgement or a sign of life of the session. Over TCP the connection is the session from now on;
  /// over other transports the session expires without them.
  mutating func answered(over carrier: Carrier, at now: Timestamp, _ checks: inout CheckList) {
    // Before the receiver requests its next session, an answer belongs to the one that it left.
    guard stream.isOfOwnSession, unsureUntil != .never else { return }
    pass(to: now, &checks)
    if let session, now >= session.earliest {
      for place in states.indices { states[place].allowed.off = true }
    }
    hasBegun = true
    session = carrier == .tcp ? .never : life.map { ExpiryWindow(after: now, $0) } ?? .never
    expectEnding(session)
  }

  /// Handles the end of a connection, and of the session on it.
  mutating func disconnected(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    hasBegun = false
    guard let ending = session else { return }
    session = ExpiryWindow(
      earliest: min(ending.earliest, now), latest: min(ending.latest, now.advanced(byNanoseconds: settle)))
    expectEnding(session)
  }

  /// Handles a delivered message of the stream. A receiver must read it, or may drop it because of trailing bytes or an
  /// invalid field, or because of the datagram that it is in (`mayDrop`). `form` is that of its kind, `sentAt` the time at which it was due.
  mutating func deliver(
    _ bytes: RawSpan, _ form: Int, over carrier: Carrier, packet: Int, at now: Timestamp, sentAt: Timestamp?,
    mayDrop: Bool, _ checks: inout CheckList
  ) {
    pass(to: now, &checks)
    let (place, hasOtherDigits) = declared._withUnsafeGuaranteedRef { stream -> (Int, Bool) in
      let place = stream.hasKey ? self.place(of: stream.keys(form), in: bytes) : self.place(of: [])
      return (place, stream.hasOtherDigits(bytes, form))
    }
    if hasOtherDigits || isUnsure(at: now) { return mayTake(bytes, form, at: place, now) }
    unsettle(place, packet, at: now, sentAt: sentAt)
    if states[place].isQuiet, let check = checked[only: .noQueue] { checks.held(check) }
    states[place].isQuiet = false
    if stream.isOfOwnSession {
      guard let session else {
        outsideSession(place, over: carrier)
        return
      }
      if now >= session.earliest {
        // The session may have expired: the value may be applied or not.
        return mayTake(bytes, form, at: place, now)
      }
    }
    let (isNumbered, hasTrailing) = declared._withUnsafeGuaranteedRef { stream -> (Bool, Bool) in
      stream.read(bytes, form, into: &incoming)
      return (stream.isNumbered, stream.hasTrailing(bytes, form))
    }
    let mayBeDropped = mayDrop || hasTrailing || stream.breaksRules(bytes, over: carrier)
    if isNumbered {
      takeNumbered(at: place, mayBeDropped: mayBeDropped, now)
    } else if stream.rules.merge == .event {
      takeEvent(at: place, mayBeDropped: mayBeDropped)
    } else if stream.rules.merge == .sum {
      add(at: place, mayBeDropped: mayBeDropped)
    } else {
      let before = mayBeDropped ? states[place] : nil
      take(incoming, at: place, now)
      if let before {
        states[place].allowed = before.allowed.or(states[place].allowed)
        states[place].unrefreshed = before.unrefreshed ?? before.delivered
      }
      if stream.hasReservedSet(in: bytes, form) { states[place].causes.insert(.reserved) }
      if carrier == .tcp { states[place].causes.insert(.control) }
    }
  }

  /// Handles a message outside a session, which must not be applied. Where only signs of life show that a session is
  /// open, it may be applied before the first of them; after the session was lost, the value must stay 0.
  private mutating func outsideSession(_ place: Int, over carrier: Carrier) {
    guard stream.owner.asking(insteadOver: carrier) != nil else {
      states[place].causes = [.needsSession]
      return
    }
    if hasBegun { states[place].causes = [.safe] } else { states[place].allowed.anything = true }
  }

  /// Handles an invalid message, which must change nothing.
  mutating func deliverInvalid(_ packet: Int, at now: Timestamp, sentAt: Timestamp?) {
    for place in states.indices { unsettle(place, packet, at: now, sentAt: sentAt) }
  }

  /// Handles an event of the receiver; nil for one that is unrelated.
  mutating func observe(
    _ event: PeerEvent, at now: Timestamp, _ checks: inout CheckList
  ) -> JudgedStream.Reading? {
    guard let reading = stream.reading(event, &shown) else { return nil }
    switch reading {
    case .shows, .applies:
      pass(to: now, &checks)
      hasShown = true
      if sessionsBefore.isEmpty || !isOfSessionBefore(at: now, &checks) { judgeShown(at: now, &checks) }
    case .uses, .dropsStale, .dropsInvalid: break
    }
    return reading
  }

  /// Checks the shown value.
  mutating func judgeShown(at now: Timestamp, _ checks: inout CheckList) {
    let place = place(of: shown.key)
    if !states[place].isShown { showFirst(at: place, &checks) }
    if isUnsure(at: now) { states[place].allowed.anything = true }
    if stream.isNumbered {
      observeNumbered(at: place, now, &checks)
    } else if stream.rules.merge == .event {
      observeEvent(at: place, now, &checks)
    } else {
      observe(shown.value, at: place, now, &checks)
    }
  }

  /// Ends the run after the settle time, unless the process exited before.
  mutating func finish(at now: Timestamp, isCut: Bool, _ checks: inout CheckList) {
    pass(to: isCut ? now : now.advanced(byNanoseconds: settle + 1), &checks)
    guard let check = checked[only: .noQueue] else { return }
    for state in states where state.isQuiet { checks.held(check) }
  }

  /// Whether the receiver has settled on a wrong value.
  var isWrong: Bool { hasShown && states.indices.contains { !states[$0].settling.isOpen && !isRight($0) } }

  /// The difference between the shown and the expected value; nil where there is none, or no value was shown.
  func mismatch(at now: Timestamp) -> Failure? {
    guard hasShown else { return nil }
    for place in states.indices where !isRight(place) {
      return breach(place, expected(place), shown(place), now)
    }
    return nil
  }

  /// The indices of the stream's checks, without that for invalid messages, which all streams share.
  var checkPlaces: [Int] { checked.places }

  // MARK: - Checks

  /// Checks all keys whose settle time ended before `now`.
  @inline(__always)
  mutating func pass(to now: Timestamp, _ checks: inout CheckList) {
    var index = 0
    while index < settling.count {
      let place = settling[index]
      if states[place].settling.isOver(at: now) {
        settling.remove(at: index)
        judge(place, now, &checks)
      } else {
        index += 1
      }
    }
    if now > firstEnding { lose(at: now, &checks) }
  }

  /// Records that the settle time is cut off here only because the machine was late.
  private mutating func blur(before now: Timestamp) {
    guard lateness > 0 else { return }
    let isCut = settling.contains { now.nanoseconds(since: states[$0].sentAt) >= StreamOracle.apart }
    if isCut { isTimingAmbiguous = true }
  }

  /// Starts the settle time of a key.
  private mutating func unsettle(_ place: Int, _ packet: Int, at now: Timestamp, sentAt: Timestamp?) {
    if lateness > 0 {
      let sent = sentAt ?? now
      let isApart = sent.nanoseconds(since: states[place].sentAt) >= StreamOracle.apart
      if isApart, states[place].settling.isOpen { isTimingAmbiguous = true }
      states[place].sentAt = sent
    }
    if !states[place].settling.isOpen { settling.append(place) }
    states[place].settling.deliver(packet, at: now)
  }

  /// Marks a key as known to the receiver, and counts its earlier missing values as failures.
  private mutating func showFirst(at place: Int, _ checks: inout CheckList) {
    states[place].isShown = true
    for (check, breach) in states[place].deferred { checks.broken(check) { breach } }
    states[place].deferred = []
  }

  /// Fails a check, or defers that for a key without shown values: a receiver need not know every key, and one that it
  /// never shows has no verdict.
  private mutating func lack(_ check: Int, at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    guard stream.hasKey, !states[place].isShown else {
      return checks.broken(check) { breach(place, expected(place), shown(place), now) }
    }
    guard states[place].deferred.count < StreamOracle.mostDeferred else { return }
    states[place].deferred.append((check, breach(place, expected(place), shown(place), now)))
  }

  private static let mostDeferred = 16

  private mutating func judge(_ place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    states[place].isQuiet = !stream.isNumbered
    if states[place].allowed.anything {
      // The receiver has shown the sum: check further increments against it.
      if stream.adds, let applied = states[place].applied { states[place].allowed = AcceptableValues(applied) }
      return
    }
    let right = isRight(place)
    var causes = states[place].causes
    // A receiver that ignores messages without reserved bits too does not fail for these bits.
    if !causes.contains(.reserved) {
      states[place].isDeaf = !right
    } else if !right, states[place].isDeaf {
      causes.remove(.reserved)
    }
    if states[place].newest != nil { causes.insert(.latest) }
    while let aspect = causes.popFirst() {
      guard let check = checked[aspect] else { continue }
      if right { checks.held(check) } else { lack(check, at: place, now, &checks) }
    }
    var occasions = states[place].occasions
    while let aspect = occasions.popFirst() {
      if let check = checked[aspect] { checks.held(check) }
    }
    (states[place].causes, states[place].occasions) = ([], [])
    if !states[place].pending.isEmpty { states[place].pending.removeAll() }
    // Of several acceptable values, the receiver must keep the shown one.
    if right, !stream.isNumbered { states[place].allowed = AcceptableValues(states[place].applied) }
  }

  private func isRight(_ place: Int) -> Bool {
    // Read single fields: access to the whole state would copy it for each message.
    if stream.isNumbered, stream.numbers.isSerial {
      return states[place].allowed.anything || states[place].followed == states[place].newest
    }
    return states[place].isRight(of: stream)
  }

  // MARK: - Keys and text

  /// The index of the state for the key in a message, which is added if it is missing.
  private mutating func place(of keys: NumberPlaces, in bytes: RawSpan) -> Int {
    if latest < states.count, keys.hold(states[latest].key, in: bytes) { return latest }
    latest = place(of: keys.bits(in: bytes))
    return latest
  }

  /// The index of a key's state, which is added if it is missing.
  private mutating func place(of key: [UInt64]) -> Int {
    if key.isEmpty, !states.isEmpty { return 0 }
    if let place = placeOfKey[key] { return place }
    placeOfKey[key] = states.count
    states.append(StreamState(key, stream.start(of: key), settle: settle))
    return states.count - 1
  }

  /// The expected value; nil where no applicable one was delivered.
  func expected(_ place: Int) -> StreamValue? {
    if stream.rules.merge == .event { return states[place].pending.first { !$0.mayBeDropped }?.value }
    guard stream.isNumbered else { return states[place].allowed.value }
    guard stream.numbers.isSerial else { return states[place].accepted.expected }
    return states[place].newest.map { StreamValue(number: $0, values: []) }
  }

  /// The value that the receiver applies; nil where it showed none.
  func shown(_ place: Int) -> StreamValue? {
    if stream.rules.merge == .event { return nil }
    guard stream.isNumbered else { return states[place].applied }
    guard stream.numbers.isSerial else { return states[place].accepted.shown }
    return states[place].followed.map { StreamValue(number: $0, values: []) }
  }

  /// Fails the check of an aspect for a shown value. `right` is the expected value if the stream has another.
  func broken(
    _ aspect: StreamAspect, _ place: Int, _ value: StreamValue, _ now: Timestamp, _ checks: inout CheckList,
    right: StreamValue? = nil
  ) {
    guard let check = checked[aspect] else { return }
    checks.broken(check) { breach(place, right ?? expected(place), value, now) }
  }

  func breach(
    _ place: Int, _ expected: StreamValue?, _ observed: StreamValue?, _ now: Timestamp, inFull: Bool = false
  ) -> Failure {
    // Where a sequence number may come again, include the values: the number alone does not show the difference.
    let isOneNumber = !stream.numbers.isSerial && expected?.number != nil && expected?.number == observed?.number
    func words(_ value: StreamValue?) -> String { value.map { stream.words($0, inFull || isOneNumber) } ?? "nothing" }
    return Failure(
      time: now, packet: states[place].settling.packet, expected: words(expected), observed: words(observed))
  }
}

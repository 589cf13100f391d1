import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges what one receiver makes of one stream as its protocol declares it: from what was delivered follow the only states
/// that the rules allow (semantics, Latest value wins; Clamping and what is not a number).
struct StreamOracle: Sendable {
  let stream: JudgedStream
  /// The same, not counted: the packet path asks it for much, and would pay each time.
  private let declared: Unmanaged<JudgedStream>
  let checked: CheckedAspects
  let life: LivenessWindow?
  let settle: Nanoseconds
  private let lateness: Nanoseconds
  /// One for each key that was met; the first where the stream has none.
  var states: [StreamState] = []
  private var placeOfKey: [[UInt64]: Int] = [:]
  /// The place that a message was for last: mostly it is the next one's.
  private var latest = 0
  /// The places whose receiver has not settled, in the order of their deliveries.
  var settling: [Int] = []
  /// When silence must have ended what was delivered at these places, in the order of the deliveries. Some were refreshed since.
  var silences: Deque<(place: Int, latest: Timestamp)> = []
  /// Nothing that is applied must have ended before.
  var firstEnding = Timestamp.never
  /// The session of a receiver that asks for it; nil while there is none.
  var session: ExpiryWindow?
  /// There was a session since the link came up.
  var hasBegun = false
  /// Before this time nobody knows whether the receiver, a client that closed its session by itself, has its next one.
  var unsureUntil = Timestamp.zero
  private(set) var hasShown = false
  /// Something was delivered that could not be judged before the next came, though it should have been: the machine was late.
  private(set) var isTimingAmbiguous = false
  /// What is sent so long after the message before, in ns, is judged by itself: in time, who has settled has shown it by then.
  private static let apart: Nanoseconds = 100_000_000
  /// The receiver has a session that it asked for.
  var hasSession: Bool { session != nil }
  /// What was delivered, and what the receiver shows, while it is taken in.
  var incoming = StreamValue(values: [])
  var shown = JudgedStream.Shown()

  init(_ stream: JudgedStream, settle: Nanoseconds, lateness: Nanoseconds, _ checks: inout CheckList) {
    self.stream = stream
    declared = .passUnretained(stream)
    (self.settle, self.lateness) = (settle, lateness)
    checked = CheckedAspects(stream, &checks)
    life = LivenessWindow(stream, settle: settle)
  }

  // MARK: - What happens

  /// A new session: the stream starts afresh.
  mutating func openSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    blur(before: now)
    (states, placeOfKey, settling, silences) = ([], [:], [], [])
  }

  /// The session has ended: what its receiver had not settled on yet may be applied or not.
  mutating func closeSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    // In virtual time everything is applied at once.
    if settle == 0 { return }
    blur(before: now)
    for place in settling {
      states[place].allowed.anything = true
      // Of what it applied before each was judged when it was shown.
      if states[place].followed != nil, let check = checked[.latest] { checks.held(check) }
    }
  }

  /// The session was acknowledged, or showed a sign of life. Over TCP the connection holds it from now on; over other carriers
  /// it lives as long as it is told of.
  mutating func answered(over carrier: Carrier, at now: Timestamp, _ checks: inout CheckList) {
    // Before it has asked for its next session an answer belongs to the one that it left.
    guard stream.isOfOwnSession, unsureUntil != .never else { return }
    pass(to: now, &checks)
    if let session, now >= session.earliest {
      for place in states.indices { states[place].allowed.off = true }
    }
    hasBegun = true
    session = carrier == .tcp ? .never : life.map { ExpiryWindow(after: now, $0) }
    expectEnding(session)
  }

  /// A connection has ended, and the session that it held.
  mutating func disconnected(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    hasBegun = false
    guard let ending = session else { return }
    session = ExpiryWindow(
      earliest: min(ending.earliest, now), latest: min(ending.latest, now.advanced(byNanoseconds: settle)))
    expectEnding(session)
  }

  /// A message of the stream was delivered that a receiver must read, or may drop because bytes follow it or because a field
  /// breaks its rule; `form` is that of
  /// its kind, `sentAt` when it was to be sent.
  mutating func deliver(
    _ bytes: RawSpan, _ form: Int, over carrier: Carrier, packet: Int, at now: Timestamp, sentAt: Timestamp?,
    _ checks: inout CheckList
  ) {
    pass(to: now, &checks)
    let place = declared._withUnsafeGuaranteedRef { stream -> Int in
      stream.hasKey ? self.place(of: stream.keys(form), in: bytes) : self.place(of: [])
    }
    if isUnsure(at: now) { return mayTake(bytes, form, at: place, now) }
    unsettle(place, packet, at: now, sentAt: sentAt)
    if states[place].isQuiet, let check = checked[only: .noQueue] { checks.held(check) }
    states[place].isQuiet = false
    if stream.isOfOwnSession {
      guard let session else {
        outsideSession(place, over: carrier)
        return
      }
      if now >= session.earliest {
        // Alive or not, nobody can tell: the value may be applied or not.
        return mayTake(bytes, form, at: place, now)
      }
    }
    let (isNumbered, hasTrailing) = declared._withUnsafeGuaranteedRef { stream -> (Bool, Bool) in
      stream.read(bytes, form, into: &incoming)
      return (stream.isNumbered, stream.hasTrailing(bytes, form))
    }
    let mayBeDropped = hasTrailing || stream.breaksRules(bytes, over: carrier)
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

  /// Something of the stream came outside a session: it is not applied. Where signs of life are all that shows that a session is
  /// there, nobody can tell before the first of them; behind the last, what was lost stays off.
  private mutating func outsideSession(_ place: Int, over carrier: Carrier) {
    guard stream.owner.asking(insteadOver: carrier) != nil else {
      states[place].causes = [.needsSession]
      return
    }
    if hasBegun { states[place].causes = [.safe] } else { states[place].allowed.anything = true }
  }

  /// Something was delivered that is no message: nothing may change.
  mutating func deliverInvalid(_ packet: Int, at now: Timestamp, sentAt: Timestamp?) {
    for place in states.indices { unsettle(place, packet, at: now, sentAt: sentAt) }
  }

  /// The receiver tells something; nil where it says nothing of the stream.
  mutating func observe(
    _ event: PeerEvent, at now: Timestamp, _ checks: inout CheckList
  ) -> JudgedStream.Reading? {
    guard let reading = stream.reading(event, &shown) else { return nil }
    switch reading {
    case .shows, .applies:
      pass(to: now, &checks)
      hasShown = true
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
    case .uses, .dropsStale, .dropsInvalid: break
    }
    return reading
  }

  /// The run has ended: the receiver has had its time to settle, unless its process ended before.
  mutating func finish(at now: Timestamp, isCut: Bool, _ checks: inout CheckList) {
    pass(to: isCut ? now : now.advanced(byNanoseconds: settle + 1), &checks)
    guard let check = checked[only: .noQueue] else { return }
    for state in states where state.isQuiet { checks.held(check) }
  }

  /// The receiver has settled, and shows what it should not.
  var isWrong: Bool { hasShown && states.indices.contains { !states[$0].settling.isOpen && !isRight($0) } }

  /// How what the receiver shows differs from what it should; nil where it does not, or shows nothing.
  func mismatch(at now: Timestamp) -> Failure? {
    guard hasShown else { return nil }
    for place in states.indices where !isRight(place) {
      return breach(place, expected(place), shown(place), now)
    }
    return nil
  }

  /// The checks of the stream, by their places; not that of what is no message, which is all streams'.
  var checkPlaces: [Int] { checked.places }

  // MARK: - Judging

  /// Judges what the time until `now` has decided.
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

  /// What ends at this time ends before the receiver has settled only since the machine was late.
  private mutating func blur(before now: Timestamp) {
    guard lateness > 0 else { return }
    let isCut = settling.contains { now.nanoseconds(since: states[$0].sentAt) >= StreamOracle.apart }
    if isCut { isTimingAmbiguous = true }
  }

  /// Something was delivered: the receiver is on its way.
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

  /// The receiver knows this key: the values of it that it did not show before count.
  private mutating func showFirst(at place: Int, _ checks: inout CheckList) {
    states[place].isShown = true
    for (check, breach) in states[place].deferred { checks.broken(check) { breach } }
    states[place].deferred = []
  }

  /// Breaks a check, or keeps that in mind for a key of which nothing was shown yet: a receiver need not know every key, and one that it
  /// never shows is not judged.
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
      // The receiver shows the sum by now: further increments are judged again.
      if stream.adds, let applied = states[place].applied { states[place].allowed = AcceptableValues(applied) }
      return
    }
    let right = isRight(place)
    var causes = states[place].causes
    // What is not obeyed without reserved bits either is not wrong for them.
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
    // What the receiver chose among what is allowed is what it must keep.
    if right, !stream.isNumbered { states[place].allowed = AcceptableValues(states[place].applied) }
  }

  private func isRight(_ place: Int) -> Bool {
    // Field by field: asked of the state itself, all of it would be copied for each message.
    if stream.isNumbered, stream.numbers.isSerial {
      return states[place].allowed.anything || states[place].followed == states[place].newest
    }
    return states[place].isRight(of: stream)
  }

  // MARK: - Keys and words

  /// The place of the state of the key in a message, which is made where there is none.
  private mutating func place(of keys: NumberPlaces, in bytes: RawSpan) -> Int {
    if latest < states.count, keys.hold(states[latest].key, in: bytes) { return latest }
    latest = place(of: keys.bits(in: bytes))
    return latest
  }

  /// The place of a key's state, which is made where there is none.
  private mutating func place(of key: [UInt64]) -> Int {
    if key.isEmpty, !states.isEmpty { return 0 }
    if let place = placeOfKey[key] { return place }
    placeOfKey[key] = states.count
    states.append(StreamState(key, stream.start(of: key), settle: settle))
    return states.count - 1
  }

  /// What should be applied; nil where nothing was delivered that could be.
  func expected(_ place: Int) -> StreamValue? {
    if stream.rules.merge == .event { return states[place].pending.first { !$0.mayBeDropped }?.value }
    guard stream.isNumbered else { return states[place].allowed.value }
    guard stream.numbers.isSerial else { return states[place].accepted.expected }
    return states[place].newest.map { StreamValue(number: $0, values: []) }
  }

  /// What the receiver goes by; nil where it showed nothing.
  func shown(_ place: Int) -> StreamValue? {
    if stream.rules.merge == .event { return nil }
    guard stream.isNumbered else { return states[place].applied }
    guard stream.numbers.isSerial else { return states[place].accepted.shown }
    return states[place].followed.map { StreamValue(number: $0, values: []) }
  }

  /// The receiver shows what breaks an aspect; `right` where it is not what the stream expects.
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
    // One number with other values, where a number may come again: the number alone would not say what is wrong.
    let isOneNumber = !stream.numbers.isSerial && expected?.number != nil && expected?.number == observed?.number
    func words(_ value: StreamValue?) -> String { value.map { stream.words($0, inFull || isOneNumber) } ?? "nothing" }
    return Failure(
      time: now, packet: states[place].settling.packet, expected: words(expected), observed: words(observed))
  }
}

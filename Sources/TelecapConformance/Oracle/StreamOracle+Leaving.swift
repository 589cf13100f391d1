import DequeModule
import TelecapRecording
import TelecapWire

/// A client that closes its session by itself. Messages in flight may be applied or not, its values go to 0, and the
/// next session starts afresh. From its leave until it has settled in the next session, only values that no receiver
/// may ever show fail.
extension StreamOracle {
  /// Whether it is unknown at this time if the receiver has a session.
  func isUnsure(at now: Timestamp) -> Bool { now < unsureUntil }

  /// The receiver closed its session by itself, now or a little later.
  mutating func leave(at now: Timestamp, _ checks: inout CheckList) {
    guard stream.receiver == .client else { return }
    pass(to: now, &checks)
    unsureUntil = .never
    forgetSession()
  }

  /// Its next session is open.
  mutating func rejoin(at now: Timestamp, _ checks: inout CheckList) {
    guard stream.receiver == .client else { return }
    pass(to: now, &checks)
    unsureUntil = now.advanced(byNanoseconds: settle)
    forgetSession()
  }

  private mutating func forgetSession() {
    for place in states.indices { states[place].forget(stream, settle: settle) }
    settling = []
    silences = []
    (session, hasBegun, firstEnding) = (nil, false, .never)
  }

  /// The receiver closes its connection at `end`, and may have closed its session since `now`.
  mutating func disconnects(from now: Timestamp, at end: Timestamp, _ checks: inout CheckList) {
    guard stream.isOfOwnSession else { return }
    pass(to: now, &checks)
    guard let ending = session else { return }
    for place in settling { states[place].allowed.anything = true }
    session = ExpiryWindow(
      earliest: min(ending.earliest, now), latest: min(ending.latest, end.advanced(byNanoseconds: settle)))
    expectEnding(session)
  }

  /// Handles a message that the receiver may apply or not.
  mutating func mayTake(_ bytes: RawSpan, _ form: Int, at place: Int, _ now: Timestamp) {
    states[place].allowed.anything = true
    guard stream.isNumbered || stream.rules.merge != .latest else { return }
    stream.read(bytes, form, into: &incoming)
    if stream.rules.merge == .event { return takeEvent(at: place, mayBeDropped: true) }
    if stream.adds { return add(at: place, mayBeDropped: true) }
    guard incoming.values.isFinite, let number = incoming.number else { return }
    stream.clamp(&incoming.values)
    states[place].keep(incoming)
    guard stream.numbers.isSerial else { return takeByRule(at: place, mayBeDropped: true, now) }
    if states[place].newest.map({ isNewer(number, than: $0) }) ?? true { states[place].mayDrop(number, at: now) }
  }

  /// Accepts the shown value, since the right one is unknown.
  mutating func adopt(at place: Int) {
    guard let number = shown.value.number else { return }
    states[place].followed = number
    guard stream.numbers.isSerial else { return states[place].accepted.adopt(shown.value, stream.numbers) }
    if states[place].newest.map({ isNewer(number, than: $0) }) ?? true { states[place].newest = number }
  }
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Expiry: without signs of life, or with the session.
extension StreamOracle {
  /// The expiry of the applied values: by the stream's own signs of life, or else with the session.
  func ending(_ place: Int) -> ExpiryWindow? {
    guard let silence else { return session }
    guard states[place].isOn else { return nil }
    var ending = ExpiryWindow(after: states[place].delivered, silence)
    if let before = states[place].unrefreshed {
      ending.earliest = min(ending.earliest, ExpiryWindow(after: before, silence).earliest)
    }
    return ending
  }

  /// Handles a delivered value that counts from now on.
  mutating func deliverValue(_ values: StreamValues, at place: Int, _ now: Timestamp) {
    guard let silence else { return }
    (states[place].delivered, states[place].unrefreshed, states[place].mayEnd) = (now, nil, false)
    states[place].isOn = !values.isOff
    guard states[place].isOn else { return }
    let ending = ExpiryWindow(after: now, silence)
    silences.append((place, ending.latest))
    expectEnding(ending)
  }

  mutating func expectEnding(_ ending: ExpiryWindow?) {
    if let ending { firstEnding = min(firstEnding, ending.latest) }
  }

  func mayBeLost(_ place: Int, _ now: Timestamp) -> Bool {
    guard silence != nil || life != nil || session != nil else { return false }
    // A value that expires by silence may end with its session too.
    if states[place].mayEnd { return true }
    if stream.isOfOwnSession, session.map({ now >= $0.earliest }) ?? true { return true }
    return ending(place).map { now >= $0.earliest } ?? true
  }

  /// Checks all values that must have expired by now.
  mutating func lose(at now: Timestamp, _ checks: inout CheckList) {
    while let first = silences.first, now > first.latest {
      silences.removeFirst()
      judgeEnded(first.place, at: now, &checks)
    }
    if let ending = session, now > ending.latest {
      if !stream.hasSilence { for place in states.indices { judgeEnded(place, at: now, &checks) } }
      session = nil
    }
    firstEnding = silences.first?.latest ?? .never
    expectEnding(session)
  }

  /// Checks a key that may have expired. A message may have been delivered since.
  mutating func judgeEnded(_ place: Int, at now: Timestamp, _ checks: inout CheckList) {
    guard let ending = ending(place), now > ending.latest else { return }
    states[place].isOn = false
    let off = StreamValue(number: states[place].followed, values: StreamValues(stream.values.map { _ in 0 }))
    if !stream.isNumbered { states[place].allowed = AcceptableValues(off) }
    guard let check = checked[.safe] else { return }
    // A message that the receiver dropped, as it may, did not set a value.
    let isOff =
      stream.isNumbered
      ? states[place].isOff : states[place].applied?.values.isOff ?? (states[place].unrefreshed != nil)
    if isOff {
      checks.held(check)
    } else {
      checks.broken(check) { breach(place, off, shown(place), now) }
    }
  }
}

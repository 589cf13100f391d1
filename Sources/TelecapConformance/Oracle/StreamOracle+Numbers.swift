import TelecapModels
import TelecapRecording
import TelecapWire

/// Streams with sequence numbers: the newest message counts, in any order of arrival.
extension StreamOracle {
  /// Handles a delivered message.
  mutating func takeNumbered(at place: Int, mayBeDropped: Bool, _ now: Timestamp) {
    guard incoming.values.isFinite else {
      if stream.rules.notFinite == .any { return mayTakeNotFinite(at: place, now) }
      states[place].occasions.insert(.finite)
      return
    }
    stream.clamp(&incoming.values)
    let number = incoming.number
    states[place].keep(incoming)
    guard stream.numbers.isSerial else { return takeByRule(at: place, mayBeDropped: mayBeDropped, now) }
    if let newest = states[place].newest {
      if number == newest { states[place].occasions.insert(.duplicate) }
      guard isNewer(number, than: newest) else { return }
    }
    guard let number else { return }
    if mayBeDropped {
      states[place].mayDrop(number, at: now)
      return
    }
    states[place].newest = number
    states[place].allowed.anything = false
    states[place].forgetDroppable(notNewerThan: number, stream.numbers)
    if stream.hasSilence { deliverValue(states[place].last.values, at: place, now) }
  }

  /// Handles a message with NaN or infinity, which a receiver may apply or drop.
  private mutating func mayTakeNotFinite(at place: Int, _ now: Timestamp) {
    guard let number = incoming.number else { return }
    if !stream.numbers.isSerial {
      states[place].keep(incoming)
      return takeByRule(at: place, mayBeDropped: true, now)
    }
    if states[place].newest.map({ isNewer(number, than: $0) }) ?? true { states[place].mayDrop(number, at: now) }
  }

  /// Handles a shown value.
  mutating func observeNumbered(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    let number = shown.value.number
    let isOff = stream.hasSilence && shown.value.values.isOff
    if isOff, number == states[place].followed, !states[place].accepted.mayShowOff(number) {
      // 0 without a message that contains it is right only after a long silence.
      let isTooEarly = states[place].isOn && !states[place].settling.isOpen && !mayBeLost(place, now)
      if isTooEarly { broken(.safe, place, shown.value, now, &checks) }
      states[place].isOff = true
      return
    }
    guard shown.value.values.isFinite else {
      if stream.rules.notFinite == .any { return adopt(at: place) }
      states[place].occasions.remove(.finite)
      return broken(.finite, place, shown.value, now, &checks)
    }
    if isUnsure(at: now) { return adopt(at: place) }
    guard stream.numbers.isSerial else { return observeByRule(at: place, now, &checks) }
    if let followed = states[place].followed, followed == number {
      states[place].occasions.remove(.duplicate)
      return broken(.duplicate, place, shown.value, now, &checks)
    }
    if let number, let time = states[place].delivery(droppable: number) {
      states[place].newest = number
      states[place].forgetDroppable(notNewerThan: number, stream.numbers)
      if stream.hasSilence { deliverValue(shown.value.values, at: place, time) }
    }
    let isForward = states[place].followed.map { isNewer(number, than: $0) } ?? true
    let isKnown = states[place].newest.map { !isNewer(number, than: $0) } ?? false
    guard isForward, isKnown else { return broken(.latest, place, shown.value, now, &checks) }
    states[place].followed = number
    states[place].isOff = isOff
    compare(at: place, now, &checks)
  }

  /// Checks the shown values against those of the message, if it was the last one and they are shown.
  func compare(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    guard states[place].isLast(shown.value.number), !shown.value.values.isEmpty else { return }
    judgeValues(of: states[place].last, at: place, now, &checks)
  }

  /// Checks the shown values against those of a message.
  func judgeValues(of right: StreamValue, at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    guard let check = checked[.values] else { return }
    if stream.isShown(right.values, by: shown.value.values) {
      checks.held(check)
    } else {
      // A wrong value is not the latest one either: count it for that requirement too, which may weigh more.
      let isGrave = checks.all[check].requirement.level == .must
      for check in isGrave ? [check] : Set([check, checked[.latest] ?? check]) {
        checks.broken(check) { breach(place, right, shown.value, now, inFull: true) }
      }
    }
  }

  func isNewer(_ number: UInt64?, than other: UInt64) -> Bool {
    number.map { stream.numbers.isNewer($0, than: other) } ?? false
  }
}

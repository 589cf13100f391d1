import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// An event that was delivered and is not shown yet.
struct PendingEvent: Sendable {
  let value: StreamValue
  /// Whether a receiver may drop it.
  let mayBeDropped: Bool
}

/// Streams of events: each is shown once. With sequence numbers, a duplicate is no new event, and events may be shown
/// in any order; without them, each message is an event, and they are shown in order of arrival.
extension StreamOracle {
  /// Handles a delivered message.
  mutating func takeEvent(at place: Int, mayBeDropped: Bool) {
    guard incoming.values.isFinite else {
      states[place].occasions.insert(.finite)
      return
    }
    stream.clamp(&incoming.values)
    var mayBeDropped = mayBeDropped
    if let number = incoming.number {
      switch states[place].numbers.count(number, bits: stream.bits, mayBeDropped: mayBeDropped) {
      case .new: break
      case .counted:
        states[place].occasions.insert(.duplicate)
        return
      case .doubtful: mayBeDropped = true
      }
    }
    if !mayBeDropped { states[place].allowed.anything = false }
    states[place].pending.append(PendingEvent(value: incoming, mayBeDropped: mayBeDropped))
    states[place].causes.insert(.latest)
  }

  /// Handles a shown event.
  mutating func observeEvent(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    guard shown.value.values.isFinite else {
      states[place].occasions.remove(.finite)
      return broken(.finite, place, shown.value, now, &checks)
    }
    if isUnsure(at: now) { return }
    guard let index = states[place].pending.firstIndex(where: { isSame($0.value) }) else {
      let isRepeated = shown.value.number.map { states[place].numbers.isCounted($0) } ?? false
      if isRepeated { states[place].occasions.remove(.duplicate) }
      return broken(isRepeated ? .duplicate : .latest, place, shown.value, now, &checks)
    }
    let event = states[place].pending[index]
    if !stream.countsByNumber {
      let skipped = states[place].pending[..<index].first { !$0.mayBeDropped }
      if let skipped { broken(.latest, place, shown.value, now, &checks, right: skipped.value) }
    }
    states[place].pending.remove(at: index)
    guard let check = checked[.values], !shown.value.values.isEmpty else { return }
    if stream.isShown(event.value.values, by: shown.value.values) {
      checks.held(check)
    } else {
      checks.broken(check) { breach(place, event.value, shown.value, now, inFull: true) }
    }
  }

  /// Whether the receiver shows this event: by its number where it shows one, otherwise by its values.
  private func isSame(_ event: StreamValue) -> Bool {
    if let number = shown.value.number, stream.countsByNumber { return number == event.number }
    return stream.isShown(event.values, by: shown.value.values)
  }
}

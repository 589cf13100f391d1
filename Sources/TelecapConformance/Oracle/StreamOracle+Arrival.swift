import TelecapModels
import TelecapRecording
import TelecapWire

/// Streams without sequence numbers: the last message to arrive counts, or the sum of all.
extension StreamOracle {
  mutating func take(_ value: StreamValue, at place: Int, _ now: Timestamp) {
    let values = value.values
    if !values.isFinite, stream.rules.notFinite == .any {
      states[place].allowed.anything = true
      return
    }
    guard values.isFinite || stream.rules.notFinite == .clampedOrDropped else {
      states[place].occasions.insert(.finite)
      if states[place].allowed.value != nil { states[place].causes.insert(.latest) }
      return
    }
    // Of the earlier message, only the aspects that are independent of its value are still exercised.
    states[place].causes.formIntersection([.reserved, .control])
    guard values.isFinite else { return takeNotFinite(values, at: place) }
    let right = StreamValue(number: nil, values: stream.clamped(values))
    states[place].allowed = AcceptableValues(right)
    deliverValue(right.values, at: place, now)
    if let beyond = stream.beyond(values) {
      states[place].causes.insert(beyond)
    } else {
      if right.values.isOff { states[place].causes.insert(.zeroStops) }
      states[place].causes.insert(.latest)
    }
  }

  /// NaN and −∞ may become the lowest value, +∞ the highest; or they are dropped.
  mutating func takeNotFinite(_ values: StreamValues, at place: Int) {
    let wrong = values.first { !$0.isFinite } ?? 0
    if wrong == .infinity {
      states[place].allowed.highest = true
    } else {
      states[place].allowed.lowest = true
    }
    states[place].causes.insert(.finite)
  }

  mutating func observe(_ value: StreamValue, at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    let isNew = states[place].applied != value
    states[place].applied = value
    if let wrong = stream.wrongInItself(value.values) {
      let isClamped = stream.rules.merge == .latest && !stream.ranges.isEmpty
      let right = isClamped ? StreamValue(number: nil, values: stream.clamped(value.values)) : nil
      return broken(wrong, place, value, now, &checks, right: right)
    }
    guard isNew, !isUnsure(at: now) else { return }
    let isOff = value.values.isOff
    if isOff, mayBeLost(place, now) {
      states[place].allowed = AcceptableValues(value)
    } else if !states[place].settling.isOpen, !states[place].allowed.contains(value, of: stream) {
      states[place].isQuiet = false
      let aspect: StreamAspect = isOff && stream.hasSilence ? .safe : .noQueue
      broken(aspect, place, value, now, &checks)
    }
  }
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Streams whose sequence numbers are not compared by serial arithmetic, but for example by a window.
extension StreamOracle {
  /// Handles a delivered message, which is finite and clamped.
  mutating func takeByRule(at place: Int, mayBeDropped: Bool, _ now: Timestamp) {
    let (value, rule) = (states[place].last, stream.numbers.rule)
    let isRepeated = value.number != nil && value.number == states[place].accepted.base
    if isRepeated, !rule.appliesDuplicates { states[place].occasions.insert(.duplicate) }
    let answer = states[place].accepted.take(value, stream.numbers, mayBeDropped: mayBeDropped)
    guard answer != .drops else { return }
    states[place].newest = value.number
    if answer == .accepts {
      states[place].allowed.anything = false
      if isRepeated { states[place].causes.insert(.duplicate) }
    }
    guard stream.hasSilence else { return }
    let before = states[place].unrefreshed ?? states[place].delivered
    deliverValue(value.values, at: place, now)
    if answer == .either { states[place].unrefreshed = before }
  }

  /// Handles a shown value, which is finite, within a session.
  mutating func observeByRule(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    let value = shown.value
    let isRepeated = value.number != nil && value.number == states[place].followed
    let reading = states[place].accepted.show(value, stream.numbers) { [stream] right, shown in
      shown.values.isEmpty || stream.isShown(right.values, by: shown.values)
    }
    switch reading {
    case .again: return
    case .wrong:
      states[place].occasions.remove(.duplicate)
      broken(isRepeated && !stream.numbers.rule.appliesDuplicates ? .duplicate : .latest, place, value, now, &checks)
    case .accepted(let right):
      states[place].followed = value.number
      states[place].isOff = stream.hasSilence && value.values.isOff
      guard !value.values.isEmpty else { return }
      judgeValues(of: right, at: place, now, &checks)
    }
  }
}

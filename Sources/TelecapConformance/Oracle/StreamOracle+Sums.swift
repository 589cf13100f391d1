import TelecapModels
import TelecapRecording
import TelecapWire

/// Streams of sums: each message is counted, and with sequence numbers each number once.
extension StreamOracle {
  /// Adds the values of a delivered message to the expected sum.
  mutating func add(at place: Int, mayBeDropped: Bool) {
    guard incoming.values.isFinite else {
      states[place].occasions.insert(.finite)
      if states[place].allowed.value != nil { states[place].causes.insert(.latest) }
      return
    }
    if let number = incoming.number {
      switch states[place].numbers.count(number, bits: stream.bits, mayBeDropped: mayBeDropped) {
      case .new: break
      case .counted: return states[place].causes.formUnion([.latest, .duplicate])
      case .doubtful: states[place].allowed.anything = true
      }
    }
    if mayBeDropped { states[place].allowed.anything = true }
    guard var sum = states[place].allowed.value?.values, sum.count == incoming.values.count else { return }
    for index in sum.indices { sum[index] += incoming.values[index] }
    states[place].causes.insert(.latest)
    if let beyond = stream.beyond(sum) { states[place].causes.insert(beyond) }
    let reach = sum.reduce(states[place].allowed.reach) { max($0, $1.magnitude) }
    let isUnknown = states[place].allowed.anything
    states[place].allowed = AcceptableValues(StreamValue(values: stream.clamped(sum)))
    (states[place].allowed.anything, states[place].allowed.reach) = (isUnknown, reach)
  }
}

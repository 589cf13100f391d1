import TelecapRecording

/// When a receiver must have settled: so long after the last delivery, if nothing else was delivered in between
/// (semantics, Latest value wins: 50 ms on the wall clock, 0 in virtual time).
struct Settling: Hashable, Sendable {
  /// The settle time in ns.
  let time: Nanoseconds
  /// The packet that was delivered last.
  private(set) var packet = 0
  private var due: Timestamp?

  init(_ time: Nanoseconds) { self.time = max(0, time) }

  /// A packet was delivered: the receiver has until `time` later.
  mutating func deliver(_ packet: Int, at now: Timestamp) {
    self.packet = packet
    due = now.advanced(byNanoseconds: time)
  }

  /// Another packet was delivered: where the receiver is still on its way it has that much longer.
  mutating func extend(_ packet: Int, at now: Timestamp) {
    if isOpen { deliver(packet, at: now) }
  }

  /// Whether the time to settle has run out before `now`; says so once for each delivery.
  mutating func isOver(at now: Timestamp) -> Bool {
    guard let due, now > due else { return false }
    self.due = nil
    return true
  }

  /// Whether the receiver may still be on its way.
  var isOpen: Bool { due != nil }
}

import TelecapRecording

/// The time at which a receiver must have settled: the settle time after its last delivery (semantics, Latest value
/// wins: 50 ms on the wall clock, 0 in virtual time).
struct Settling: Hashable, Sendable {
  /// The settle time in ns.
  let time: Nanoseconds
  /// The packet that was delivered last.
  private(set) var packet = 0
  private var due: Timestamp?

  init(_ time: Nanoseconds) { self.time = max(0, time) }

  /// Starts the settle time of a delivered packet.
  mutating func deliver(_ packet: Int, at now: Timestamp) {
    self.packet = packet
    due = now.advanced(byNanoseconds: time)
  }

  /// Extends an open settle time for another delivered packet.
  mutating func extend(_ packet: Int, at now: Timestamp) {
    if isOpen { deliver(packet, at: now) }
  }

  /// Whether the settle time ended before `now`; true once for each delivery.
  mutating func isOver(at now: Timestamp) -> Bool {
    guard let due, now > due else { return false }
    self.due = nil
    return true
  }

  /// Whether the settle time is still running.
  var isOpen: Bool { due != nil }
}

import TelecapRecording

/// Keeps the order of leaving in the due times themselves: deliveries are sorted by (due, packet), so a packet that leaves
/// at the same instant as, and behind, a later one is due 1 ns after it. Without this a plan could not say that a packet
/// was overtaken when all times are 0, or who came first out of a stall.
struct DepartureOrder {
  private var lastTime = Int64.min
  private var lastDue = Int64.min
  private var lastIndex = 0

  /// The due time of what leaves at `time`; `index` ascends with the packets. What leaves earlier than the last one, past
  /// a link or a stall that does not concern it, keeps its time.
  @inline(__always)
  mutating func due(_ time: Nanoseconds, index: Int) -> Nanoseconds {
    guard time >= lastTime else { return time }
    var due = max(time, lastDue)
    if due == lastDue, index < lastIndex, due < .max { due += 1 }
    lastTime = time
    lastDue = due
    lastIndex = index
    return due
  }
}

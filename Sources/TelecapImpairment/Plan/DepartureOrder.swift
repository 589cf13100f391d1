import TelecapRecording

/// Encodes the order of departure in the due times: deliveries are sorted by (due, packet), so a packet that leaves at
/// the same time as a later packet, but after it, is due 1 ns later. Without this a plan could not express that a
/// packet was overtaken if all times are 0, or the order after a stall.
struct DepartureOrder {
  private var lastTime = Int64.min
  private var lastDue = Int64.min
  private var lastIndex = 0

  /// The due time of a copy that leaves at `time`; `index` ascends with the packets. A copy that leaves before the last
  /// one, because it bypasses a link or a stall, keeps its time.
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

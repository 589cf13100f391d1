import TelecapRecording

/// The copies that are held back behind later packets. Those of one flow leave in the order in which they came; all are
/// held for the same time at most, so that the oldest is always first to expire.
struct Holds {
  private struct Hold {
    var order = 0
    var flow = 0
    /// It leaves when so many packets of its flow have gone.
    var target = 0
    var expiry: Nanoseconds = 0
    /// The index of the flow's next hold; -1 for none.
    var next = -1
    var isReleased = false
  }

  private struct FlowState {
    var passed = 0
    var head = -1
    var tail = -1
  }

  private var holds = Ring<Hold>(placeholder: Hold())
  private var flows: [FlowState] = []

  /// Holds a copy that came at `time` until so many packets of its flow have gone.
  mutating func hold(_ order: Int, behind gap: Int, flow: Int, at time: Nanoseconds) {
    meet(flow)
    let index = holds.endIndex
    let (expiry, overflow) = time.addingReportingOverflow(PlanDraft.longestHold.nanoseconds)
    holds.append(
      Hold(order: order, flow: flow, target: flows[flow].passed + gap, expiry: overflow ? .max : expiry))
    if flows[flow].head < 0 { flows[flow].head = index } else { holds[flows[flow].tail].next = index }
    flows[flow].tail = index
  }

  /// A packet of this flow has gone.
  @inline(__always)
  mutating func countPassage(flow: Int) {
    meet(flow)
    flows[flow].passed += 1
  }

  /// The next copy of this flow for which enough packets have gone.
  @inline(__always)
  mutating func release(flow: Int) -> Int? {
    let head = flows[flow].head
    guard head >= 0, holds[head].target <= flows[flow].passed else { return nil }
    return release(head)
  }

  /// The next copy that has been held for too long at `time`, and when that was so.
  @inline(__always)
  mutating func releaseExpired(until time: Nanoseconds) -> (order: Int, expiry: Nanoseconds)? {
    guard !holds.isEmpty, holds[holds.startIndex].expiry <= time else { return nil }
    let expiry = holds[holds.startIndex].expiry
    return (release(holds.startIndex), expiry)
  }

  /// When the copy that has been held longest is let go; nil while none is held.
  var nextExpiry: Nanoseconds? { holds.first?.expiry }

  /// The copy that has been held longest.
  mutating func releaseAny() -> Int? { holds.isEmpty ? nil : release(holds.startIndex) }

  private mutating func meet(_ flow: Int) {
    while flows.count <= flow { flows.append(FlowState()) }
  }

  /// Lets the first hold of its flow go.
  private mutating func release(_ index: Int) -> Int {
    let hold = holds[index]
    holds[index].isReleased = true
    flows[hold.flow].head = hold.next
    while let first = holds.first, first.isReleased { holds.removeFirst() }
    return hold.order
  }
}

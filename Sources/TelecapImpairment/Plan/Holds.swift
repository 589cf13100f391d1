import TelecapRecording

/// The copies that are held until later packets have left. Those of one flow leave in order; all have the same maximum
/// time, so the oldest always expires first.
struct Holds {
  private struct Hold {
    var order = 0
    var flow = 0
    /// The number of passed packets of its flow at which it leaves.
    var target = 0
    var expiry: Nanoseconds = 0
    /// The index of the flow's next hold; -1 without one.
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

  /// Holds a copy that arrived at `time` until this many packets of its flow have left.
  mutating func hold(_ order: Int, behind gap: Int, flow: Int, at time: Nanoseconds) {
    meet(flow)
    let index = holds.endIndex
    let (expiry, overflow) = time.addingReportingOverflow(PlanDraft.longestHold.nanoseconds)
    holds.append(
      Hold(order: order, flow: flow, target: flows[flow].passed + gap, expiry: overflow ? .max : expiry))
    if flows[flow].head < 0 { flows[flow].head = index } else { holds[flows[flow].tail].next = index }
    flows[flow].tail = index
  }

  /// Counts a packet of this flow that has left.
  @inline(__always)
  mutating func countPassage(flow: Int) {
    meet(flow)
    flows[flow].passed += 1
  }

  /// The next copy of this flow whose packets have left.
  @inline(__always)
  mutating func release(flow: Int) -> Int? {
    let head = flows[flow].head
    guard head >= 0, holds[head].target <= flows[flow].passed else { return nil }
    return release(head)
  }

  /// The next hold that has expired at `time`, and the time of its expiry.
  @inline(__always)
  mutating func releaseExpired(until time: Nanoseconds) -> (order: Int, expiry: Nanoseconds)? {
    guard !holds.isEmpty, holds[holds.startIndex].expiry <= time else { return nil }
    let expiry = holds[holds.startIndex].expiry
    return (release(holds.startIndex), expiry)
  }

  /// The time at which the oldest hold expires; nil without holds.
  var nextExpiry: Nanoseconds? { holds.first?.expiry }

  /// Releases the oldest hold.
  mutating func releaseAny() -> Int? { holds.isEmpty ? nil : release(holds.startIndex) }

  private mutating func meet(_ flow: Int) {
    while flows.count <= flow { flows.append(FlowState()) }
  }

  /// Releases the first hold of its flow.
  private mutating func release(_ index: Int) -> Int {
    let hold = holds[index]
    holds[index].isReleased = true
    flows[hold.flow].head = hold.next
    while let first = holds.first, first.isReleased { holds.removeFirst() }
    return hold.order
  }
}

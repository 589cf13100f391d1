import TelecapRecording

/// The next sequence number of each TCP flow that is open.
struct TCPNumbers {
  private var numbers: [Flow: UInt32] = [:]
  private var closed: Set<Flow> = []
  private var initial: UInt32 = 1

  /// The flow has been opened and not closed.
  func isOpen(_ flow: Flow) -> Bool { numbers[flow] != nil }

  /// The number of the flow's next byte; 1 for a flow that was not opened.
  func next(_ flow: Flow) -> UInt32 { numbers[flow] ?? 1 }

  /// Begins anew, with another number than the last time, so that a new connection on the same ports can be told
  /// from a repeated SYN.
  mutating func open(_ flow: Flow) {
    numbers[flow] = initial
    closed.remove(flow)
    initial &+= 64_000
  }

  /// So many numbers have been used.
  mutating func advance(_ flow: Flow, by count: UInt32) { numbers[flow, default: 1] &+= count }

  /// No more data from this side; once neither side has any, both are forgotten.
  mutating func close(_ flow: Flow) {
    closed.insert(flow)
    if closed.contains(flow.reversed) || numbers[flow.reversed] == nil { forget(flow) }
  }

  /// The connection is over.
  mutating func forget(_ flow: Flow) {
    for side in [flow, flow.reversed] {
      numbers[side] = nil
      closed.remove(side)
    }
  }
}

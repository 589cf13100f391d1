import TelecapRecording

/// The next sequence number of each open TCP flow.
struct TCPNumbers {
  private var numbers: [Flow: UInt32] = [:]
  private var closed: Set<Flow> = []
  private var initial: UInt32 = 1

  /// Whether the flow was opened and not closed.
  func isOpen(_ flow: Flow) -> Bool { numbers[flow] != nil }

  /// The number of the flow's next byte; 1 for a flow without an opening.
  func next(_ flow: Flow) -> UInt32 { numbers[flow] ?? 1 }

  /// Opens a connection with another initial number than the last, so that a new connection on the same ports differs
  /// from a repeated SYN.
  mutating func open(_ flow: Flow) {
    numbers[flow] = initial
    closed.remove(flow)
    initial &+= 64_000
  }

  /// Advances the flow's number.
  mutating func advance(_ flow: Flow, by count: UInt32) { numbers[flow, default: 1] &+= count }

  /// Closes this direction; once both are closed, both numbers are removed.
  mutating func close(_ flow: Flow) {
    closed.insert(flow)
    if closed.contains(flow.reversed) || numbers[flow.reversed] == nil { forget(flow) }
  }

  /// Removes the connection.
  mutating func forget(_ flow: Flow) {
    for side in [flow, flow.reversed] {
      numbers[side] = nil
      closed.remove(side)
    }
  }
}

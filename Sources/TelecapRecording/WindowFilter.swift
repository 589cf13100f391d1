/// Selects the packets of a time window while all packets of a recording are read, because packets before the window
/// decide findings about those in it.
public struct WindowFilter: Sendable {
  /// The window.
  public let window: CaptureWindow
  /// The number of packets of the recording so far, in the window or not.
  public private(set) var total = 0
  /// The time of the recording's first packet; nil before it.
  public private(set) var start: Timestamp?
  /// The time from the first packet to the latest, in ns.
  public private(set) var length: Nanoseconds = 0
  private var selection = PacketSelection()
  private var times = SteadyTimes()

  /// A filter that has read no packet.
  public init(_ window: CaptureWindow) { self.window = window }

  /// The number of packets in the window.
  public var count: Int { selection.count }

  /// Reads the next packet of the recording.
  ///
  /// - Returns: whether it is in the window.
  @discardableResult
  public mutating func receive(_ header: PacketHeader) -> Bool {
    let time = times.place(header).header.time
    let start = self.start ?? time
    self.start = start
    total += 1
    length = max(length, time.nanoseconds(since: start))
    guard window.contains(time, since: start) else { return false }
    selection.insert(header.number)
    return true
  }

  /// Whether the packet of this number was read, and is in the window.
  public func contains(_ packet: Int) -> Bool { selection.contains(packet) }
}

import TelecapRecording
import TelecapText

/// What one side of a recording sent, once more through a network: what was sent, what was delivered when, what its receiver
/// applied, and what became of the packets. A saved plan beside a capture is drawn from it, and the page that asks what if.
public struct NetworkRun: Sendable {
  /// Whose network it is and what it does, in words; empty where the page says it itself.
  public var title = ""
  /// The streams of the receiver.
  public private(set) var tracks: [RunTrack]
  /// All packets, when they were sent.
  private(set) var sent: ReducedMarks
  /// What became of them, the worst first.
  private(set) var lanes: [FateLane]
  /// How long each packet was on its way when it arrived, in ms.
  private(set) var delay: TimelineTrack.Curve
  /// The columns that it is drawn in.
  public private(set) var grid: TimeGrid
  /// Of each end that sends the newest packet that arrived.
  private var newest: [Endpoint: Int] = [:]
  private var late: FateLane

  /// Nothing was sent yet of these streams.
  public init(_ streams: [DrawnStream], _ grid: TimeGrid) {
    tracks = streams.map { RunTrack($0, grid) }
    (sent, lanes, late) = (ReducedMarks(grid), [], FateLane(.late, grid))
    delay = TimelineTrack.Curve(name: "delay", unit: "ms", shape: .points, reduced: ReducedCurve(grid), range: nil)
    self.grid = grid
  }

  /// A datagram arrived, which was sent then; again, where a copy of it had arrived before, whose order is what counts.
  public mutating func delivered(
    _ packet: Int, from end: Endpoint, sentAt: Timestamp, at time: Timestamp, isAgain: Bool = false
  ) {
    let way = max(0, time.nanoseconds(since: sentAt))
    delay.add(Double(way) / 1e6, at: time)
    if isAgain { return }
    let before = newest[end] ?? 0
    if packet < before { late.add(packet, at: time) { .late(way) } } else { newest[end] = packet }
  }

  /// Changes the track at this place.
  public mutating func change(_ place: Int, _ body: (inout RunTrack) -> Void) { body(&tracks[place]) }

  /// The run ended, and these were the lines of its plan.
  public mutating func finish(at time: Timestamp, _ fates: PlannedFates) {
    for place in tracks.indices { tracks[place].finish(at: time) }
    sent = fates.sent
    lanes = [fates.lost, late, fates.changed, fates.duplicated]
    newest = [:]
  }

  /// The same in other columns.
  public func reduced(to grid: TimeGrid) -> NetworkRun {
    let map = GridMap(from: self.grid, to: grid)
    var result = self
    result.tracks = tracks.map { $0.reduced(by: map) }
    result.sent = sent.reduced(to: grid)
    result.lanes = lanes.map { $0.reduced(to: grid) }
    result.delay = delay.reduced(by: map)
    result.grid = grid
    return result
  }
}

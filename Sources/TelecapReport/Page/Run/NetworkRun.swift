import TelecapRecording
import TelecapText

/// The packets of one side of a recording, sent again through a network: the sent, delivered and applied values, and the
/// fates of the packets. Saved plans and the what-if page are drawn from it.
public struct NetworkRun: Sendable {
  /// The network and its impairments, in words; empty if the page has them already.
  public var title = ""
  /// The streams of the receiver.
  public private(set) var tracks: [RunTrack]
  /// All packets, when they were sent.
  private(set) var sent: ReducedMarks
  /// The fates of the packets, the worst first.
  private(set) var lanes: [FateLane]
  /// How long each packet was on its way when it arrived, in ms.
  private(set) var delay: TimelineTrack.Curve
  /// The columns that it is drawn in.
  public private(set) var grid: TimeGrid
  /// Of each end that sends the newest packet that arrived.
  private var newest: [Endpoint: Int] = [:]
  private var reordered: FateLane

  /// Nothing was sent yet of these streams.
  public init(_ streams: [DrawnStream], _ grid: TimeGrid) {
    tracks = streams.map { RunTrack($0, grid) }
    (sent, lanes, reordered) = (ReducedMarks(grid), [], FateLane(.reordered, grid))
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
    if packet < before { reordered.add(packet, at: time) { .reordered(way) } } else { newest[end] = packet }
  }

  /// Changes the track at this place.
  public mutating func change(_ place: Int, _ body: (inout RunTrack) -> Void) { body(&tracks[place]) }

  /// The run ended, and these were the lines of its plan.
  public mutating func finish(at time: Timestamp, _ fates: PlannedFates) {
    for place in tracks.indices { tracks[place].finish(at: time) }
    sent = fates.sent
    lanes = [fates.lost, reordered, fates.changed, fates.duplicated]
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

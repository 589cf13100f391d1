import TelecapImpairment
import TelecapRecording
import TelecapText

/// The state of a relay for its page.
public struct RelayPicture: Sendable {
  /// One way of a route.
  public struct Way: Sendable {
    /// Its name: `to the server`.
    public var name: String
    /// The counts, by name.
    public var numbers: [(name: String, value: Int)]
    /// The result of each impairment.
    public var lines: [String]

    /// A way of these numbers.
    public init(name: String, numbers: [(name: String, value: Int)], lines: [String]) {
      (self.name, self.numbers, self.lines) = (name, numbers, lines)
    }
  }

  /// A route.
  public struct Route: Sendable {
    /// Where it listens and where it passes on to.
    public var name: String
    /// Its ways.
    public var ways: [Way]

    /// A route of these ways.
    public init(name: String, ways: [Way]) { (self.name, self.ways) = (name, ways) }
  }

  /// How many datagrams came and were passed on by a moment, each way, over all routes.
  public struct Sample: Sendable {
    /// When, since the relay began.
    public var time: Timestamp
    /// To the server.
    public var up: (came: Int, passed: Int)
    /// Back.
    public var down: (came: Int, passed: Int)

    /// So many by then.
    public init(time: Timestamp, up: (came: Int, passed: Int), down: (came: Int, passed: Int)) {
      (self.time, self.up, self.down) = (time, up, down)
    }
  }

  /// The routes.
  public var routes: [Route]
  /// The latest moments, from old to new.
  public var history: [Sample]

  /// A relay of these routes.
  public init(_ routes: [Route], history: [Sample]) { (self.routes, self.history) = (routes, history) }

  /// Received and forwarded datagrams per second, a panel for each direction.
  var panels: (plots: [PlotPanel], from: Double, until: Double) {
    guard let first = history.first, let last = history.last, history.count > 1 else { return ([], 0, 1) }
    let grid = TimeGrid(
      start: first.time, length: max(1_000_000, last.time.nanoseconds(since: first.time)), columns: history.count)
    func plot(_ name: String, _ counts: (Sample) -> (came: Int, passed: Int)) -> PlotPanel {
      var came = RelayPicture.curve("came", grid)
      var passed = RelayPicture.curve("passed on", grid)
      for (old, new) in zip(history, history.dropFirst()) {
        let seconds = Double(new.time.nanoseconds(since: old.time)) / 1e9
        guard seconds > 0 else { continue }
        came.add(Double(counts(new).came - counts(old).came) / seconds, at: new.time)
        passed.add(Double(counts(new).passed - counts(old).passed) / seconds, at: new.time)
      }
      return PlotPanel(name, about: "datagrams a second", unit: "/s", [passed, came])
    }
    return (
      [plot("to the server", \.up), plot("back to the clients", \.down)], Double(first.time.nanoseconds) / 1e9,
      Double(last.time.nanoseconds) / 1e9
    )
  }

  private static func curve(_ name: String, _ grid: TimeGrid) -> TimelineTrack.Curve {
    TimelineTrack.Curve(name: name, unit: "/s", shape: .step, reduced: ReducedCurve(grid), range: nil)
  }
}

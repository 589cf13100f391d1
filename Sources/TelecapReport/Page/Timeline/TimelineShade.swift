import TelecapRecording

/// A part of the time that stands out, as a template takes it: shaded behind everything that is drawn.
struct TimelineShade {
  /// What was missing, in a row of its own below "What stands out".
  struct Bar {
    /// In pixels from above.
    let y: Int
    /// In per cent of the width.
    let at: String
    let width: String
    /// Empty where it would not fit.
    let text: String
  }

  /// In per cent of the width.
  let at: String
  let width: String
  let kind: String
  let title: String
  /// Goes to its beginning, with something before and behind it.
  let link: String
  let bars: [Bar]

  /// Those of the incidents that lie in what is shown.
  static func all(_ incidents: [Incident], in grid: TimeGrid, since start: Timestamp, _ links: PageLinks) -> [Self] {
    incidents.filter { $0.from <= grid.end && $0.until >= grid.start }.prefix(most).map { incident in
      let (at, width) = place(incident.from, incident.until, grid)
      return TimelineShade(
        at: PlotCurve.place(at), width: PlotCurve.place(width), kind: incident.kind,
        title: "\(incident.kind): \(incident.words(since: start))", link: incident.link(since: start, links),
        bars: bars(incident, grid))
    }
  }

  /// The height of the rows of bars, in pixels.
  static func height(_ shades: [TimelineShade]) -> Int { 18 * (shades.map(\.bars.count).max() ?? 0) }

  private static func bars(_ incident: Incident, _ grid: TimeGrid) -> [Bar] {
    let shown = incident.missing.filter { $0.from <= grid.end && $0.until >= grid.start }
    return shown.prefix(mostRows).enumerated().map { row, missing in
      let (at, width) = place(missing.from, missing.until, grid)
      return Bar(
        y: 18 * row + 2, at: PlotCurve.place(at), width: PlotCurve.place(width),
        text: width > 10 ? missing.words : "")
    }
  }

  /// Where a time begins and how long it is, in per cent of what is shown.
  private static func place(_ from: Timestamp, _ until: Timestamp, _ grid: TimeGrid) -> (at: Double, width: Double) {
    let at = share(max(from, grid.start), grid)
    return (at, max(0.2, share(min(until, grid.end), grid) - at))
  }

  /// More would hide what they are to show.
  private static let most = 50
  private static let mostRows = 4

  private static func share(_ time: Timestamp, _ grid: TimeGrid) -> Double {
    Double(time.nanoseconds(since: grid.start)) / Double(grid.length) * 100
  }
}

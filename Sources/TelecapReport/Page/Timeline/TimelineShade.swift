import TelecapRecording

/// A part of the time that stands out, as a template takes it: shaded behind everything that is drawn.
struct TimelineShade {
  /// In per cent of the width.
  let at: String
  let width: String
  let kind: String
  let title: String
  /// Goes to its beginning, with something before and behind it.
  let link: String

  /// Those of the incidents that lie in what is shown.
  static func all(_ incidents: [Incident], in grid: TimeGrid, since start: Timestamp, _ links: PageLinks) -> [Self] {
    incidents.filter { $0.from <= grid.end && $0.until >= grid.start }.prefix(most).map { incident in
      let from = share(max(incident.from, grid.start), grid)
      let until = share(min(incident.until, grid.end), grid)
      return TimelineShade(
        at: PlotCurve.place(from), width: PlotCurve.place(max(0.2, until - from)), kind: incident.kind,
        title: "\(incident.kind): \(incident.words(since: start))", link: incident.link(since: start, links))
    }
  }

  /// More would hide what they are to show.
  private static let most = 50

  private static func share(_ time: Timestamp, _ grid: TimeGrid) -> Double {
    Double(time.nanoseconds(since: grid.start)) / Double(grid.length) * 100
  }
}

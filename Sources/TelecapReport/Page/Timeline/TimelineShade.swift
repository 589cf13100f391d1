import TelecapRecording
import TelecapWire

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
  /// The session that it is of, and its protocol; nil where it is of none.
  let session: Int?
  let owner: String?

  /// The worst of the incidents that lie in what is shown, and how many lie there in all.
  static func all(
    _ incidents: [Incident], in grid: TimeGrid, since start: Timestamp, _ links: PageLinks
  ) -> (shades: [Self], count: Int) {
    var rows = Rows()
    let shown = incidents.filter { $0.from <= grid.end && $0.until >= grid.start }
    let shades = Incident.split(shown, most: most).worst.map { incident in
      let (at, width) = place(incident.from, incident.until, grid)
      let count = incident.missing.filter { $0.from <= grid.end && $0.until >= grid.start }.prefix(mostRows).count
      let row = rows.take(count, from: at, until: at + width)
      return TimelineShade(
        at: PlotCurve.place(at), width: PlotCurve.place(width), kind: incident.kind,
        title: "\(incident.badge): \(incident.words(since: start))", link: incident.link(since: start, links),
        bars: bars(incident, grid, from: row), session: incident.session?.id, owner: incident.owner?.name)
    }
    return (shades, shown.count)
  }

  /// Whether it is about what a picture shows of a session; 0 for what belongs to none.
  func isOf(_ owner: String, session: Int) -> Bool {
    self.owner == nil || self.owner == owner && (self.session ?? 0) == session
  }

  /// Which rows are taken from where to where: what overlaps in time stands in rows of its own.
  struct Rows {
    private var taken: [[ClosedRange<Double>]] = []

    /// The first of so many rows that are free there, which are taken then.
    mutating func take(_ count: Int, from: Double, until: Double) -> Int {
      let span = from...max(from, until)
      let first = (0...taken.count).first { row in
        taken[row..<min(taken.count, row + count)].allSatisfy { !$0.contains { $0.overlaps(span) } }
      }
      let row = first ?? taken.count
      while taken.count < row + count { taken.append([]) }
      for place in row..<row + count { taken[place].append(span) }
      return row
    }
  }

  /// The height of the rows of bars, in pixels.
  static func height(_ shades: [TimelineShade]) -> Int { (shades.flatMap(\.bars).map(\.y).max() ?? -16) + 16 }

  private static func bars(_ incident: Incident, _ grid: TimeGrid, from first: Int) -> [Bar] {
    let shown = incident.missing.filter { $0.from <= grid.end && $0.until >= grid.start }
    return shown.prefix(mostRows).enumerated().map { row, missing in
      let (at, width) = place(missing.from, missing.until, grid)
      return Bar(
        y: 18 * (first + row) + 2, at: PlotCurve.place(at), width: PlotCurve.place(width),
        text: width > 10 ? incident.short(missing) : "")
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

import TelecapRecording
import TelecapWire

/// A time span of an issue for a template: shaded in the background of the drawing.
struct TimelineShade {
  /// A missing stream, in a row of its own below the heading of the issue list.
  struct Bar {
    /// In pixels from above.
    let y: Int
    /// In per cent of the width.
    let at: String
    let width: String
    /// Empty where there is no room for it.
    let text: String
    /// The position of text that does not fit into the bar; nil for text within it.
    let beside: Beside?

    struct Beside {
      /// In pixels from above.
      let y: Double
      /// In per cent of the width.
      let at: String
      /// In pixels, from there.
      let apart: Int
      let anchor: String
      let text: String
    }
  }

  /// In per cent of the width.
  let at: String
  let width: String
  let kind: String
  let title: String
  /// A link to its beginning, with some time before and after it.
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
      let labels = labels(incident, grid, areFew: shown.count <= few)
      let (first, last) = (labels.map(\.from).min() ?? at, labels.map(\.until).max() ?? at + width)
      let row = rows.take(labels.count, from: first, until: last)
      return TimelineShade(
        at: PlotCurve.place(at), width: PlotCurve.place(width), kind: incident.kind,
        title: "\(incident.badge): \(incident.words(since: start))", link: incident.link(since: start, links),
        bars: labels.enumerated().map { $1.bar(inRow: row + $0) }, session: incident.session?.id,
        owner: incident.owner?.name)
    }
    return (shades, shown.count)
  }

  /// Whether it is about what a picture shows of a session; 0 for what belongs to none.
  func isOf(_ owner: String, session: Int) -> Bool {
    self.owner == nil || self.owner == owner && (self.session ?? 0) == session
  }

  /// The occupied spans of the rows: bars that overlap in time have rows of their own.
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

  /// A bar with its words, in per cent of the width.
  private struct Label {
    let at: Double
    let width: Double
    var text: String
    /// The position of words next to the bar; nil if they fit into it.
    var beside: (at: Double, anchor: String)?
    /// The span of the bar and its words.
    var (from, until) = (0.0, 0.0)

    /// Words that do not fit into the bar are after it or before it, if allowed.
    init(_ text: String, at: Double, width: Double, mayBeBeside: Bool) {
      (self.at, self.width, self.text) = (at, width, text)
      (from, until) = (at, at + width)
      // About 6.6 pixels for a letter, on 1,180.
      let needed = Double(text.count) * 0.56 + 1
      if width >= needed { return }
      if mayBeBeside, until + needed <= 100 {
        beside = (until, "start")
        until += needed
      } else if mayBeBeside, from >= needed {
        beside = (from, "end")
        from -= needed
      } else {
        self.text = ""
      }
    }

    func bar(inRow row: Int) -> Bar {
      let y = 18 * row + 2
      return Bar(
        y: y, at: PlotCurve.place(at), width: PlotCurve.place(width), text: beside == nil ? text : "",
        beside: beside.map {
          Bar.Beside(
            y: Double(y) + 11.5, at: PlotCurve.place($0.at), apart: $0.anchor == "end" ? -5 : 5, anchor: $0.anchor,
            text: text)
        })
    }
  }

  private static func labels(_ incident: Incident, _ grid: TimeGrid, areFew: Bool) -> [Label] {
    incident.missing.filter { $0.from <= grid.end && $0.until >= grid.start }.prefix(mostRows).map { missing in
      let (at, width) = place(missing.from, missing.until, grid)
      return Label(incident.short(missing), at: at, width: width, mayBeBeside: areFew)
    }
  }

  /// Where a time begins and how long it is, in per cent of what is shown.
  private static func place(_ from: Timestamp, _ until: Timestamp, _ grid: TimeGrid) -> (at: Double, width: Double) {
    let at = share(max(from, grid.start), grid)
    return (at, max(0.2, share(min(until, grid.end), grid) - at))
  }

  /// More would hide what they are to show.
  private static let most = 50
  /// The maximum number of bars with words next to them; more would fill the page.
  private static let few = 8
  private static let mostRows = 4

  private static func share(_ time: Timestamp, _ grid: TimeGrid) -> Double {
    Double(time.nanoseconds(since: grid.start)) / Double(grid.length) * 100
  }
}

import TelecapRecording
import TelecapText
import TelecapWire

/// A timeline as a template takes it.
struct TimelineView {
  /// A panel with the place that a link goes to.
  struct Panel {
    let id: String
    let plot: PlotPanel
    let ticks: [TimeTick]
    /// Messages that were lost, reordered or came again: in the first panel of a stream.
    let marks: [Marks]
    /// A picture, or a group where there are links in it.
    let role: String
    /// The issues in the shown time.
    let shades: [TimelineShade]

    init(id: String, plot: PlotPanel, ticks: [TimeTick], marks: [Marks] = [], shades: [TimelineShade] = []) {
      (self.id, self.plot, self.ticks, self.marks, self.shades) = (id, plot, ticks, marks, shades)
      role = marks.isEmpty ? "img" : "group"
    }
  }

  /// Marks of one kind, with what they are.
  struct Marks {
    let kind: String
    let total: String
    let shape: String
    let marks: [Mark]
  }

  /// A tick of the time, at so many per cent.
  struct TimeTick {
    let at: String
    let text: String
    /// Left out on a narrow screen.
    let isMinor: Bool
    let anchor: String
  }

  /// Marks in a row: what happened, by columns.
  struct Lane {
    let id: String
    let name: String
    let total: String
    /// The description of the lane for screen readers.
    let label: String
    let about: String
    let kind: String
    /// The shape that is explained next to its name; nil without one.
    let key: String?
    let marks: [Mark]
    let ticks: [TimeTick]
    /// The counts of its columns as JSON, for the one under the cursor.
    let data: String
  }

  struct Mark {
    let at: String
    let shape: String
    let title: String
    let link: String?
  }

  /// A type's messages by columns, as one path.
  struct Density {
    let name: String
    let total: String
    let about: String
    let path: String
    let ticks: [TimeTick]
    let data: String
  }

  /// The effects of networks on the sent packets.
  let runs: [NetworkRunView]
  let densities: [Density]
  let findings: [Lane]
  let panels: [Panel]
  /// Those of less busy streams, where there are many.
  let folded: [Panel]
  /// How many streams these are of; nil where there are none.
  let foldedWords: String?
  /// The issues, shaded in the background.
  let shades: [TimelineShade]
  let ticks: [TimeTick]
  /// Notes on reduced and left out data.
  let notes: [String]
  /// Those of its words that need to be explained.
  let words: [Glossary.Term]
  /// The part that is shown, in words.
  let span: String
  /// The part that is shown, in seconds since the start of the recording.
  let from: String
  let until: String
  let isEmpty: Bool
  let hasShades: Bool
  /// How many of it are drawn, where that is not all.
  let shadeWords: String
  /// The height of the rows of the issue list, in pixels.
  let shadeHeight: Int

  /// The maximum number of marks in a row, so that they can be distinguished.
  private static let markColumns = 160
  private static let densityColumns = 400
  private static let fewestDensityColumns = 50
  /// So many messages in a column make one more or less a small part of its height.
  private static let perColumn = 12
  /// Of more streams only so many of the busiest are open.
  private static let mostOpen = 10
  private static let busiest = 6

  /// The picture of a part of a capture's time.
  init(_ timeline: CaptureTimeline, of picture: CapturePicture, _ links: PageLinks) {
    let (grid, start, link) = (timeline.grid, picture.start, links.packet)
    let low = Double(grid.start.nanoseconds(since: start)) / 1e9
    let high = Double(grid.end.nanoseconds(since: start)) / 1e9
    let ticks = TimelineView.ticks(low...max(high, low + 1e-9))
    let (few, dense) = (TimelineView.few(grid), TimelineView.dense(grid))
    runs = timeline.runs.enumerated().map { NetworkRunView($1, $0, ticks, since: start, link) }
    densities = timeline.types.filter { $0.marks.count > 0 }.map { lane in
      TimelineView.density(
        "\(lane.owner.printable) \(lane.name.printable)", lane.marks, in: grid, ticks,
        about: lane.direction == .unknown ? "" : lane.direction.name)
    }
    findings = timeline.findings.enumerated().filter { $1.marks.count > 0 }.map { place, lane in
      Lane(
        id: "lane-\(place)", name: lane.rule, total: Numbers.grouped(lane.marks.count),
        label: "\(lane.severity.name) \(lane.rule): \(Incident.times(lane.marks.count))",
        about: lane.severity.name, kind: lane.severity.name, key: nil,
        marks: TimelineView.marks(lane.marks.reduced(to: few), lane.severity.shape, start, link), ticks: ticks,
        data: PlotData.counts(lane.marks.reduced(to: dense)))
    }
    let (shades, count) = TimelineShade.all(picture.incidents, in: grid, since: start, links)
    var (panels, folded, foldedTracks) = ([Panel](), [Panel](), 0)
    let tracks = timeline.tracks.filter { $0.values.contains { $0.reduced.count > 0 } }
    let open = TimelineView.open(tracks)
    for track in tracks {
      var marks = TimelineView.losses(of: track, few, start, link)
      if !open.contains(track.id) { foldedTracks += 1 }
      for plot in track.panels(showing: track.title) {
        let own = shades.filter { $0.isOf(track.id.owner, session: track.id.session) }
        let id = "panel-\(panels.count + folded.count)"
        let panel = Panel(id: id, plot: plot, ticks: ticks, marks: marks, shades: own)
        if open.contains(track.id) { panels.append(panel) } else { folded.append(panel) }
        marks = []
      }
    }
    for trips in timeline.roundTrips where trips.curve.reduced.count > 0 {
      let name = "\(trips.owner.printable) \(trips.ask.printable)–\(trips.answer.printable)"
      let plot = PlotPanel(name, about: "round trips", term: Glossary.roundTrips, unit: "ms", height: 90, [trips.curve])
      let own = shades.filter { $0.owner == nil || $0.owner == trips.owner }
      panels.append(Panel(id: "panel-\(panels.count + folded.count)", plot: plot, ticks: ticks, shades: own))
    }
    (self.panels, self.folded) = (panels, folded)
    let streams = foldedTracks == 1 ? "1 further stream" : "\(foldedTracks) further streams"
    foldedWords = folded.isEmpty ? nil : "\(streams), with fewer messages"
    self.ticks = ticks
    self.shades = shades
    span = "\(Numbers.fixed(low, 3)) … \(Numbers.fixed(high, 3)) s"
    (from, until) = ("\(low)", "\(high)")
    hasShades = !shades.isEmpty
    shadeWords =
      count > shades.count
      ? "the worst \(shades.count) of \(Numbers.grouped(count)), shaded below: zoom in to see the others"
      : "shaded below"
    shadeHeight = TimelineShade.height(shades)
    isEmpty = densities.isEmpty && panels.isEmpty && folded.isEmpty && runs.isEmpty
    notes = TimelineView.notes(timeline, grid)
    words = TimelineView.words(of: panels + folded, runs)
  }

  /// Panels alone, or what a network did.
  init(_ runs: [NetworkRunView] = [], panels: [Panel] = [], ticks: [TimeTick], from: Double, until: Double) {
    (densities, findings, shades, notes) = ([], [], [], [])
    (self.runs, self.panels, self.ticks) = (runs, panels, ticks)
    (folded, foldedWords) = ([], nil)
    span = "\(Numbers.fixed(from, 3)) … \(Numbers.fixed(until, 3)) s"
    (self.from, self.until) = ("\(from)", "\(until)")
    (hasShades, shadeWords, shadeHeight) = (false, "", 0)
    isEmpty = runs.isEmpty && panels.isEmpty
    words = TimelineView.words(of: panels, runs)
  }

  /// The meanings of the words of these panels and runs, each once.
  private static func words(of panels: [Panel], _ runs: [NetworkRunView]) -> [Glossary.Term] {
    let terms = panels.compactMap(\.plot.term)
    let marks = panels.flatMap(\.marks).map(\.kind).compactMap { kind in
      Glossary.marks[kind].map { Glossary.Term(word: kind, meaning: $0) }
    }
    let all = terms + marks + (runs.isEmpty ? [] : Glossary.run)
    return all.reduce(into: []) { words, term in if !words.contains(term) { words.append(term) } }
  }

  /// The streams whose panels are open: all of a few, of more the busiest.
  private static func open(_ tracks: [TimelineTrack]) -> Set<TimelineTrack.Identity> {
    guard tracks.count > mostOpen else { return Set(tracks.map(\.id)) }
    return Set(tracks.sorted { $0.count > $1.count }.prefix(busiest).map(\.id))
  }

  /// Only from when to when it reaches.
  init(boundsOf grid: TimeGrid, since start: Timestamp) {
    self.init(
      ticks: [], from: Double(grid.start.nanoseconds(since: start)) / 1e9,
      until: Double(grid.end.nanoseconds(since: start)) / 1e9)
  }

  private static func notes(_ timeline: CaptureTimeline, _ grid: TimeGrid) -> [String] {
    let points = timeline.tracks.flatMap { ($0.values + [$0.age, $0.delay].compactMap(\.self)) }
      .reduce(0) { $0 + $1.reduced.count }
    var notes: [String] = []
    if points > 0 {
      notes.append(
        "\(Numbers.grouped(points)) points in \(Numbers.grouped(grid.columns)) columns: each column keeps its first, last, "
          + "least and greatest value, so no peak is lost.")
    }
    if !timeline.leftOut.isEmpty {
      let more = timeline.leftOut.count >= 1_000 ? "more than " : ""
      notes.append(
        "\(more)\(Numbers.grouped(timeline.leftOut.count)) further streams are not drawn: "
          + "\(timeline.tracks.count) are, those of the busiest sessions.")
    }
    return notes
  }

  /// The lost, reordered and repeated messages of a stream by its numbers, and those with NaN.
  private static func losses(
    of track: TimelineTrack, _ few: TimeGrid, _ start: Timestamp, _ link: (Int) -> String?
  ) -> [Marks] {
    [
      ("lost", track.lost, track.lostCount, PacketFate.Kind.lost.shape),
      ("reordered", track.reordered, track.reordered.count, PacketFate.Kind.reordered.shape),
      ("duplicate", track.repeated, track.repeated.count, PacketFate.Kind.duplicated.shape),
      ("non-finite", track.withoutNumber, track.withoutNumber.count, "M-5 -2h10m0 4h-10"),
    ].filter { $0.1.count > 0 }.map { name, all, total, shape in
      Marks(
        kind: name, total: Numbers.grouped(total), shape: shape,
        marks: marks(all.reduced(to: few), shape, start, link))
    }
  }

  static func ticks(_ range: ClosedRange<Double>) -> [TimeTick] {
    let axis = Axis(range, onto: 0...100, ticks: 8, step: 1e-6)
    return axis.ticks.enumerated().map { index, tick in
      let at = axis.place(tick)
      return TimeTick(
        at: PlotCurve.place(at), text: "\(PlotCurve.short(tick)) s", isMinor: !index.isMultiple(of: 2),
        anchor: at > 95 ? "end" : at < 3 ? "start" : "middle")
    }
  }

  private static func marks(
    _ marks: ReducedMarks, _ shape: String, _ start: Timestamp, _ link: (Int) -> String?
  ) -> [Mark] {
    TimelineView.marks(marks, shape, link) { mark in
      let count = mark.count > 1 ? "\(Numbers.grouped(mark.count)) from " : ""
      return "\(count)packet \(mark.packet), \(Incident.seconds(mark.time, start))"
    }
  }

  /// A mark for each column in which something happened, with what it says.
  static func marks(
    _ marks: ReducedMarks, _ shape: String, _ link: (Int) -> String?, _ words: (ReducedMarks.Mark) -> String
  ) -> [Mark] {
    marks.sorted.map { column, mark in
      Mark(
        at: PlotCurve.place((Double(column) + 0.5) / Double(marks.grid.columns) * 100), shape: shape,
        title: words(mark), link: link(mark.packet))
    }
  }

  /// The columns of marks in a row.
  static func few(_ grid: TimeGrid) -> TimeGrid {
    TimeGrid(start: grid.start, length: grid.length, columns: min(grid.columns, markColumns))
  }

  /// The columns of what is counted.
  static func dense(_ grid: TimeGrid) -> TimeGrid {
    TimeGrid(start: grid.start, length: grid.length, columns: min(grid.columns, densityColumns))
  }

  /// As many columns as messages can be counted in: with a few in each, whether one more falls into a column or the next would
  /// draw a pattern of its own over a steady stream. Where all are told apart each has its own.
  private static func columns(_ marks: ReducedMarks, in grid: TimeGrid) -> TimeGrid {
    let most = marks.grid.columns
    let isApart = marks.count <= most / 4
    let columns = isApart ? most : max(Self.fewestDensityColumns, min(most, marks.count / Self.perColumn))
    return TimeGrid(start: grid.start, length: grid.length, columns: min(most, columns))
  }

  /// - Parameter words: the text of a column under the cursor; nil for the number of its marks.
  static func density(
    _ name: String, _ all: ReducedMarks, in grid: TimeGrid, _ ticks: [TimeTick], about: String = "",
    words: ((ReducedMarks.Mark) -> String)? = nil
  ) -> Density {
    let marks = all.reduced(to: TimelineView.columns(all.reduced(to: dense(grid)), in: grid))
    let scale = PlotCurve.width / Double(marks.grid.columns)
    let most = Double(max(1, marks.most))
    var path = ""
    for (column, mark) in marks.sorted {
      let height = max(8, 70 * Double(mark.count) / most)
      path +=
        "M\(PlotCurve.place(Double(column) * scale)) 100v-\(PlotCurve.place(height))h\(PlotCurve.place(scale))V100"
    }
    return Density(
      name: name, total: Numbers.grouped(marks.count), about: about, path: path, ticks: ticks,
      data: words.map { PlotData.words(marks, $0) } ?? PlotData.counts(marks))
  }
}

extension TimelineTrack {
  /// Its name: the stream's, with the key that identifies it.
  fileprivate var title: String {
    let session = id.session > 0 ? ", session \(id.session)" : ""
    return "\(id.owner.printable) \(id.name.printable)\(session)"
  }
}

extension Severity {
  /// The shape of its marks: severities are told apart without colour too.
  var shape: String {
    switch self {
    case .error: "M-4 -4l8 8m0 -8l-8 8"
    case .warning: "M0 -5l5 9h-10z"
    case .note: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
    }
  }
}

import TelecapRecording
import TelecapText

/// The effects of a network for a template: the counts and times of lost, delayed, changed and duplicated packets,
/// and the values that were sent, delivered and applied.
struct NetworkRunView {
  /// How often one thing became of a packet.
  struct Count {
    let kind: String
    let total: String
    let shape: String
  }

  /// Nil if the page has it already.
  let title: String?
  let counts: [Count]
  let densities: [TimelineView.Density]
  let lanes: [TimelineView.Lane]
  let panels: [TimelineView.Panel]

  /// - Parameters:
  ///   - place: its number on the page.
  ///   - start: the origin of the shown times.
  init(
    _ run: NetworkRun, _ place: Int, _ ticks: [TimelineView.TimeTick], since start: Timestamp,
    _ link: (Int) -> String? = { _ in nil }
  ) {
    title = run.title.isEmpty ? nil : run.title
    counts = run.lanes.map { lane in
      Count(kind: lane.kind.rawValue, total: Numbers.grouped(lane.marks.count), shape: lane.kind.shape)
    }
    let few = TimelineView.few(run.grid)
    densities =
      run.sent.count == 0
      ? []
      : [
        TimelineView.density("packets sent", run.sent, in: run.grid, ticks) { mark in
          "packet \(Numbers.grouped(mark.packet))"
            + (mark.count > 1 ? " and \(Numbers.grouped(mark.count - 1)) more" : "")
        }
      ]
    lanes = run.lanes.filter { $0.marks.count > 0 }.map { lane in
      let marks = lane.marks.reduced(to: few)
      return TimelineView.Lane(
        id: "run-\(place)-\(lane.kind.rawValue)", name: lane.kind.rawValue, total: Numbers.grouped(lane.marks.count),
        label: "\(lane.kind.rawValue), \(lane.kind.meaning): \(Incident.times(lane.marks.count))",
        about: lane.kind.meaning, kind: lane.kind.rawValue, key: lane.kind.shape,
        marks: TimelineView.marks(marks, lane.kind.shape, link) { mark in
          "\(lane.words(mark)), \(Incident.seconds(mark.time, start))"
        }, ticks: ticks, data: PlotData.words(marks) { lane.words($0) })
    }
    var plots = run.tracks.flatMap(\.panels)
    if let longest = run.delay.reduced.range?.upperBound, longest > 0 {
      plots.append(
        PlotPanel("delay in the network", about: "of each packet, when it arrived", unit: "ms", height: 90, [run.delay])
      )
    }
    panels = plots.enumerated().map { TimelineView.Panel(id: "run-\(place)-panel-\($0)", plot: $1, ticks: ticks) }
  }
}

import TelecapRecording
import TelecapText

/// A timeline as a picture in SVG: the values as marks and a line over time, and every message in a lane below.
struct TimelineChart {
  private static let width = 900.0
  private static let left = 64.0
  private static let right = 16.0
  private static let top = 12.0
  private static let plotHeight = 190.0
  private static let laneHeight = 20.0
  /// Half a point of the width is a column: finer is not seen.
  private static let columns = 2 * Int(width - left - right)

  private let timeline: RunTimeline
  /// Whether each mark says what it is.
  private let isTold: Bool
  private let time: Axis
  /// The values that were sent, delivered and applied, as in every picture of a network; nil where there are none.
  private let curves: [TimelineTrack.Curve]
  private let value: Axis
  private let lanesTop: Double
  private let height: Double

  /// The picture with the words that explain it.
  ///
  /// - Parameter isTold: each mark says what it is, which is most of a page where many pictures are folded.
  static func figure(_ timeline: RunTimeline, isTold: Bool = true) -> Element {
    let chart = TimelineChart(timeline, isTold: isTold)
    return Element("figure") {
      $0.add(chart.legend)
      $0.add(Element.scrolling("Picture of the run") { $0.add(chart.picture) })
      if let near = timeline.aroundFirstBreach {
        $0.add(Element("figcaption", text: "Around the first time that it was broken"))
        $0.add(Element.scrolling("Picture around the breach") { $0.add(TimelineChart(near).picture) })
      }
    }
  }

  private init(_ timeline: RunTimeline, isTold: Bool = true) {
    (self.timeline, self.isTold) = (timeline, isTold)
    time = Axis(
      Double(timeline.start)...max(Double(timeline.start) + 1, Double(timeline.end)),
      onto: Self.left...(Self.width - Self.right), ticks: 8, step: 1_000_000)
    curves = TimelineChart.curves(of: timeline)
    value = PlotCurve.axis(of: curves, ticks: 5, step: timeline.scale.isWhole ? 1 : 0.05)
    lanesTop = Self.top + (curves.isEmpty ? 0 : Self.plotHeight + 14)
    height = lanesTop + Double(timeline.lanes.count) * Self.laneHeight + 26
  }

  private static func curves(of timeline: RunTimeline) -> [TimelineTrack.Curve] {
    let start = Timestamp(nanoseconds: timeline.start)
    let grid = TimeGrid(start...Timestamp(nanoseconds: max(timeline.start, timeline.end)), columns: columns)
    let all: [(String, TimelineTrack.Shape, [RunTimeline.Point])] = [
      ("sent", .step, timeline.sent), ("delivered", .points, timeline.delivered), ("applied", .step, timeline.applied),
    ]
    return all.map { name, shape, points in
      var curve = TimelineTrack.Curve(
        name: name, unit: "", shape: shape, reduced: ReducedCurve(grid), range: timeline.scale.range)
      // The last value that was applied holds until the end.
      (curve.look, curve.goesOn) = (name, name == "applied")
      for point in points where !point.value.isNaN {
        // An infinite value lies at the edge.
        curve.add(max(-1e12, min(1e12, point.value)), at: Timestamp(nanoseconds: point.time))
      }
      return curve
    }.filter { $0.reduced.count > 0 }
  }

  private var picture: Element {
    let counts = timeline.lanes.map { "\($0.marks.count) \($0.name)" }.joined(separator: ", ")
    let label = "Timeline of \(counts)" + (timeline.leftOut > 0 ? ", and \(timeline.leftOut) that are not drawn" : "")
    let box = "0 0 \(Self.width) \(height)"
    return Element("svg", ["class": "run", "viewBox": box, "role": "img", "aria-label": label]) { svg in
      drawTimes(&svg)
      if !curves.isEmpty { drawValues(&svg) }
      for (index, lane) in timeline.lanes.enumerated() { drawLane(index, lane.name, lane.marks, &svg) }
      for breach in timeline.breaches {
        let x = time.place(Double(breach))
        svg.add(line("breach", x, Self.top, x, height - 22))
      }
    }
  }

  private var legend: Element {
    Element("figcaption") { caption in
      caption.add(
        Element("ul", ["class": "legend"]) { list in
          for (index, curve) in curves.enumerated() {
            let drawn = PlotCurve(curve, index, value)
            let beyond = drawn.beyond.map { ", \($0) what is drawn: \(drawn.span)" } ?? ""
            list.add(entry(curve.name + beyond, 26, curve.name, "M1 5h24"))
          }
          for fate in PacketFate.Kind.allCases {
            let count = timeline.lanes.reduce(0) { $0 + $1.marks.count { $0.fate == fate } }
            let words = "\(Numbers.grouped(count)) \(fate.rawValue)"
            if count > 0 { list.add(entry(words, 12, fate.rawValue, fate.shape)) }
          }
          if !timeline.breaches.isEmpty { list.add(entry("requirement broken", 12, "breach", "M0 -5v10")) }
        })
      guard !curves.isEmpty else { return }
      caption.text(" ")
      caption.add(Element("span", ["class": "soft"], text: "\(timeline.scale.axis) over seconds"))
    }
  }

  /// A line or a mark with what it is; the place of a mark is its middle.
  private func entry(_ words: String, _ width: Int, _ name: String, _ path: String) -> Element {
    let isLine = width > 12
    return Element("li") { item in
      item.add(
        Element(
          "svg",
          [
            "class": isLine ? "key" : "key mark \(name)", "width": "\(width)", "height": isLine ? "10" : "12",
            "aria-hidden": "true",
          ]
        ) {
          let shape = isLine ? ["class": name, "d": path] : ["transform": "translate(6 6)", "d": path]
          $0.add(Element("path", shape))
        })
      item.text(" \(words)")
    }
  }

  private func drawTimes(_ svg: inout Element) {
    let bottom = height - 22
    for tick in time.ticks {
      let x = time.place(tick)
      svg.add(line("grid", x, Self.top, x, bottom))
      svg.add(label(Axis.text(tick / 1e9), x, bottom + 15, anchor: "middle"))
    }
  }

  private func drawValues(_ svg: inout Element) {
    for tick in value.ticks {
      let y = Self.top + value.place(tick) / PlotCurve.height * Self.plotHeight
      svg.add(line("grid", Self.left, y, Self.width - Self.right, y))
      svg.add(label(timeline.scale.text(tick), Self.left - 8, y + 4, anchor: "end"))
    }
    let box = [
      "x": "\(Self.left)", "y": "\(Self.top)", "width": "\(Self.width - Self.left - Self.right)",
      "height": "\(Self.plotHeight)", "viewBox": "0 0 \(PlotCurve.width) \(PlotCurve.height)",
      "preserveAspectRatio": "none",
    ]
    svg.add(
      Element("svg", box) { plot in
        for (index, curve) in curves.enumerated() {
          let drawn = PlotCurve(curve, index, value)
          plot.add(Element("path", ["class": "\(drawn.look) \(drawn.shape)", "d": drawn.path]))
        }
      })
  }

  private func drawLane(_ index: Int, _ name: String, _ marks: [RunTimeline.Mark], _ svg: inout Element) {
    let middle = lanesTop + (Double(index) + 0.5) * Self.laneHeight
    svg.add(line("lane", Self.left, middle, Self.width - Self.right, middle))
    svg.add(label(name, Self.left - 8, middle + 4, anchor: "end"))
    var labelled = Self.left
    for mark in marks where !mark.label.isEmpty {
      let x = Axis.round(time.place(Double(mark.time)))
      // One that would cover the label before it has only its title.
      guard x >= labelled else { continue }
      svg.add(label(mark.label, x + 3, middle + 4, anchor: "start"))
      labelled = x + 6 + 6 * Double(mark.label.count)
    }
    // All events in one column are one mark.
    let fates = Dictionary(grouping: marks) { $0.fate ?? ($0.isEnd ? .lost : nil) }
    for (fate, marks) in fates.sorted(by: { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }) {
      let columns = Dictionary(grouping: marks) { time.place(Double($0.time)).rounded() }.sorted { $0.key < $1.key }
      let name = "mark \(fate?.rawValue ?? name)"
      let shape = fate?.shape ?? "M0 -5v10"
      if isTold || fate != nil {
        for (x, marks) in columns {
          let place = ["class": name, "transform": "translate(\(Axis.round(x)) \(middle))", "d": shape]
          svg.add(Element("path", place) { $0.add(Element("title", text: TimelineChart.title(marks))) })
        }
      } else {
        let path = columns.map { x, _ in "M\(Axis.round(x)) \(middle)\(TimelineChart.relative(shape))" }.joined()
        svg.add(Element("path", ["class": name, "d": path]))
      }
    }
  }

  /// The tooltip of one mark.
  private static func title(_ marks: [RunTimeline.Mark]) -> String {
    let first = "\(Numbers.seconds(marks[0].time)) s  \(marks[0].text)"
    return marks.count == 1 ? first : "\(first), and \(Numbers.grouped(marks.count - 1)) more"
  }

  /// A shape around the origin, moved to the current point of a path: its first move becomes relative.
  private static func relative(_ shape: String) -> String { "m" + shape.dropFirst() }

  private func line(_ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Element {
    Element("path", ["class": name, "d": "M\(Axis.round(x1)) \(Axis.round(y1))L\(Axis.round(x2)) \(Axis.round(y2))"])
  }

  private func label(_ text: String, _ x: Double, _ y: Double, anchor: String) -> Element {
    Element("text", ["x": "\(Axis.round(x))", "y": "\(Axis.round(y))", "text-anchor": anchor], text: text)
  }
}

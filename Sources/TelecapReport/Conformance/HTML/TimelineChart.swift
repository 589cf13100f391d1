import TelecapText

/// A timeline as a picture in SVG: the values as marks and a line over time, and every message in a lane below.
struct TimelineChart {
  private static let width = 900.0
  private static let left = 64.0
  private static let right = 16.0
  private static let top = 12.0
  private static let plotHeight = 190.0
  private static let laneHeight = 20.0
  /// More marks than this in a lane or series are not told apart in 820 points of width anyway.
  private static let mostMarks = 3_000

  private let timeline: RunTimeline
  private let time: Axis
  private let value: Axis?
  private let lanesTop: Double
  private let height: Double

  /// The picture with the words that explain it.
  static func figure(_ timeline: RunTimeline) -> Element {
    let chart = TimelineChart(timeline)
    return Element("figure") {
      $0.add(chart.legend)
      $0.add(Element.scrolling("Picture of the run") { $0.add(chart.picture) })
      if let near = timeline.aroundFirstBreach {
        $0.add(Element("figcaption", text: "Around the first time that it was broken"))
        $0.add(Element.scrolling("Picture around the breach") { $0.add(TimelineChart(near).picture) })
      }
    }
  }

  private init(_ timeline: RunTimeline) {
    self.timeline = timeline
    time = Axis(
      Double(timeline.start)...max(Double(timeline.start) + 1, Double(timeline.end)),
      onto: Self.left...(Self.width - Self.right), ticks: 8, step: 1_000_000)
    let values = (timeline.sent + timeline.delivered + timeline.applied).map(\.value).filter(\.isFinite)
    let plot = Self.top...(Self.top + Self.plotHeight)
    if let low = values.min(), let high = values.max() {
      let range = Self.range(low, high, around: timeline.scale.range)
      value = Axis(range, onto: plot, ticks: 5, step: timeline.scale.isWhole ? 1 : 0.05, isUpward: true)
      lanesTop = plot.upperBound + 14
    } else {
      value = nil
      lanesTop = Self.top
    }
    height = lanesTop + Double(timeline.lanes.count) * Self.laneHeight + 26
  }

  /// What the axis of the values spans: their own range, and what lies beyond it up to as much again.
  private static func range(_ low: Double, _ high: Double, around own: ClosedRange<Double>?) -> ClosedRange<Double> {
    guard let own else { return low...max(high, low + 1) }
    let size = own.upperBound - own.lowerBound
    return min(own.lowerBound, max(own.lowerBound - size, low))...max(own.upperBound, min(own.upperBound + size, high))
  }

  private var picture: Element {
    let counts = timeline.lanes.map { "\($0.marks.count) \($0.name)" }.joined(separator: ", ")
    let label = "Timeline of \(counts)" + (timeline.leftOut > 0 ? ", and \(timeline.leftOut) that are not drawn" : "")
    let box = "0 0 \(Self.width) \(height)"
    return Element("svg", ["class": "run", "viewBox": box, "role": "img", "aria-label": label]) { svg in
      drawTimes(&svg)
      if let value { drawValues(value, &svg) }
      for (index, lane) in timeline.lanes.enumerated() { drawLane(index, lane.name, lane.marks, &svg) }
      for breach in timeline.breaches {
        let x = time.place(Double(breach))
        svg.add(line("breach", x, Self.top, x, height - 22))
      }
    }
  }

  private var legend: Element {
    Element("figcaption") { caption in
      let entries = [
        ("sent", "sent", timeline.sent.isEmpty), ("delivered", "delivered", timeline.delivered.isEmpty),
        ("applied", "applied", timeline.applied.isEmpty), ("lost", "lost", !hasLost),
        ("breach", "requirement broken", timeline.breaches.isEmpty),
      ]
      for (name, words, isAbsent) in entries where !isAbsent {
        caption.add(
          Element("span", ["class": "key \(name)"]) {
            $0.add(Element("i", [:]))
            $0.text(words)
          })
      }
      if value != nil { caption.add(Element("span", ["class": "soft"], text: "\(timeline.scale.axis) over seconds")) }
    }
  }

  private var hasLost: Bool { timeline.lanes.contains { $0.marks.contains(where: \.isLost) } }

  private func drawTimes(_ svg: inout Element) {
    let bottom = height - 22
    for tick in time.ticks {
      let x = time.place(tick)
      svg.add(line("grid", x, Self.top, x, bottom))
      svg.add(label(Axis.text(tick / 1e9), x, bottom + 15, anchor: "middle"))
    }
  }

  private func drawValues(_ value: Axis, _ svg: inout Element) {
    for tick in value.ticks {
      let y = value.place(tick)
      svg.add(line("grid", Self.left, y, Self.width - Self.right, y))
      svg.add(label(timeline.scale.text(tick), Self.left - 8, y + 4, anchor: "end"))
    }
    svg.add(
      Element(
        "path", ["class": "sent", "d": dots(timeline.sent, value) { x, y in "M\(x - 3) \(y)h6M\(x) \(y - 3)v6" }]))
    svg.add(Element("path", ["class": "applied", "d": steps(value)]))
    svg.add(
      Element(
        "path", ["class": "delivered", "d": dots(timeline.delivered, value) { x, y in "M\(x) \(y)h0" }]))
  }

  /// One short stroke for each place where a value is; those at the same place are drawn once.
  private func dots(_ points: [RunTimeline.Point], _ value: Axis, _ stroke: (Double, Double) -> String) -> String {
    var seen: Set<Place> = []
    var path = ""
    for point in points where seen.count < Self.mostMarks && !point.value.isNaN {
      let place = Place(x: Axis.round(time.place(Double(point.time))), y: Axis.round(value.place(point.value)))
      if seen.insert(place).inserted { path += stroke(place.x, place.y) }
    }
    return path
  }

  private struct Place: Hashable {
    var x: Double
    var y: Double
  }

  /// Each applied value holds until the next one, the last one until the end.
  private func steps(_ value: Axis) -> String {
    var path = ""
    var last: Place?
    for point in timeline.applied where !point.value.isNaN {
      let place = Place(x: Axis.round(time.place(Double(point.time))), y: Axis.round(value.place(point.value)))
      guard place != last else { continue }
      path += path.isEmpty ? "M\(place.x) \(place.y)" : "H\(place.x)V\(place.y)"
      last = place
    }
    return path.isEmpty ? "" : path + "H\(Axis.round(time.place(Double(timeline.end))))"
  }

  private func drawLane(_ index: Int, _ name: String, _ marks: [RunTimeline.Mark], _ svg: inout Element) {
    let middle = lanesTop + (Double(index) + 0.5) * Self.laneHeight
    svg.add(line("lane", Self.left, middle, Self.width - Self.right, middle))
    svg.add(label(name, Self.left - 8, middle + 4, anchor: "end"))
    var drawn: Set<Int> = []
    var labelled = Self.left
    for mark in marks where drawn.count < Self.mostMarks {
      let x = Axis.round(time.place(Double(mark.time)))
      // One that would cover the label before it has only its title.
      if !mark.label.isEmpty, x >= labelled {
        svg.add(label(mark.label, x + 3, middle + 4, anchor: "start"))
        labelled = x + 6 + 6 * Double(mark.label.count)
      }
      guard drawn.insert(Int(x * 2) * 2 + (mark.isLost ? 1 : 0)).inserted else { continue }
      let path = mark.isLost ? "M\(x - 3) \(middle - 3)l6 6m0 -6l-6 6" : "M\(x) \(middle - 5)v10"
      svg.add(
        Element("path", ["class": mark.isLost ? "mark lost" : "mark \(name)", "d": path]) {
          $0.add(Element("title", text: "\(Numbers.seconds(mark.time)) s  \(mark.text)"))
        })
    }
  }

  private func line(_ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Element {
    Element("path", ["class": name, "d": "M\(Axis.round(x1)) \(Axis.round(y1))L\(Axis.round(x2)) \(Axis.round(y2))"])
  }

  private func label(_ text: String, _ x: Double, _ y: Double, anchor: String) -> Element {
    Element("text", ["x": "\(Axis.round(x))", "y": "\(Axis.round(y))", "text-anchor": anchor], text: text)
  }
}

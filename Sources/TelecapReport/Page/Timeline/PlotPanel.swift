import TelecapRecording
import TelecapText
import TelecapWire

/// Curves over one axis of values, as a template takes them.
struct PlotPanel {
  /// A line of the grid, at so many per cent.
  struct Tick {
    let at: String
    let text: String
    /// The position of the text next to the curves; a text that is too long overlaps them.
    let x: String
    let anchor: String

    fileprivate init(at place: Double, text: String) {
      (at, self.text) = (PlotCurve.place(place), text)
      (x, anchor) = text.count > 8 ? ("0", "start") : ("88%", "end")
    }
  }

  let title: String
  let about: String
  /// The meaning of `about`; nil if it is plain.
  let term: Glossary.Term?
  let unit: String
  let height: Int
  let curves: [PlotCurve]
  let ticks: [Tick]
  /// The columns of all curves as JSON, for the values under the cursor.
  let data: String

  /// The description of the picture for screen readers. (Stored: templates see stored properties only.)
  let label: String

  init(
    _ title: String, about: String = "", term: Glossary.Term? = nil, unit: String = "", height: Int = 130,
    _ curves: [TimelineTrack.Curve]
  ) {
    let axis = PlotCurve.axis(of: curves)
    // A long time in ms is hard to read.
    let isLong = unit == "ms" && (axis.range.upperBound >= 1_000 || axis.range.lowerBound <= -1_000)
    let suffix = isLong ? " s" : unit.isEmpty ? "" : " \(unit)"
    (self.title, self.about, self.term, self.unit, self.height) = (title, about, term, unit, height)
    self.curves = curves.enumerated().map { PlotCurve($1, $0, axis) }
    ticks = axis.ticks.map {
      Tick(at: axis.place($0), text: PlotCurve.short(isLong ? $0 / 1_000 : $0) + suffix)
    }
    data = PlotData.curves(curves)
    label =
      "\(title)\(about.isEmpty ? "" : ", \(about)"): "
      + self.curves.map { "\($0.name) \($0.span), \(Numbers.grouped($0.count)) values" }.joined(separator: "; ")
  }
}

extension TimelineTrack {
  /// Its panels: values of one unit together, then their age, then their delay relative to their sender's clock.
  func panels(showing name: String) -> [PlotPanel] {
    var panels: [PlotPanel] = []
    // Buttons that were never pressed, and the clock of the sender, are no curve.
    let drawn = values.filter { $0.name != delay?.name && ($0.shape == .step || $0.reduced.range != 0...0) }
    var groups: [String] = []
    for curve in drawn where !groups.contains(curve.group) { groups.append(curve.group) }
    for group in groups {
      let curves = drawn.filter { $0.group == group }
      guard curves.contains(where: { $0.reduced.count > 0 }) else { continue }
      panels.append(
        PlotPanel(
          name, about: merge == .sum && curves[0].shape == .step ? "added up" : "", unit: curves[0].unit,
          height: curves[0].shape == .whole ? 64 : 130, curves))
    }
    if merge == .latest, age.reduced.count > 0 {
      panels.append(PlotPanel(name, about: "age of information", term: Glossary.age, unit: "ms", height: 90, [age]))
    }
    if let delay, delay.reduced.count > 0 {
      panels.append(
        PlotPanel(
          name, about: "delay by \(delay.name), relative to the first message", term: Glossary.delay(by: delay.name),
          unit: "ms",
          height: 90, [delay]))
    }
    return panels
  }
}

extension TimelineTrack.Curve {
  /// Curves of one group share a panel.
  fileprivate var group: String { shape == .whole ? "=\(name)" : isOfQuaternion ? "quaternion" : "in \(unit)" }
}

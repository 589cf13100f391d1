import TelecapText

extension HapticPlot {
  private static let width = 720.0
  private static let height = 300.0
  private static let left = 44.0
  private static let top = 36.0
  private static let right = 16.0
  private static let bottom = 40.0

  /// The picture as SVG 1.1: intensity as an area, sharpness as a dashed line, taps as lollipops.
  public var svg: String {
    let (width, height) = (HapticPlot.label(HapticPlot.width), HapticPlot.label(HapticPlot.height))
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" viewBox="0 0 \#(width) \#(height)" "#
        + #"font-family="system-ui, sans-serif" font-size="12">"#,
      "<title>\(Escaping.markup(title))</title>",
      #"<rect width="\#(width)" height="\#(height)" fill="white"/>"#,
      #"<text x="\#(HapticPlot.label(HapticPlot.left))" y="20" font-size="14" fill="black">"#
        + "\(Escaping.markup(title))</text>",
    ]
    lines += grid
    lines.append(#"<path d="\#(area)" fill="steelblue" fill-opacity="0.35" stroke="steelblue" stroke-width="1.5"/>"#)
    lines += sharpnessLines.map {
      #"<path d="\#($0)" fill="none" stroke="chocolate" stroke-width="1.5" stroke-dasharray="5 3"/>"#
    }
    for tap in taps {
      let (x, y) = (x(tap.time), y(tap.intensity))
      lines.append(#"<path d="M\#(x) \#(self.y(0))V\#(y)" stroke="black" stroke-width="1.5"/>"#)
      lines.append(#"<circle cx="\#(x)" cy="\#(y)" r="3.5" fill="black"/>"#)
    }
    lines += legend + ["</svg>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func x(_ time: Double) -> String {
    let share = duration > 0 ? time / duration : 0
    return Numbers.fixed(HapticPlot.left + share * (HapticPlot.width - HapticPlot.left - HapticPlot.right), 1)
  }

  private func y(_ value: Double) -> String {
    Numbers.fixed(HapticPlot.top + (1 - value) * (HapticPlot.height - HapticPlot.top - HapticPlot.bottom), 1)
  }

  private func time(_ index: Int) -> Double { duration * Double(index) / Double(max(1, intensity.count)) }

  /// A path of the points at which the line bends; points on a straight line are redundant.
  private func path(_ values: [Double], _ range: Range<Int>) -> String {
    range.filter { index in
      guard index > range.lowerBound, index < range.upperBound - 1 else { return true }
      return abs(values[index] * 2 - values[index - 1] - values[index + 1]) > 1e-9
    }.map { "\(x(time($0))) \(y(values[$0]))" }.joined(separator: "L")
  }

  private var area: String {
    "M\(x(0)) \(y(0))" + (intensity.isEmpty ? "" : "L" + path(intensity, intensity.indices))
      + "L\(x(duration)) \(y(0))Z"
  }

  /// A line for each interval with an intensity above 0.
  private var sharpnessLines: [String] {
    var lines: [String] = []
    var start: Int?
    for index in 0...intensity.count {
      let isFelt = index < intensity.count && intensity[index] > 0
      if isFelt, start == nil { start = index }
      if !isFelt, let from = start {
        if index - from > 1 { lines.append("M" + path(sharpness, from..<index)) }
        start = nil
      }
    }
    return lines
  }

  private var grid: [String] {
    var lines: [String] = []
    for value in [0, 0.25, 0.5, 0.75, 1] {
      lines.append(#"<path d="M\#(x(0)) \#(y(value))H\#(x(duration))" stroke="gainsboro"/>"#)
      if value == 0 || value == 0.5 || value == 1 {
        lines.append(
          #"<text x="36" y="\#(y(value))" text-anchor="end" dominant-baseline="middle" fill="dimgray">"#
            + "\(HapticPlot.label(value))</text>")
      }
    }
    var index = 0.0
    while duration > 0, index * tick <= duration + 1e-9 {
      let time = index * tick
      lines.append(#"<path d="M\#(x(time)) \#(y(0))v5" stroke="dimgray"/>"#)
      lines.append(
        #"<text x="\#(x(time))" y="276" text-anchor="middle" fill="dimgray">\#(HapticPlot.label(time)) s</text>"#)
      index += 1
    }
    return lines
  }

  private var legend: [String] {
    [
      #"<text x="470" y="20" fill="steelblue">intensity</text>"#,
      #"<text x="545" y="20" fill="chocolate">sharpness (dashed)</text>"#,
      #"<text x="674" y="20" fill="black">tap ●</text>"#,
    ]
  }
}

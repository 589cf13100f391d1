import TelecapHaptics
import TelecapRecording
import TelecapText

extension SensesPicture {
  private static let left = 64.0
  private static let right = 16.0
  private static let width = Double(parts) + left + right
  private static let laneTop = [82.0, 192, 332]
  private static let laneHeight = [80.0, 110, 100]
  private static let axis = 442.0

  /// The lanes as SVG 1.1: vision, sound (the left ear upwards, the right one downwards), haptics.
  public var svg: String {
    let height = SensesPicture.axis + 44 + 18 * Double(notes.count)
    let size = (HapticPlot.label(SensesPicture.width), HapticPlot.label(height))
    let title = Escaping.markup(title)
    let head = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size.0)" height="\#(size.1)" viewBox="0 0 \#(size.0) \#(size.1)" "#
        + #"font-family="system-ui, sans-serif" font-size="12">"#,
      "<title>\(title)</title>", #"<rect width="\#(size.0)" height="\#(size.1)" fill="white"/>"#,
      #"<text x="\#(HapticPlot.label(SensesPicture.left))" y="22" font-size="15" fill="black">\#(title)</text>"#,
    ]
    return (head + bands + grid + seenLane + heardLane + feltLane + said + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func x(_ time: Double) -> Double {
    SensesPicture.left + min(1, max(0, time / duration)) * Double(SensesPicture.parts)
  }

  private func number(_ value: Double) -> String { Numbers.fixed(value, 1) }

  private func text(_ x: Double, _ y: Double, _ words: String, _ more: String = #"fill="dimgray""#) -> String {
    #"<text x="\#(number(x))" y="\#(number(y))" \#(more)>\#(Escaping.markup(words))</text>"#
  }

  /// The states as bands under the lanes; names that would overlap are in separate rows.
  private var bands: [String] {
    var ends: [Double] = []
    var (areas, names) = ([String](), [String]())
    for (index, state) in states.enumerated() {
      let (from, to) = (x(state.from), x(state.to))
      let row = ends.firstIndex { $0 <= from } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = from + 8 + 7 * Double(state.name.count)
      let colour = state.name == "busy" ? "lightgray" : index.isMultiple(of: 2) ? "mistyrose" : "lemonchiffon"
      areas.append(
        #"<rect x="\#(number(from))" y="34" width="\#(number(max(1, to - from)))" height="\#(number(SensesPicture.axis - 44))" "#
          + #"fill="\#(colour)" fill-opacity="0.7"/>"#)
      names.append(text(from + 3, 47 + 13 * Double(row), state.name))
    }
    return areas + names
  }

  private var grid: [String] {
    var lines = zip([firstLane, "heard", "felt"], zip(SensesPicture.laneTop, SensesPicture.laneHeight)).flatMap {
      (name, lane) -> [String] in
      let end = #"fill="black" text-anchor="end""#
      return [
        text(SensesPicture.left - 10, lane.0 + lane.1 / 2 + 4, name, end),
        #"<path d="M\#(number(SensesPicture.left)) \#(number(lane.0 + lane.1))h\#(SensesPicture.parts)" stroke="gainsboro"/>"#,
      ]
    }
    let tick = HapticPlot.tick(for: duration)
    for index in 0...Int(duration / tick) {
      let at = x(Double(index) * tick)
      lines.append(#"<path d="M\#(number(at)) \#(number(SensesPicture.axis - 10))v5" stroke="dimgray"/>"#)
      lines.append(
        text(
          at, SensesPicture.axis + 10, "\(HapticPlot.label(Double(index) * tick)) s",
          #"fill="dimgray" text-anchor="middle""#))
    }
    return lines
  }

  /// Bursts as circles with rays, the ring as a line of steps.
  private var seenLane: [String] {
    let (top, height) = (SensesPicture.laneTop[0], SensesPicture.laneHeight[0])
    var lines: [String] = []
    if !ring.isEmpty {
      func y(_ integrity: Double) -> String { number(top + (1 - integrity) * height) }
      let steps = ring.map { "H\(number(x($0.time)))V\(y($0.integrity))" }.joined()
      lines.append(
        #"<path d="M\#(number(x(0))) \#(y(1))\#(steps)H\#(number(x(duration)))" fill="none" stroke="slategray" stroke-width="1.5"/>"#
      )
    }
    if !poses.isEmpty {
      let ticks = poses.map { "M\(number(x($0))) \(number(top + height / 2))v\(number(height / 4))" }.joined()
      lines.append(#"<path d="\#(ticks)" stroke="slategray" stroke-width="0.5"/>"#)
    }
    for burst in bursts {
      let (x, y, size) = (x(burst.time), top + height / 2, 8 + 16 * burst.size)
      lines.append(#"<circle cx="\#(number(x))" cy="\#(number(y))" r="\#(number(size / 2))" fill="orangered"/>"#)
      let rays = (0..<Int(4 + 8 * burst.size)).map { ray -> String in
        let turns = Double(ray) / Double(Int(4 + 8 * burst.size))
        let (dx, dy) = SensesPicture.direction(turns)
        return "M\(number(x + dx * size * 0.65)) \(number(y + dy * size * 0.65))l\(number(dx * size * 0.5)) "
          + number(dy * size * 0.5)
      }
      lines.append(#"<path d="\#(rays.joined())" stroke="orangered" stroke-width="1.5"/>"#)
    }
    return lines
  }

  /// The sound lane: the left ear upwards, the right one downwards.
  private var heardLane: [String] {
    let (top, height) = (SensesPicture.laneTop[1], SensesPicture.laneHeight[1])
    let middle = top + height / 2
    func area(_ levels: [Double], _ direction: Double, _ colour: String) -> String {
      let line = levels.enumerated().map { part, level in
        "L\(number(SensesPicture.left + Double(part))) \(number(middle - direction * level * height / 2))"
      }
      let last = number(SensesPicture.left + Double(levels.count))
      return
        #"<path d="M\#(number(SensesPicture.left)) \#(number(middle))\#(line.joined())L\#(last) \#(number(middle))Z" "#
        + #"fill="\#(colour)" fill-opacity="0.7"/>"#
    }
    return [
      area(ears.map(\.left), 1, "teal"), area(ears.map(\.right), -1, "darkgoldenrod"),
      text(SensesPicture.left - 10, top + 12, "left", #"fill="teal" text-anchor="end""#),
      text(SensesPicture.left - 10, top + height - 4, "right", #"fill="darkgoldenrod" text-anchor="end""#),
    ]
  }

  /// The haptics lane: intensity as an area, sharpness as a dashed line where the intensity is above 0, taps as
  /// lollipops.
  private var feltLane: [String] {
    let (top, height) = (SensesPicture.laneTop[2], SensesPicture.laneHeight[2])
    func y(_ value: Double) -> String { number(top + (1 - value) * height) }
    func at(_ part: Int) -> String { number(SensesPicture.left + Double(part)) }
    let line = felt.indices.map { "L\(at($0)) \(y(felt[$0].intensity))" }.joined()
    let last = at(felt.count)
    var lines = [
      #"<path d="M\#(at(0)) \#(y(0))\#(line)L\#(last) \#(y(0))Z" fill="steelblue" fill-opacity="0.45" stroke="steelblue"/>"#
    ]
    var sharpness = ""
    for part in felt.indices where felt[part].intensity > 0 && felt[part].sharpness > 0 {
      let follows = part > 0 && felt[part - 1].intensity > 0
      sharpness += "\(follows ? "L" : "M")\(at(part)) \(y(felt[part].sharpness))"
    }
    if !sharpness.isEmpty {
      lines.append(
        #"<path d="\#(sharpness)" fill="none" stroke="chocolate" stroke-width="1.5" stroke-dasharray="4 3"/>"#)
    }
    for tap in taps {
      lines.append(
        #"<path d="M\#(number(x(tap.time))) \#(y(0))V\#(y(tap.intensity))" stroke="black" stroke-width="1.5"/>"#
          + #"<circle cx="\#(number(x(tap.time)))" cy="\#(y(tap.intensity))" r="3" fill="black"/>"#)
    }
    return lines
  }

  private var said: [String] {
    let legend = text(
      SensesPicture.width - SensesPicture.right, 22, legend, #"fill="dimgray" text-anchor="end""#)
    return [legend]
      + notes.enumerated().map { index, note in
        text(SensesPicture.left, SensesPicture.axis + 36 + 18 * Double(index), note, #"fill="black""#)
      }
  }

  /// The direction at this many turns from the right.
  private static func direction(_ turns: Double) -> (Double, Double) {
    (Sine.cosine(turns: turns), Sine.sine(turns: turns))
  }
}

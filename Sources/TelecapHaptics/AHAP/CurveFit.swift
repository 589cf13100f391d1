/// A value at a time.
public struct TimedValue: Hashable, Sendable {
  /// Seconds.
  public var time: Double
  /// 0…1.
  public var value: Double

  /// A value at a time.
  public init(_ time: Double, _ value: Double) {
    self.time = time
    self.value = value
  }
}

/// Computes the smallest number of points whose polyline stays within a tolerance of every sample, and within 0…1.
///
/// A minimum-link polyline through a row of windows (Imai and Iri 1986; Hakimi and Schmeichel 1991). Each sample is a
/// window [value − tolerance, value + tolerance]. A line is extended through as many windows as possible (O'Rourke
/// 1981). Of the lines through all of them, only the two extreme ones are stored, the highest and the lowest further
/// on, with the hulls that they touch. When the next window is above the highest line, every polyline has to turn
/// upwards where it crosses that line, after the window that it touches last. So the next line starts with the upper
/// bounds of the windows from there, and the search starts again. Below the lowest line it is the same, upside down.
/// Points may be between samples. The algorithm is greedy and optimal: no polyline within the tolerance has fewer
/// points. Time is linear except for the size of the hulls.
enum CurveFit {
  /// The points for `samples`, whose times rise; `tolerance` is 0 or more.
  static func points(_ samples: [TimedValue], tolerance: Double) -> [TimedValue] {
    guard let first = samples.first, let last = samples.last else { return [] }
    guard samples.count > 1 else { return [first] }
    var lines: [Line] = []
    var turns: [(from: Double, to: Double)] = []
    var stage = LineFan()
    for sample in samples {
      let window = Window(
        time: sample.time, low: max(0, sample.value - tolerance), high: min(1, sample.value + tolerance))
      while let turn = stage.turn(at: window) {
        lines.append(turn.line)
        turns.append((turn.since, window.time))
        stage = turn.next
      }
      stage.pass(window)
    }
    lines.append(stage.middle(last))
    return polyline(lines, turns, from: first.time, to: last.time)
  }

  /// The ends of the lines, and the crossings of each line with the next.
  private static func polyline(
    _ lines: [Line], _ turns: [(from: Double, to: Double)], from: Double, to: Double
  ) -> [TimedValue] {
    var points = [TimedValue(from, lines[0].value(at: from))]
    for (index, turn) in turns.enumerated() {
      let (before, after) = (lines[index], lines[index + 1])
      let gapBefore = before.value(at: turn.from) - after.value(at: turn.from)
      let gapAfter = before.value(at: turn.to) - after.value(at: turn.to)
      let share = gapBefore == gapAfter ? 0 : min(max(0, gapBefore / (gapBefore - gapAfter)), 1)
      let time = turn.from + (turn.to - turn.from) * share
      points.append(TimedValue(time, before.value(at: time)))
    }
    points.append(TimedValue(to, lines[lines.count - 1].value(at: to)))
    return points.map { TimedValue($0.time, (0...1).clamp($0.value)) }
  }
}

/// A straight line.
struct Line: Hashable, Sendable {
  var time: Double
  var height: Double
  var slope: Double

  init(_ time: Double, _ height: Double, slope: Double) {
    self.time = time
    self.height = height
    self.slope = slope
  }

  /// The line through two points of different times.
  init(from: TimedValue, to: TimedValue) {
    self.init(to.time, to.value, slope: (to.value - from.value) / (to.time - from.time))
  }

  func value(at time: Double) -> Double { height + slope * (time - self.time) }
}

/// A constraint on a line at one time: at least `low`, at most `high`; either may be missing.
struct Window: Hashable, Sendable {
  var time: Double
  var low: Double?
  var high: Double?
}

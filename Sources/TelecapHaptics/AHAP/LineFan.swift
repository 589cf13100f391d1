/// All lines through a row of windows, represented by the two extreme ones: an online hull of each bound (O'Rourke
/// 1981).
struct LineFan: Sendable {
  /// The tolerance for rounding, so that a line that touches a window is not taken for one that misses it.
  private static let slack = 1e-12

  /// The line that is highest further on, and the last window whose upper bound it touches; nil while there is no
  /// limit.
  private var highest: (line: Line, window: Int)?
  private var lowest: (line: Line, window: Int)?
  /// The relevant bounds: lines are above `lows`, an upper hull, and below `highs`, a lower hull.
  private var lows: [TimedValue] = []
  private var highs: [TimedValue] = []
  private var windows: [Window] = []

  init() {}

  /// A point at which all lines have to turn, because none passes `window` too.
  struct Turn: Sendable {
    /// The line before the turn, which is somewhere after `since`.
    var line: Line
    var since: Double
    /// The lines after the turn; `window` is not among their windows yet.
    var next: LineFan
  }

  /// Nil if a line passes `window` too.
  func turn(at window: Window) -> Turn? {
    if let low = window.low, let highest, low > highest.line.value(at: window.time) + LineFan.slack {
      return turn(highest, at: window) { Window(time: $0.time, high: $0.high) }
    }
    if let high = window.high, let lowest, high < lowest.line.value(at: window.time) - LineFan.slack {
      return turn(lowest, at: window) { Window(time: $0.time, low: $0.low) }
    }
    return nil
  }

  private func turn(_ from: (line: Line, window: Int), at window: Window, _ half: (Window) -> Window) -> Turn {
    var next = LineFan()
    for passed in windows[from.window...].map(half) where passed.low != nil || passed.high != nil { next.pass(passed) }
    // The polyline never leaves 0…1, so it turns before the line does.
    let end = from.line.value(at: window.time)
    if end < 0 || end > 1 {
      let bound = end < 0 ? 0.0 : 1.0
      let time = from.line.time + (bound - from.line.height) / from.line.slope
      if time < window.time, time > windows[windows.count - 1].time {
        next.pass(Window(time: time, low: end < 0 ? 0 : nil, high: end < 0 ? nil : 1))
      }
    }
    return Turn(line: from.line, since: windows[from.window].time, next: next)
  }

  /// Keeps only the lines that pass this window too. Times rise.
  mutating func pass(_ window: Window) {
    windows.append(window)
    let (high, low) = (window.high.map { TimedValue(window.time, $0) }, window.low.map { TimedValue(window.time, $0) })
    let cutsHighest = high.map { high in highest.map { high.value < $0.line.value(at: high.time) } ?? true } ?? false
    let cutsLowest = low.map { low in lowest.map { low.value > $0.line.value(at: low.time) } ?? true } ?? false
    if cutsHighest, let high, let line = lows.map({ Line(from: $0, to: high) }).min(by: { $0.slope < $1.slope }) {
      highest = (line, windows.count - 1)
    }
    if cutsLowest, let low, let line = highs.map({ Line(from: $0, to: low) }).max(by: { $0.slope < $1.slope }) {
      lowest = (line, windows.count - 1)
    }
    if let high { LineFan.append(high, to: &highs, side: 1) }
    if let low { LineFan.append(low, to: &lows, side: -1) }
  }

  /// A line in the middle of those that pass all windows; through `sample` if there is only one window.
  func middle(_ sample: TimedValue) -> Line {
    switch (highest?.line, lowest?.line) {
    case (let high?, let low?):
      Line(
        sample.time, (high.value(at: sample.time) + low.value(at: sample.time)) / 2, slope: (high.slope + low.slope) / 2
      )
    case (let line?, nil), (nil, let line?): line
    case (nil, nil): Line(sample.time, sample.value, slope: 0)
    }
  }

  /// Keeps a hull convex: `side` 1 keeps the lower one, −1 the upper one.
  private static func append(_ point: TimedValue, to hull: inout [TimedValue], side: Double) {
    while hull.count > 1 {
      let (first, second) = (hull[hull.count - 2], hull[hull.count - 1])
      let cross =
        (second.time - first.time) * (point.value - first.value)
        - (second.value - first.value) * (point.time - first.time)
      if cross * side > 0 { break }
      hull.removeLast()
    }
    hull.append(point)
  }
}

/// One dynamic parameter over a whole pattern: its values and curves in order of time.
///
/// The last one that began is in force, and of two with the same time the later one in the file. (Derived: the text
/// does not define overlapping curves of one parameter.) A curve has its first value from its `Time` to its first
/// point, and its last value after its last point (derived).
struct ControlTrack: Hashable, Sendable {
  /// A value or curve in force from a time on: one point for a value, several for a curve. Times are relative to
  /// `time`.
  private struct Stretch: Hashable, Sendable {
    var time: Double
    var points: [AHAP.Point]
  }

  private var stretches: [Stretch] = []
  private let standard: Double
  private let rules: EvaluationRules

  init(_ parameter: AHAP.DynamicParameter, in pattern: AHAP, _ rules: EvaluationRules) {
    self.rules = rules
    standard = parameter.standard
    for item in pattern.pattern {
      switch item {
      case .parameter(let item) where item.setting.id == parameter.rawValue:
        stretches.append(
          Stretch(time: item.time, points: [AHAP.Point(0, rules.clamp(item.setting.value, to: parameter.range))]))
      case .curve(let curve) where curve.id == parameter.rawValue && !curve.points.isEmpty:
        let points = curve.points.map { AHAP.Point($0.time, rules.clamp($0.value, to: parameter.range)) }
        stretches.append(Stretch(time: curve.time, points: points.stablySorted(by: \.time)))
      default: continue
      }
    }
    stretches = stretches.stablySorted(by: \.time)
  }

  /// Its value at `time`, in s from the start of the pattern.
  func value(at time: Double) -> Double {
    let index = stretches.firstIndex(after: time, by: \.time)
    guard index > 0 else { return standard }
    let stretch = stretches[index - 1]
    let relative = rules.isRelative ? time - stretch.time : time
    let next = stretch.points.firstIndex(after: relative, by: \.time)
    if next == 0 { return stretch.points[0].value }
    let left = stretch.points[next - 1]
    guard next < stretch.points.count, rules.interpolates else { return left.value }
    let right = stretch.points[next]
    return left.value + (right.value - left.value) * ((relative - left.time) / (right.time - left.time))
  }
}

extension Array {
  /// Sorted; elements with equal keys keep their order.
  func stablySorted(by key: (Element) -> Double) -> [Element] {
    enumerated().sorted { left, right in
      (key(left.element), left.offset) < (key(right.element), right.offset)
    }.map(\.element)
  }

  /// The index of the first element whose key is greater than `value`, in an array sorted by the key.
  func firstIndex(after value: Double, by key: (Element) -> Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

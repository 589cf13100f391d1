import TelecapRecording
import TelecapText

/// A curve as a path of SVG, in a box of 1000 × 100 that is stretched to the size of the picture.
struct PlotCurve {
  /// Its place among the curves of its panel: colour and dashes go by it.
  let index: Int
  let name: String
  let shape: String
  /// The path.
  let path: String
  /// The least and the greatest value, in words.
  let span: String
  /// How many numbers it was made of.
  let count: Int

  static let width = 1_000.0
  static let height = 100.0
  /// Above and below the values.
  static let margin = 8.0

  init(_ curve: TimelineTrack.Curve, _ index: Int, _ axis: Axis) {
    (self.index, name) = (index, curve.name)
    shape = "\(curve.shape)"
    let range = curve.reduced.range
    span = range.map { PlotCurve.words($0, curve.unit) } ?? ""
    count = curve.reduced.count
    path = PlotCurve.path(curve, axis)
  }

  private static func words(_ range: ClosedRange<Double>, _ unit: String) -> String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    if range.lowerBound == range.upperBound { return short(range.lowerBound) + unit }
    return "\(short(range.lowerBound)) … \(short(range.upperBound))\(unit)"
  }

  /// An axis over all numbers of some curves, and over the range that they are to be in.
  static func axis(of curves: [TimelineTrack.Curve]) -> Axis {
    let ranges = curves.flatMap { [$0.reduced.range, $0.before.map { $0...$0 }, $0.range] }.compactMap(\.self)
    var low = ranges.map(\.lowerBound).min() ?? 0
    var high = ranges.map(\.upperBound).max() ?? 1
    if curves.contains(where: { $0.shape != .step }) { low = min(0, low) }
    if !(high - low > 1e-9) { (low, high) = (low - 0.5, high + 0.5) }
    if !(high - low).isFinite {
      (low, high) = (-Double.greatestFiniteMagnitude / 4, Double.greatestFiniteMagnitude / 4)
    }
    return Axis(low...high, onto: margin...(height - margin), ticks: 3, step: 0, isUpward: true)
  }

  private static func path(_ curve: TimelineTrack.Curve, _ axis: Axis) -> String {
    let scale = width / Double(curve.reduced.grid.columns)
    var text =
      curve.before.map { curve.shape == .step || curve.shape == .whole ? "M0 \(place(axis.place($0)))" : "" } ?? ""
    curve.reduced.forEach { column, numbers in
      let x = place((Double(column) + 0.5) * scale)
      func y(_ value: Double) -> String { place(axis.place(value)) }
      switch curve.shape {
      case .points: text += "M\(x) \(y(numbers.greatest))" + (numbers.count == 1 ? "h0" : "V\(y(numbers.least))")
      case .saw: text += (text.isEmpty ? "M" : "L") + "\(x) \(y(numbers.first))" + rest(numbers, y)
      case .step, .whole:
        text += (text.isEmpty ? "M\(x) \(y(numbers.first))h0" : "H\(x)V\(y(numbers.first))") + rest(numbers, y)
      }
    }
    let holds = curve.goesOn && !text.isEmpty && (curve.shape == .step || curve.shape == .whole)
    return holds ? text + "H\(place(width))" : text
  }

  /// What else lies in a column, as one stroke over all of it.
  private static func rest(_ numbers: ReducedCurve.Column, _ y: (Double) -> String) -> String {
    if numbers.count == 1 { return "" }
    if numbers.least == numbers.greatest { return "" }
    return "V\(y(numbers.least))V\(y(numbers.greatest))V\(y(numbers.last))"
  }

  /// A place with one decimal.
  static func place(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// A small number with three digits: `4.99e-08`.
  private static func exponential(_ value: Double) -> String {
    var (digits, exponent) = (value, 0)
    while abs(digits) < 0.9995, exponent > -330 { (digits, exponent) = (digits * 10, exponent - 1) }
    return "\(Numbers.fixed(digits, 2))e\(exponent)"
  }

  /// A number of a value with some five digits, without needless zeros.
  static func short(_ value: Double) -> String {
    let size = abs(value)
    if size > 0, size < 1e-4 { return exponential(value) }
    if size >= 1e9 { return "\(Float(value))" }
    let places = size >= 1_000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4
    var text = Numbers.fixed(value, places)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}

import TelecapRecording
import TelecapText

/// A curve as a path of SVG, in a box of 1000 × 100 that is stretched to the size of the picture.
struct PlotCurve {
  /// Its place among the curves of its panel.
  let index: Int
  /// Its class: colour and dashes go by it.
  let look: String
  let name: String
  let shape: String
  /// The path.
  let path: String
  /// The least and the greatest value, in words.
  let span: String
  /// How many numbers it was made of.
  let count: Int
  /// How many columns reach beyond the axis, in words; nil where none does.
  let beyond: String?
  /// The unit of a value under the cursor; the words next to the curve may have another unit.
  let cursorUnit: String

  static let width = 1_000.0
  static let height = 100.0
  /// Above and below the values.
  static let margin = 8.0

  init(_ curve: TimelineTrack.Curve, _ index: Int, _ axis: Axis) {
    (self.index, name, look) = (index, curve.name, curve.look ?? "c\(index)")
    shape = "\(curve.shape)"
    let range = curve.reduced.range
    span = range.map { PlotCurve.words($0, curve.unit) } ?? ""
    count = curve.reduced.count
    path = PlotCurve.path(curve, axis)
    cursorUnit = curve.unit == "ms" ? "ms" : ""
    var beyond = 0
    curve.reduced.forEach { _, numbers in
      if numbers.least < axis.range.lowerBound || numbers.greatest > axis.range.upperBound { beyond += 1 }
    }
    self.beyond = beyond > 0 ? "\(Numbers.grouped(beyond)) beyond" : nil
  }

  private static func words(_ range: ClosedRange<Double>, _ unit: String) -> String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    if unit == " ms", range.upperBound >= 1_000 {
      return words(range.lowerBound / 1_000...range.upperBound / 1_000, "s")
    }
    if range.lowerBound == range.upperBound { return short(range.lowerBound) + unit }
    return "\(short(range.lowerBound)) … \(short(range.upperBound))\(unit)"
  }

  /// An axis over the numbers of some curves, and over the range that they are to be in.
  static func axis(of curves: [TimelineTrack.Curve], ticks: Int = 3, step: Double = 0) -> Axis {
    let ranges = curves.flatMap { curve in
      // The value from before counts if it is not extreme.
      let before = curve.before.flatMap { abs($0) < 1e9 || curve.reduced.range == nil ? $0...$0 : nil }
      return [held(curve), before, curve.range].compactMap(\.self)
    }
    var low = ranges.map(\.lowerBound).min() ?? 0
    var high = ranges.map(\.upperBound).max() ?? 1
    if curves.contains(where: { $0.shape != .step && $0.look == nil }) { low = min(0, low) }
    if !(high - low > 1e-9) { (low, high) = low == 0 ? (0, 1) : (low - pad(low), high + pad(low)) }
    if !(high - low).isFinite {
      (low, high) = (-Double.greatestFiniteMagnitude / 4, Double.greatestFiniteMagnitude / 4)
    }
    return Axis(low...high, onto: margin...(height - margin), ticks: ticks, step: step, isUpward: true)
  }

  /// The margin of an axis on both sides of a single value.
  private static func pad(_ value: Double) -> Double { max(0.5, min(1e300, abs(value) / 10)) }

  /// The maximum range of an axis, as a multiple of the declared range, or of the range of most values.
  private static let longest = (declared: 4.0, usual: 100.0)

  /// The range of a curve's numbers, without extreme ones that would hide all others.
  private static func held(_ curve: TimelineTrack.Curve) -> ClosedRange<Double>? {
    guard let all = curve.reduced.range else { return nil }
    // How long something took is never so strange that it may be left out; values of a stream are.
    guard curve.shape == .step || curve.shape == .whole || curve.look != nil, let usual = curve.range ?? usual(curve)
    else { return all }
    let length = usual.upperBound - usual.lowerBound
    let most = (curve.range == nil ? longest.usual : longest.declared) * length
    guard length > 0, length.isFinite, !(all.upperBound - all.lowerBound <= most) else { return all }
    // As much again on both sides, where there is something.
    let low = max(all.lowerBound, usual.lowerBound - length)
    return low...max(low, min(all.upperBound, usual.upperBound + length))
  }

  /// Where most columns of a curve begin: between its tenths, and 1 on both sides of a value that mostly stands still.
  private static func usual(_ curve: TimelineTrack.Curve) -> ClosedRange<Double>? {
    var firsts: [Double] = []
    curve.reduced.forEach { _, numbers in firsts.append(numbers.first) }
    guard !firsts.isEmpty else { return nil }
    firsts.sort()
    let (low, high) = (firsts[firsts.count / 10], firsts[firsts.count - 1 - firsts.count / 10])
    return high > low ? low...high : (low - max(1, abs(low)))...(low + max(1, abs(low)))
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

  /// The other values of a column, as one stroke over all of it.
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

  /// A number beyond all floats of 32 bits: `3.4e+41`.
  private static func large(_ value: Double) -> String {
    var (digits, exponent) = (value, 0)
    while abs(digits) >= 9.995, exponent < 330 { (digits, exponent) = (digits / 10, exponent + 1) }
    return "\(Numbers.fixed(digits, 2))e+\(exponent)"
  }

  /// A number of a value with some five digits, without needless zeros.
  static func short(_ value: Double) -> String {
    let size = abs(value)
    if size > 0, size < 1e-4 { return exponential(value) }
    if size >= 1e9 { return Float(value).isFinite ? "\(Float(value))" : large(value) }
    var (places, scale) = size >= 1_000 ? (1, 10) : size >= 100 ? (2, 100) : size >= 10 ? (3, 1_000) : (4, 10_000)
    guard value.isFinite else { return Numbers.fixed(value, places) }
    var number = Int((size * Double(scale)).rounded())
    let sign = value < 0 && number != 0 ? "-" : ""
    while places > 0, number % 10 == 0 { (number, places, scale) = (number / 10, places - 1, scale / 10) }
    if places == 0 { return "\(sign)\(number)" }
    let fraction = "\(number % scale)"
    let zeros = fraction.utf8.count < places ? String(repeating: "0", count: places - fraction.utf8.count) : ""
    return "\(sign)\(number / scale).\(zeros)\(fraction)"
  }
}

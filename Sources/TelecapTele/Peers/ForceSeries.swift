import TelecapModels
import TelecapRecording
import TelecapText

/// The forces of haptic strength 0 and 1: `send_haptic(25, min=0, max=50)` is 0.5 (Haptic Feedback API, Example Flow).
public struct ForceRange: Hashable, Sendable {
  /// The force at strength 0.
  public let minimum: Double
  /// The force at full strength.
  public let maximum: Double

  /// From `minimum` to `maximum`, in the sensor's unit.
  /// - Throws: `InputError.badRange` unless both are finite and `minimum` is the smaller.
  public init(minimum: Double, maximum: Double) throws(InputError) {
    guard minimum.isFinite, maximum.isFinite, minimum < maximum else {
      throw InputError.badRange(minimum: minimum, maximum: maximum)
    }
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The strength of `force`, clamped to 0…1; NaN is 0.
  public func intensity(of force: Double) -> Float {
    // Halve all values, so that the difference of two large bounds stays finite.
    let scaled = (force / 2 - minimum / 2) / (maximum / 2 - minimum / 2)
    return HapticStrength.clamped(Float(scaled))
  }
}

/// Forces over time, converted to strengths.
public struct ForceSeries: Hashable, Sendable {
  private let times: [Nanoseconds]
  private let intensities: [Float]

  /// Parses CSV: one column of forces, 20 a second, or two columns, seconds and force, with seconds that do not fall. A
  /// first line without numbers is a header; empty lines and lines that start with `#` are ignored.
  /// - Throws: `InputError` with the line.
  public init(csv text: some StringProtocol, range: ForceRange) throws(InputError) {
    var times: [Nanoseconds] = []
    var intensities: [Float] = []
    var isFirst = true
    for (index, line) in String(text).lines.enumerated() {
      let columns = line.split(separator: ",", omittingEmptySubsequences: false).map { ForceSeries.trimmed($0) }
      guard let first = columns.first, !(columns.count == 1 && first.isEmpty), !first.hasPrefix("#") else { continue }
      defer { isFirst = false }
      if isFirst, columns.allSatisfy({ Double($0) == nil }) { continue }
      guard columns.count <= 2 else { throw InputError.columns(line: index + 1, count: columns.count) }
      var numbers: [Double] = []
      for column in columns {
        guard let number = Double(column), number.isFinite else {
          throw InputError.notANumber(line: index + 1, text: String(column))
        }
        numbers.append(number)
      }
      let time = numbers.count == 2 ? Int64(clampingRounded: numbers[0] * 1e9) : Int64(times.count) * 50_000_000
      if let last = times.last, time < last { throw InputError.timeRunsBack(line: index + 1) }
      times.append(time)
      intensities.append(range.intensity(of: numbers[numbers.count - 1]))
    }
    guard !times.isEmpty else { throw InputError.empty }
    self.times = times
    self.intensities = intensities
  }

  /// The text without white space at both ends.
  private static func trimmed(_ text: some StringProtocol) -> String {
    let rest = text.drop(while: \.isWhitespace)
    let kept = rest.reversed().drop(while: \.isWhitespace).count
    return String(rest.prefix(kept))
  }

  /// The strength at `nanoseconds` after the start: that of the last sample not later; 0 before the first.
  func intensity(at nanoseconds: Nanoseconds) -> Float {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= nanoseconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : intensities[low - 1]
  }
}

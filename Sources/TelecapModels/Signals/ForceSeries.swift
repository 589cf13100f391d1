import TelecapRecording
import TelecapText

/// The forces between which haptic strength goes from 0 to 1: `send_haptic(25, min=0, max=50)` is 0.5
/// (Haptic Feedback API, Example Flow).
public struct ForceRange: Hashable, Sendable {
  /// The force that is not felt.
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
    // Halves, so that the difference of two large bounds stays finite.
    let scaled = (force / 2 - minimum / 2) / (maximum / 2 - minimum / 2)
    return HapticStrength.clamped(Float(scaled))
  }
}

/// Forces over time, as strengths.
public struct ForceSeries: Hashable, Sendable {
  private let times: [Nanoseconds]
  private let intensities: [Float]

  /// Reads CSV: one column of forces, 20 a second, or two columns, seconds and force, the seconds not falling. A first
  /// line without numbers is a heading; empty lines and lines that begin with `#` are passed over.
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

  /// Without the white space around it.
  private static func trimmed(_ text: some StringProtocol) -> String {
    let rest = text.drop(while: \.isWhitespace)
    let kept = rest.reversed().drop(while: \.isWhitespace).count
    return String(rest.prefix(kept))
  }

  /// The strength in force `nanoseconds` after the beginning: that of the last sample not later; before the first one 0.
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

/// What is wrong with text that a person gave.
public enum InputError: Error, Hashable, Sendable {
  /// The smallest force must be smaller than the largest, both finite.
  case badRange(minimum: Double, maximum: Double)
  /// Neither one column nor two.
  case columns(line: Int, count: Int)
  /// Text where a finite number belongs.
  case notANumber(line: Int, text: String)
  /// A time earlier than the one before.
  case timeRunsBack(line: Int)
  /// A line that is no evemu event.
  case notAnEvent(line: Int, text: String)
  /// A mouse that by this line has gone farther than `Evemu.farthest`.
  case tooFar(line: Int)
  /// Bytes that no text has.
  case notText
  /// Nothing to play.
  case empty
}

extension InputError: CustomStringConvertible {
  /// What is wrong, where, and what would be right.
  public var description: String {
    switch self {
    case .badRange(let minimum, let maximum): "the range \(minimum)…\(maximum) is empty: the first must be smaller"
    case .columns(let line, let count): "line \(line): \(count) columns; one (force) or two (seconds,force) are read"
    case .notANumber(let line, let text): "line \(line): \"\(text.cut(to: 60))\" is not a finite number"
    case .timeRunsBack(let line): "line \(line): its time is earlier than that of the line before"
    case .notAnEvent(let line, let text):
      "line \(line): \"\(text.cut(to: 60))\" is no event; one looks like \"E: 1329846856.201613 0002 0001 -1\""
    case .tooFar(let line):
      "line \(line): by here the mouse has gone farther than \(Numbers.grouped(Evemu.farthest)) counts, each way of each input added up"
    case .notText: "it is no text, as evemu and libinput record it; a capture of packets is imported without --as"
    case .empty: "there is nothing in it to play"
    }
  }
}

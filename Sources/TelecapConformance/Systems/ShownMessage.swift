import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The parts of a stream's message that an event shows: its sequence number, measures, times and bits, by the names of
/// the stream's events.
struct ShownMessage {
  /// The output for one value of the stream.
  private struct Part {
    let name: String
    /// Its index among the values of the stream.
    let place: Int
    let row: FieldRow
    /// The bit that is shown; nil where the number is.
    let bit: UInt64?
    let shown: Double?
    /// The exact whole number; nil where it was printed with decimals, or with a factor that rounds it.
    let exact: UInt64?
    /// Its maximum rounding error.
    let half: Double

    /// Whether it shows a measure.
    var isMeasure: Bool { bit == nil && row.valueType.isFloat }
  }

  /// The shown sequence number; nil without one.
  let number: UInt64?
  /// The name of the sequence number's field.
  let numberName: String
  private let parts: [Part]
  private let stream: JudgedStream

  /// - Parameters:
  ///   - whole: the exact whole number of a field.
  ///   - roundedBy: the maximum rounding error of a field; nil where it is printed in full.
  init(
    of stream: JudgedStream, _ number: (String) -> Double?, _ whole: (String) -> WholeNumber?,
    _ roundedBy: (FieldRow, String) -> Double?
  ) {
    self.stream = stream
    var own: (name: String, value: UInt64?) = (stream.order?.name ?? "number", nil)
    var parts: [Part] = []
    for field in stream.rules.events?.fields ?? [] {
      switch field {
      case .number(let name):
        own = (name, number(name).flatMap { UInt64(exactly: $0) }.flatMap { $0 <= stream.numbers.last ? $0 : nil })
      case .value(let name, let place):
        let row = stream.values[place]
        parts.append(
          Part(
            name: name, place: place, row: row, bit: nil, shown: number(name), exact: whole(name)?.unsigned,
            half: roundedBy(row, name) ?? 0))
      case .bit(let name, let bit, let place):
        let row = stream.values[place]
        parts.append(Part(name: name, place: place, row: row, bit: bit, shown: number(name), exact: nil, half: 0))
      case .key: continue
      }
    }
    (numberName, self.number, self.parts) = (own.name, own.value, parts)
  }

  /// Whether it shows neither a sequence number nor a value.
  var isEmpty: Bool { number == nil && parts.allSatisfy { $0.shown == nil || $0.bit != nil } }

  /// The number of shown measures.
  var count: Int { parts.count { $0.isMeasure && $0.shown != nil } }

  /// Its numbers with the sent ones.
  func compared(with sent: StreamValue) -> [(field: String, shown: Double, sent: Double, isSame: Bool)] {
    parts.compactMap { part in
      guard part.bit == nil, let shown = part.shown else { return nil }
      let value = sent.values[part.place]
      // A program that shows ms truncates µs.
      let isSame =
        part.isMeasure
        ? isClose(shown, value, part)
        : (shown - value).magnitude <= max(part.row.unit == "µs" ? 1_000 : 0, 4 * value.ulp)
      return (part.name, shown, value, isSame)
    }
  }

  /// Whether all shown values are the sent ones, apart from rounding; the sequence number only if `isNumbered`.
  func isSame(as sent: StreamValue, isNumbered: Bool = true) -> Bool {
    if isNumbered, let number, number != sent.number { return false }
    return parts.allSatisfy { part in
      guard part.bit == nil else { return true }
      guard part.isMeasure else { return isWholeShown(part, of: sent.values) }
      return part.shown.map { isClose($0, sent.values[part.place], part) } ?? true
    }
  }

  /// The sent values, replaced by the shown ones where these differ by more than rounding. Without a sent message all
  /// values are 0, except the last of a unit quaternion.
  func filled(from sent: StreamValue?) -> AppliedValue {
    var numbers: [StreamNumber] = stream.values.enumerated().map { place, row in
      guard let values = sent?.values else { return nothing(row) }
      return row.valueType.isFloat ? .real(values[place]) : .whole(values.whole(at: place) ?? WholeNumber(0))
    }
    for part in parts {
      if let bit = part.bit {
        guard let shown = part.shown, case .whole(let whole) = numbers[part.place] else { continue }
        let bits = whole.unsigned ?? 0
        numbers[part.place] = .whole(WholeNumber(shown == 0 ? bits & ~bit : bits | bit))
      } else if part.isMeasure {
        guard let shown = part.shown, case .real(let own) = numbers[part.place], !isClose(shown, own, part) else {
          continue
        }
        numbers[part.place] = .real(part.row.type == .f32 ? Double(Float(shown)) : shown)
      } else if !isWholeShown(part, of: sent?.values ?? StreamValues(numbers: numbers)),
        let shown = part.exact ?? part.shown.flatMap({ UInt64(exactly: $0) })
      {
        numbers[part.place] = .whole(WholeNumber(shown))
      }
    }
    return AppliedValue(
      stream: stream.rules.name, number: number ?? sent?.number ?? 0, values: StreamValues(numbers: numbers),
      names: stream.rules.events)
  }

  private func nothing(_ row: FieldRow) -> StreamNumber {
    guard row.valueType.isFloat else { return .whole(WholeNumber(0)) }
    return .real(stream.kind.layout.unitQuaternion.last == row.name ? 1 : 0)
  }

  /// Whether a shown whole number is the sent one, apart from rounding by the program and in doubles; true if it is not
  /// shown.
  private func isWholeShown(_ part: Part, of values: StreamValues) -> Bool {
    let sent = values.whole(at: part.place)?.unsigned ?? 0
    if let shown = part.shown, part.half > 0, (shown - Double(sent)).magnitude <= part.half { return true }
    if let exact = part.exact { return WholeNumber(exact).isRounding(of: WholeNumber(sent)) }
    return part.shown.map { $0 == Double(sent) } ?? true
  }

  /// Whether the numbers are equal, or close enough for rounding to four digits, to a millionth, or to the printed
  /// precision.
  private func isClose(_ shown: Double, _ sent: Double, _ part: Part) -> Bool {
    if shown == sent || (shown.isNaN && sent.isNaN) { return true }
    return (shown - sent).magnitude <= max(1e-6, 1e-4 * sent.magnitude, part.half)
  }
}

import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// A message of a stream as far as an event of a program shows it: its number, its measures, its times and its bits, by the names
/// of the stream's events.
struct ShownMessage {
  /// What a line shows of one value of the stream.
  private struct Part {
    let name: String
    /// Its index among the values of the stream.
    let place: Int
    let row: FieldRow
    /// The bit that is shown; nil where the number is.
    let bit: UInt64?
    let shown: Double?
    /// The same with every digit, of a whole number; nil where it was printed with decimals, or by a factor that rounds it.
    let exact: UInt64?
    /// By how much it may have been rounded.
    let half: Double

    /// Its number is measured.
    var isMeasure: Bool { bit == nil && row.valueType.isFloat }
  }

  /// The number that is shown; nil where none is.
  let number: UInt64?
  /// The name of the number's field.
  let numberName: String
  private let parts: [Part]
  private let stream: JudgedStream

  /// - Parameters:
  ///   - whole: a whole number that a field shows, with every digit.
  ///   - roundedBy: by how much the number of a field may have been rounded; nil where it is printed in full.
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

  /// It shows neither a number nor a value.
  var isEmpty: Bool { number == nil && parts.allSatisfy { $0.shown == nil || $0.bit != nil } }

  /// How many measures are shown.
  var count: Int { parts.count { $0.isMeasure && $0.shown != nil } }

  /// Its numbers next to those that were sent.
  func compared(with sent: StreamValue) -> [(field: String, shown: Double, sent: Double, isSame: Bool)] {
    parts.compactMap { part in
      guard part.bit == nil, let shown = part.shown else { return nil }
      let value = sent.values[part.place]
      // A program that shows ms has cut off what is less.
      let isSame =
        part.isMeasure
        ? isClose(shown, value, part)
        : (shown - value).magnitude <= max(part.row.unit == "µs" ? 1_000 : 0, 4 * value.ulp)
      return (part.name, shown, value, isSame)
    }
  }

  /// Everything that is shown is what was sent, but for rounding; its number only where that counts.
  func isSame(as sent: StreamValue, isNumbered: Bool = true) -> Bool {
    if isNumbered, let number, number != sent.number { return false }
    return parts.allSatisfy { part in
      guard part.bit == nil else { return true }
      guard part.isMeasure else { return isWholeShown(part, of: sent.values) }
      return part.shown.map { isClose($0, sent.values[part.place], part) } ?? true
    }
  }

  /// What was sent with what is shown in its place; a number that is the same but for rounding stays. Nothing stands for a message
  /// of which nothing was sent: no number is 0 there, but for the last of a unit quaternion.
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

  /// What is shown of a whole number is what was sent, but for what the program and a double round; or it is not shown.
  private func isWholeShown(_ part: Part, of values: StreamValues) -> Bool {
    let sent = values.whole(at: part.place)?.unsigned ?? 0
    if let shown = part.shown, part.half > 0, (shown - Double(sent)).magnitude <= part.half { return true }
    if let exact = part.exact { return WholeNumber(exact).isRounding(of: WholeNumber(sent)) }
    return part.shown.map { $0 == Double(sent) } ?? true
  }

  /// The same number, or near enough to have been rounded to four digits, to a millionth, or to what is printed.
  private func isClose(_ shown: Double, _ sent: Double, _ part: Part) -> Bool {
    if shown == sent || (shown.isNaN && sent.isNaN) { return true }
    return (shown - sent).magnitude <= max(1e-6, 1e-4 * sent.magnitude, part.half)
  }
}

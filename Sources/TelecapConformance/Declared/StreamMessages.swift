import TelecapWire

/// Messages of a stream as a correct sender may send them.
extension JudgedStream {
  /// The `count`th message that a correct sender sends.
  func message(count: UInt64) -> Message { message(count, numbered: numbers.number(count)) }

  /// A message with valid fields. Each of its values differs from the others.
  ///
  /// - Parameters:
  ///   - number: the seed of its values.
  ///   - given: its sequence number; the same as `number` unless given.
  func message(
    _ number: UInt64, numbered given: UInt64? = nil, changing field: FieldRow? = nil, to value: Double = 0
  ) -> Message {
    var message = Message.right(kind)
    if let counter { message.put(bits: given ?? number, counter) }
    for (place, row) in values.enumerated() where row == field || !row.isGiven {
      if row == field {
        message.put(value, row)
      } else if case .codes(let codes) = row.rule {
        // The largest codes are not exact as doubles.
        message.put(bits: usual(number, place, codes), row)
      } else {
        message.put(usual(number, place, row), row)
      }
    }
    turn(&message, by: number, besides: field)
    message.seal()
    return message
  }

  /// The fields of its unit quaternion.
  var quaternion: [FieldRow] { kind.layout.unitQuaternion.compactMap { kind.layout[$0] } }

  /// Writes an orientation that differs between messages and axes into the fields of a quaternion.
  private func turn(_ message: inout Message, by number: UInt64, besides changed: FieldRow?) {
    guard quaternion.count == 4 else { return }
    // Each component is negative in half of the messages.
    let parts = quaternion.indices.map { Double(step(number, $0)) * (number >> UInt64($0) & 1 == 1 ? -1 : 1) }
    let norm = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    for (row, part) in zip(quaternion, parts) where row != changed { message.put(part / norm, row) }
  }

  /// An increment of a sum, every third one negative where the field is signed. It is small compared with the range,
  /// since clamping at a limit would hide it. Nil where a rule of the field limits its values.
  private func increment(_ number: UInt64, _ step: Double, _ row: FieldRow) -> Double? {
    guard row.rule == .any || row.rule == .finite, let own = row.steps(over: 4 * 37) else { return nil }
    let most = rules.range.map { min(37, ($0.upperBound - $0.lowerBound) / 64) } ?? 37
    let isWhole = row.valueType.isWhole
    let size = isWhole ? 1 + step.truncatingRemainder(dividingBy: max(1, most.rounded(.down))) : most * step / 38
    guard let down = own.down, own.up == nil || number % 3 == 0 else { return min(size, own.up ?? 0) }
    return max(-size, down)
  }

  private func step(_ number: UInt64, _ place: Int) -> Int {
    (Int(truncatingIfNeeded: number) & 0xffff + 3 * place) % 37 + 1
  }

  /// A code other than 0 where there is one.
  private func usual(_ number: UInt64, _ place: Int, _ codes: [Code]) -> UInt64 {
    let values = codes.map(\.value).filter { $0 != 0 }
    return values.isEmpty ? 0 : values[step(number, place) % values.count]
  }

  /// A value within the field's range and the stream's that is not 0 and differs from the other fields and the message
  /// before.
  private func usual(_ number: UInt64, _ place: Int, _ row: FieldRow) -> Double {
    let step = Double(step(number, place))
    if adds, let increment = increment(number, step, row) { return increment }
    var range = rules.range
    switch row.rule {
    case .range(let own): range = range.map { $0.clamped(to: own) } ?? own
    case .bits(let mask): return Double(UInt64(step) & mask)
    default: break
    }
    if let value = scaled(step, row, in: range) { return value }
    let isWhole = row.valueType.isWhole
    guard let range else { return isWhole ? step : step / 64 }
    // Interpolate without the width, which may overflow. Rounding may leave a narrow range.
    let between = range.lowerBound * (1 - step / 38) + range.upperBound * (step / 38)
    let value = min(max(between, range.lowerBound), range.upperBound)
    guard isWhole else { return value }
    // Avoid 0, the value after a silence.
    let nearest: Double = range.upperBound >= 1 ? 1 : range.lowerBound <= -1 ? -1 : 0
    return value.rounded() == 0 ? nearest : value.rounded()
  }

  /// The value, other than 0, of a number that a scaled field contains, one of 37 in the range; nil of other fields.
  private func scaled(_ step: Double, _ row: FieldRow, in range: ClosedRange<Double>?) -> Double? {
    guard let scale = row.scale else { return nil }
    let all = Double(row.type.smallest)...Double(row.type.largest)
    let numbers = range.flatMap(scale.numbers)?.clamped(to: all)
    let number =
      numbers.map { ($0.lowerBound * (1 - step / 38) + $0.upperBound * (step / 38)).rounded() }
      ?? min(step, all.upperBound)
    let value = scale.value(of: number)
    guard value == 0 else { return value }
    return scale.value(of: number < (numbers ?? all).upperBound ? number + 1 : number - 1)
  }
}

extension FieldRow {
  /// One of a few allowed values of an unsigned key field; nil where its rule leaves no choice.
  func rightKey(_ index: Int) -> UInt64? {
    let most = type.largest
    switch rule {
    case .equal, .reserved, .form: return nil
    case .codes(let codes): return codes.isEmpty ? nil : codes[index % codes.count].value
    case .bits(let mask):
      // The lowest two bits that may be set.
      let bits = (0..<64).lazy.map { UInt64(1) << UInt64($0) }.filter { mask & most & $0 != 0 }.prefix(2)
      return bits.enumerated().reduce(0) { $0 | (index >> $1.offset & 1 == 1 ? $1.element : 0) }
    case .range(let range):
      let low = UInt64(exactly: max(0, range.lowerBound.rounded(.up))) ?? 0
      let high = min(most, UInt64(exactly: range.upperBound.rounded(.down)) ?? most)
      return high < low ? nil : low + UInt64(index) % (high - low == .max ? .max : high - low + 1)
    case .any, .finite: return UInt64(index) & most
    }
  }

  /// Values at the ends of the allowed range of the field and the stream, and some between them with every byte in use;
  /// without 0, the value after a silence.
  func extremes(in range: ClosedRange<Double>?, addsUp: Bool) -> [Double] {
    switch rule {
    case .codes(let codes): return codes.map { Double($0.value) }.filter { $0 != 0 }.reversed()
    case .bits(let mask): return ([mask] + (0..<64).map { mask & 1 << $0 }).filter { $0 != 0 }.map(Double.init)
    case .equal, .reserved, .form: return []
    case .any, .finite, .range: break
    }
    guard var own = numbers(upTo: 98_765.4321) else { return [] }
    if case .range(let rule) = rule { own = own.clamped(to: rule) }
    if addsUp {
      // A receiver may add in 32 bits.
      own = own.clamped(to: -1_000_003...1_000_003)
    } else if let range {
      own = own.clamped(to: range)
    }
    let between = [own.upperBound * 0.37, own.lowerBound * 0.37, own.upperBound / 777, own.lowerBound / 777]
    let isWhole = valueType.isWhole
    return ([own.upperBound, own.lowerBound] + between).map { isWhole ? $0.rounded() : $0 }.filter {
      $0 != 0 && own.contains($0)
    }
  }

  /// The range of its type; for measures at most ±`measure`. Nil for types without numbers.
  private func numbers(upTo measure: Double) -> ClosedRange<Double>? {
    if type.isFloat { return -measure...measure }
    guard type.isWhole else { return nil }
    let own = Double(type.smallest)...Double(type.largest)
    guard let scale else { return own }
    let ends = [own.lowerBound, own.upperBound].map(scale.value)
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }

  /// The largest steps up and down for a sum over a range of this width; nil where the field's rule leaves no choice.
  func steps(over width: Double) -> (up: Double?, down: Double?)? {
    guard var own = numbers(upTo: width / 4)?.clamped(to: -0x1p31...0x1p31) else { return nil }
    switch rule {
    case .range(let range): own = own.clamped(to: range)
    case .any, .finite: break
    default: return nil
    }
    return (own.upperBound > 0 ? own.upperBound : nil, own.lowerBound < 0 ? own.lowerBound : nil)
  }

  /// Whether its rule allows only one value.
  fileprivate var isGiven: Bool { isConstant || rule == .reserved }
}

import TelecapWire

/// Messages of a stream as a correct sender might send them.
extension JudgedStream {
  /// A message that is right in every field, each value of it another.
  func message(_ number: UInt64, changing field: FieldRow? = nil, to value: Double = 0) -> Message {
    var message = Message.right(kind)
    if let order { message.put(bits: number, order) }
    for (place, row) in values.enumerated() where row == field || !row.isGiven {
      if row == field {
        message.put(value, row)
      } else if case .codes(let codes) = row.rule {
        // The largest codes are no doubles.
        message.put(bits: usual(number, place, codes), row)
      } else {
        message.put(usual(number, place, row), row)
      }
    }
    message.seal()
    return message
  }

  private func step(_ number: UInt64, _ place: Int) -> Int {
    (Int(truncatingIfNeeded: number) & 0xffff + 3 * place) % 37 + 1
  }

  /// A code other than 0 where there is one.
  private func usual(_ number: UInt64, _ place: Int, _ codes: [Code]) -> UInt64 {
    let values = codes.map(\.value).filter { $0 != 0 }
    return values.isEmpty ? 0 : values[step(number, place) % values.count]
  }

  /// A value that is neither 0 nor what another field or the message before has, within the field's range and the stream's.
  private func usual(_ number: UInt64, _ place: Int, _ row: FieldRow) -> Double {
    let step = Double(step(number, place))
    var range = rules.range
    switch row.rule {
    case .range(let own): range = range.map { $0.clamped(to: own) } ?? own
    case .bits(let mask): return Double(UInt64(step) & mask)
    default: break
    }
    let isWhole = row.type != .f32 && row.type != .f64
    guard let range else { return isWhole ? step : step / 64 }
    // Not the width, which may be more than a number holds. Rounding may leave a narrow range.
    let between = range.lowerBound * (1 - step / 38) + range.upperBound * (step / 38)
    let value = min(max(between, range.lowerBound), range.upperBound)
    guard isWhole else { return value }
    // 0 is what silence makes of it.
    let nearest: Double = range.upperBound >= 1 ? 1 : range.lowerBound <= -1 ? -1 : 0
    return value.rounded() == 0 ? nearest : value.rounded()
  }
}

extension FieldRow {
  /// One of a few values of an unsigned field of a key that its rule allows; nil where the rule leaves no choice.
  func rightKey(_ index: Int) -> UInt64? {
    let most = type.size.map { $0 >= 8 ? UInt64.max : UInt64(1) << UInt64(8 * $0) - 1 } ?? 1
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

  /// Its rule leaves it no choice.
  fileprivate var isGiven: Bool {
    if case .equal = rule { return true }
    return rule == .reserved
  }
}

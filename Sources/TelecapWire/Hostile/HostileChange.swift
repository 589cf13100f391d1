/// A change of one field of a message that tests the robustness of its receiver (semantics.md, Impairments: hostile).
public enum HostileChange: Hashable, Sendable {
  /// These bits; of text its bytes, the first one lowest.
  case bits(UInt64)
  /// The number that is there and so much more, within the field's width.
  case step(Int64)
  /// The bits that are there with these flipped.
  case flip(UInt64)
  /// Not a field: so many bytes more or less at the message's end.
  case resize(by: Int)
  /// Not a field: nothing is left but so many bytes.
  case cut(to: Int)
}

extension FieldRow {
  /// The bits that a change can hold, those of a number or of at most eight bytes; nil where there is no such number.
  private var changeable: BitSlice? {
    if type.isDecimal { return BitSlice(count: bitCount, shift: 0) }
    return type.slice ?? type.size.flatMap { (1...8).contains($0) ? BitSlice(count: 8 * $0, shift: 0) : nil }
  }

  /// The changes to try: the boundaries of its rule, the values just outside, and difficult numbers of its type.
  ///
  /// - Parameter isSequence: it puts the messages of a stream in order.
  func hostileChanges(isSequence: Bool) -> [HostileChange] {
    guard let slice = changeable else { return [] }
    let (all, highest) = (slice.mask, UInt64(1) << UInt64(slice.count - 1))
    if isSequence { return FieldRow.neighbours(highest) }
    switch (type, rule) {
    case (_, .equal(let value)): return [.bits(value ^ 1), .bits(value ^ highest), .bits(0)]
    case (_, .reserved): return [.bits(1), .bits(highest), .bits(all)]
    case (_, .bits(let mask)):
      let reserved = all & ~mask
      return [.flip(reserved & (~reserved &+ 1)), .flip(reserved), .bits(mask)].filter { $0 != .flip(0) }
    case (_, .codes(let codes)):
      let values = codes.map(\.value)
      let beyond = [0, (values.max() ?? 0) &+ 1, all].filter { $0 <= all && !values.contains($0) }
      return (values + beyond).map { .bits($0) }
    case (.f32, _): return FieldRow.floats(Float.self, rule).map { .bits(UInt64($0.bitPattern)) } + [.flip(1 << 31)]
    case (.f64, _): return FieldRow.floats(Double.self, rule).map { .bits($0.bitPattern) } + [.flip(1 << 63)]
    case (.text, _), (.octets, _):
      // One byte wrong, in case, at either end; none at all.
      return [.flip(0x20), .flip(1), .flip(1 << UInt64(slice.count - 8)), .bits(0), .bits(all)]
    default: return integers(sign: highest, all)
    }
  }

  /// Just inside and outside the range of its rule, and where its type ends or changes its sign.
  private func integers(sign: UInt64, _ all: UInt64) -> [HostileChange] {
    let isSigned = type.isSigned
    var values = [0, 1, sign - 1, sign, (sign + 1) & all, all - 1, all]
    if case .range(let right) = rule, let range = numbers(of: right) {
      for bound in [range.lowerBound, range.upperBound] {
        guard let whole = Int64(exactly: bound.rounded()) else { continue }
        for value in [whole &- 1, whole, whole &+ 1] where isSigned || value >= 0 {
          values.append(UInt64(bitPattern: value) & all)
        }
      }
    }
    var seen: Set<UInt64> = []
    return values.filter { seen.insert($0).inserted }.map { .bits($0) }
  }

  /// The numbers around the one that is there: the next and the one before, and those about half the range away (RFC 1982).
  private static func neighbours(_ half: UInt64) -> [HostileChange] {
    let half = Int64(bitPattern: half)
    return [1, -1, half / 2, half &- 1, half, half &+ 1].map { .step($0) }
  }

  /// Borders, signed zeros, a subnormal, the largest, ∞ and NaN.
  private static func floats<Number: BinaryFloatingPoint>(_ type: Number.Type, _ rule: FieldRule) -> [Number] {
    var values: [Number] = [
      0, -Number.zero, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity,
      -.infinity,
      .nan,
    ]
    if case .range(let range) = rule {
      let (low, high) = (Number(range.lowerBound), Number(range.upperBound))
      let half = (high - low) / 2
      values += [low - half, low.nextDown, low, low.nextUp, high.nextDown, high, high.nextUp, high + half]
    }
    return values
  }

  /// Writes the lowest bits of a number, or of text its bytes with the first one lowest; where the message ends before, nothing
  /// is written.
  public func write(bits: UInt64, into bytes: inout [UInt8]) {
    if changeable != nil { FieldPlace(self).write(bits, into: &bytes) }
  }

  /// The bits that a change may replace: those of a number, or of short text with the first byte lowest; nil where there are
  /// none.
  public func changeableBits(in bytes: RawSpan) -> UInt64? {
    if type.isNumber { return bits(in: bytes) }
    return changeable == nil ? nil : FieldPlace(self).bits(in: bytes)
  }

  /// Its bits after a change; nil if the change is not one of a field.
  public func bits(_ present: UInt64, after change: HostileChange) -> UInt64? {
    guard let all = changeable?.mask else { return nil }
    switch change {
    case .bits(let bits): return bits & all
    case .step(let step): return (present &+ UInt64(bitPattern: step)) & all
    case .flip(let bits): return (present ^ bits) & all
    case .resize, .cut: return nil
    }
  }
}

extension MessageKind {
  /// The fields that hold checksums, in the order in which they are written.
  public var checkFields: [FieldRow] { layout.checkFields }

  /// All changes that are worth trying on such a message, in a fixed order: those of each field, then those of its length.
  public var hostileChanges: [(field: FieldRow?, change: HostileChange)] {
    let order = numbering?.order.name
    var all: [(field: FieldRow?, change: HostileChange)] = []
    for row in layout.fields where row.check == nil {
      all += row.hostileChanges(isSequence: row.name == order).map { (row, $0) }
    }
    for row in checkFields {
      all += [(row, .flip(1)), (row, .flip(0xffff_ffff >> UInt64(32 - min(32, row.bitCount))))]
    }
    all += [(nil, .resize(by: -1)), (nil, .resize(by: 1))]
    let header = layout.fields.prefix(layout.headerCount).compactMap { row in row.type.size.map { row.offset + $0 } }
      .max()
    if let header, header < layout.fixedSize - 1 { all.append((nil, .cut(to: header))) }
    return all
  }
}

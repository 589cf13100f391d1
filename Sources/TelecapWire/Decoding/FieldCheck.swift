/// One field's rule made ready to be run on bytes, so that a message's checks are a flat list. Whole numbers are compared
/// as whole numbers, of every width. Nothing in it is counted, so that a packet's checks cost no more than they compare:
/// lists and patterns are in `FieldCheckLists`.
struct FieldCheck: Sendable {
  private enum Kind: UInt8 {
    case mask, code, unsigned, signed, float, double, form, decimal
  }

  private let kind: Kind
  private let index: UInt8
  private let size: UInt16
  private let byteOrder: ByteOrder
  /// Where it is in a message that shows that; in others it is at `offset`.
  private let shifted: FieldPlace?
  private let parts: VariableParts?
  private let part: Int
  /// The byte that ends its text.
  private let terminator: UInt8?
  private let slice: BitSlice?
  private let offset: Int
  /// Bits that must not be set.
  private let forbidden: UInt64
  /// The borders of a range, as bits of the field's own kind of number.
  private let low: UInt64
  private let high: UInt64
  /// For codes below 64 one bit each; larger ones in a list.
  private let codes: UInt64
  /// The place of its list of larger codes, or of its form.
  private let place: Int
  private let rule: Rule
  private let notANumber: Rule

  /// The check of `field`, the row `index` of its table; nil where every value is right or the recognition looks at it.
  init?(
    _ field: FieldRow, index: Int, isRecognised: Bool, _ book: RuleBook, _ lists: inout FieldCheckLists
  ) {
    var forbidden: UInt64 = 0
    var (low, high): (UInt64, UInt64) = (0, 0)
    var (codes, place): (UInt64, Int) = (0, 0)
    var rule = book.outOfRange
    switch field.rule {
    case .any:
      guard field.type.isDecimal else { return nil }
      (kind, low, high) = (.decimal, UInt64(bitPattern: field.type.smallest), field.type.largest)
    case .equal(let value):
      if isRecognised { return nil }
      if field.type.isNumber {
        (kind, low, high) = (.unsigned, value, value)
      } else {
        (kind, place, rule) = (.form, lists.forms.count, Rule.badText)
        let size = min(8, field.type.size ?? 0)
        lists.forms.append(.constant((0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }, rule))
      }
    case .reserved:
      guard field.type.isNumber else { return nil }
      (kind, forbidden, rule) = (.mask, .max, book.reserved)
    case .bits(let allowed):
      guard field.type.isNumber else { return nil }
      (kind, forbidden, rule) = (.mask, ~allowed, book.reserved)
    case .codes(let known):
      guard field.type.isNumber else { return nil }
      (kind, rule) = (.code, book.unknownCode)
      codes = known.filter { $0.value < 64 }.reduce(0) { $0 | 1 << $1.value }
      place = lists.codes.count
      lists.codes.append(known.map(\.value).filter { $0 >= 64 })
    case .range(let range):
      guard let borders = field.numbers(of: range).flatMap({ Borders($0, of: field.type) }) else { return nil }
      (low, high) = (borders.low, borders.high)
      kind =
        switch borders.kind {
        case .unsigned: .unsigned
        case .signed: field.type.isDecimal ? .decimal : .signed
        case .float: .float
        case .double: .double
        }
    case .finite:
      guard field.type == .f32 || field.type == .f64 else { return nil }
      let isWide = field.type == .f64
      kind = isWide ? .double : .float
      low = isWide ? (-Double.greatestFiniteMagnitude).bitPattern : UInt64((-Float.greatestFiniteMagnitude).bitPattern)
      high = isWide ? Double.greatestFiniteMagnitude.bitPattern : UInt64(Float.greatestFiniteMagnitude.bitPattern)
    case .form(let text):
      (kind, place, rule) = (.form, lists.forms.count, text.rule)
      lists.forms.append(text)
    }
    self.index = UInt8(clamping: index)
    size = UInt16(clamping: field.type.size ?? 0)
    byteOrder = field.byteOrder
    if case .bits(let bits) = field.type { slice = bits } else { slice = nil }
    terminator = field.terminator?.byte
    offset = field.offset
    shifted = field.isVariable || field.type.isDecimal ? FieldPlace(field) : nil
    (parts, part) = (field.isPart ? field.parts : nil, field.partsBefore)
    (self.forbidden, self.low, self.high, self.codes, self.place) = (forbidden, low, high, codes, place)
    self.rule = field.breach ?? rule
    notANumber = book.notANumber
  }

  /// Looks at the field of a message of `count` bytes at the start of `bytes` and appends what is wrong.
  @inline(never)
  func run(
    _ bytes: RawSpan, size count: Int, _ message: MessageKind, _ lists: borrowing FieldCheckLists,
    _ findings: inout [Finding]
  ) {
    let start = shifted == nil ? offset : shifted?.start(in: bytes)
    guard let start else { return }
    if kind == .form {
      if let shifted, shifted.isCut { return checkCutForm(lists.forms[place], bytes, message, &findings) }
      return checkForm(lists.forms[place], bytes, at: start, count, message, &findings)
    }
    if kind == .decimal { return checkDecimal(bytes, message, &findings) }
    guard let bits = bits(in: bytes, at: start) else { return }
    switch kind {
    case .mask: if bits & forbidden == 0 { return }
    case .code: if bits < 64 ? codes >> bits & 1 == 1 : lists.codes[place].contains(bits) { return }
    case .unsigned: if bits >= low, bits <= high { return }
    case .signed:
      let value = FieldCheck.extended(bits, size)
      if value >= Int64(bitPattern: low), value <= Int64(bitPattern: high) { return }
    case .float:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      if value >= Float(bitPattern: UInt32(truncatingIfNeeded: low)),
        value <= Float(bitPattern: UInt32(truncatingIfNeeded: high))
      {
        return
      }
      return found(value.isNaN ? notANumber : rule, message, bytes, at: start, bits, &findings)
    case .double:
      let value = Double(bitPattern: bits)
      if value >= Double(bitPattern: low), value <= Double(bitPattern: high) { return }
      return found(value.isNaN ? notANumber : rule, message, bytes, at: start, bits, &findings)
    case .form, .decimal: return
    }
    found(rule, message, bytes, at: start, bits, &findings)
  }

  /// Its bytes in the message: of a payload whose zeros at the end are cut, those that were sent.
  private func range(in bytes: RawSpan, at start: Int) -> Range<Int> {
    if let shifted, shifted.isCut { return shifted.range(in: bytes) }
    return start..<start + Int(size)
  }

  private func bits(in bytes: RawSpan, at offset: Int) -> UInt64? {
    if let shifted, shifted.isCut { return shifted.bits(in: bytes) }
    if let slice { return bytes.integer(at: offset, slice, byteOrder) }
    return bytes.integer(at: offset, count: Int(size), byteOrder)
  }

  /// Values of the field that it surely finds nothing wrong with.
  var usual: FastPathCheck {
    let values = FastPathCheck(at: offset, size: Int(size), byteOrder, slice: slice)
    if shifted != nil { return values }
    return switch kind {
    case .mask: values.without(forbidden)
    case .code: values.codes(codes)
    case .unsigned: values.numbers(from: low, to: high)
    case .signed: values.numbers(from: Int64(bitPattern: low), to: Int64(bitPattern: high))
    case .float: values.floats(from: low, to: high, sign: 1 << 31)
    case .double: values.floats(from: low, to: high, sign: 1 << 63)
    case .form, .decimal: values
    }
  }

  /// A signed number of `size` bytes.
  private static func extended(_ bits: UInt64, _ size: UInt16) -> Int64 {
    let shift = UInt64(64 - 8 * Int(size))
    return Int64(bitPattern: bits << shift) >> Int64(shift)
  }

  @inline(never)
  private func found(
    _ rule: Rule, _ message: MessageKind, _ bytes: RawSpan, at start: Int, _ bits: UInt64, _ findings: inout [Finding]
  ) {
    findings.append(Finding(rule, range(in: bytes, at: start), .field(message, index: index, bits: bits)))
  }

  /// Digits that must be a number.
  @inline(never)
  private func checkDecimal(_ bytes: RawSpan, _ message: MessageKind, _ findings: inout [Finding]) {
    guard let shifted else { return }
    let range = shifted.digits(in: bytes)
    func found(_ rule: Rule, _ steps: Int32) {
      let bits = UInt64(UInt32(bitPattern: steps))
      findings.append(Finding(rule, range, .field(message, index: index, bits: bits)))
    }
    guard let number = shifted.number(in: bytes) else { return found(notANumber, 0) }
    let isInRange = Int64(number.steps) >= Int64(bitPattern: low) && Int64(number.steps) <= Int64(bitPattern: high)
    if !isInRange { return found(rule, number.steps) }
    if number.isRounded { found(.rounded, number.steps) }
  }

  /// Text of a payload whose zeros at the end are cut.
  @inline(never)
  private func checkCutForm(
    _ form: TextForm, _ bytes: RawSpan, _ message: MessageKind, _ findings: inout [Finding]
  ) {
    let row = message.layout.fields[Int(index)]
    guard let text = row.cutBytes(in: bytes), !form.holds(text.span.bytes) else { return }
    findings.append(Finding(rule, row.range(in: bytes), .field(message, index: index, bits: 0)))
  }

  /// Text of a fixed size has that; any other has that of its part, without the zeros that end it.
  @inline(never)
  private func checkForm(
    _ form: TextForm, _ bytes: RawSpan, at offset: Int, _ count: Int, _ message: MessageKind,
    _ findings: inout [Finding]
  ) {
    var end = size > 0 ? offset + Int(size) : count
    if size == 0, let parts {
      end = min(count, offset + parts.size(ofPart: part, in: bytes))
      end = bytes.end(of: offset..<max(offset, end), by: terminator)
    }
    guard offset <= end, end <= bytes.byteCount, !form.holds(bytes.extracting(offset..<end)) else { return }
    findings.append(Finding(rule, offset..<end, .field(message, index: index, bits: 0)))
  }
}

/// The data that few checks need, by index.
struct FieldCheckLists: Sendable {
  /// Codes of 64 and more.
  var codes: [[UInt64]] = []
  var forms: [TextForm] = []
}

/// The borders of a range as a field of some type holds them: of whole numbers those inside it.
private struct Borders {
  enum Kind { case unsigned, signed, float, double }
  let kind: Kind
  let low: UInt64
  let high: UInt64

  /// Nil where the type holds no number.
  init?(_ range: ClosedRange<Double>, of type: FieldType) {
    switch type {
    case .u8, .u16, .u24, .u32, .u64, .bits:
      kind = .unsigned
      // A range below 0 holds no such number.
      low = range.upperBound < 0 ? .max : UInt64(clampingDouble: range.lowerBound.rounded(.up))
      high = UInt64(clampingDouble: range.upperBound.rounded(.down))
    case .i8, .i16, .i24, .i32, .i64, .decimal:
      kind = .signed
      low = UInt64(bitPattern: Int64(clampingDouble: range.lowerBound.rounded(.up)))
      high = UInt64(bitPattern: Int64(clampingDouble: range.upperBound.rounded(.down)))
    case .f32:
      kind = .float
      low = UInt64(Float(range.lowerBound).bitPattern)
      high = UInt64(Float(range.upperBound).bitPattern)
    case .f64:
      kind = .double
      low = range.lowerBound.bitPattern
      high = range.upperBound.bitPattern
    case .text, .variableText, .octets, .variableOctets, .rest: return nil
    }
  }
}

extension FixedWidthInteger {
  /// The nearest number that the type holds; NaN is 0.
  fileprivate init(clampingDouble value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= Double(Self.max) {
      self = .max
    } else if value <= Double(Self.min) {
      self = .min
    } else {
      self = Self(value)
    }
  }
}

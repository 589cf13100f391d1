import TelecapConformance
import TelecapText
import TelecapWire

/// Reads what a field's value must be.
enum FieldRules {
  private static let keys = ["equals", "reserved", "bits", "range", "finite", "codes", "characters", "json"]

  /// The rules that an entry gives.
  static func given(_ entry: YAMLValue) -> [String] {
    keys.filter { entry[$0] != nil && entry[$0]?.flag != false }
  }

  /// Checks that an entry gives one rule at most.
  static func checkOne(_ entry: YAMLValue, _ row: FieldRow) throws(YAMLFileError) {
    let given = given(entry)
    guard given.count > 1 else { return }
    throw entry.at(given[1]).error("\"\(row.name)\" has two rules: \(given.joined(separator: " and "))")
  }

  /// The rule that a field is held to.
  static func read(_ entry: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> FieldRule {
    guard let key = given(entry).first, let value = entry[key] else { return .any }
    let isRight =
      switch key {
      case "equals": !row.type.isDecimal
      case "finite": row.type.isFloat
      case "bits", "codes": row.type.isWhole && !row.type.isDecimal
      case "characters": row.type.isText
      case "json": row.type == .variableText && row.terminator.map { $0.byte == 0 } ?? true
      case "reserved": row.type.isNumber && !row.type.isDecimal
      default: row.type.isNumber
      }
    guard isRight else {
      let what =
        switch key {
        case "finite": "floats"
        case "characters": "text"
        case "json": "text in FIELD"
        case "equals": "numbers in bytes, and text"
        case _ where row.type.isDecimal: "numbers in bytes"
        default: row.type.isFloat ? "whole numbers" : "numbers"
        }
      throw value.error("\"\(key)\" is for \(what); \"\(row.name)\" is \(row.type.name)")
    }
    switch key {
    case "equals":
      if case .text(let size) = row.type, size > 8, entry["is"] == nil { return try constantText(value, row) }
      return .equal(try constant(value, row))
    case "reserved": return .reserved
    case "bits":
      guard let mask = value.unsigned, mask <= .max >> UInt64(64 - row.bitCount) else {
        throw value.error("\"\(row.name)\" is \(row.type.name), which has no bits \(value.text ?? "")")
      }
      return .bits(mask)
    case "finite": return .finite
    case "characters": return .form(try TextForms.characters(value, entry["count"], row))
    case "json": return .form(.jsonObject(.badText))
    case "range": return .range(try range(value, row))
    default: return .codes(try codes(value, row))
    }
  }

  /// `[smallest, largest]`, both finite.
  static func range(_ value: YAMLValue) throws(YAMLFileError) -> ClosedRange<Double> {
    let numbers = value.list.compactMap(\.number)
    guard numbers.count == 2, value.list.count == 2 else {
      let count = value.list.count
      throw value.error(
        "range is two numbers, [smallest, largest], found \(count)\(count > 2 ? ": a decimal point is no comma" : "")")
    }
    guard numbers.allSatisfy(\.isFinite) else { throw value.error("range is [smallest, largest], both finite") }
    guard numbers[0] <= numbers[1] else {
      let texts = value.list.map { $0.text ?? "" }
      throw value.error("range is [smallest, largest]: write [\(texts[1]), \(texts[0])]")
    }
    for (number, entry) in zip(numbers, value.list) { try checkIsExact(number, entry) }
    return numbers[0]...numbers[1]
  }

  /// A bound is kept as a double, and a whole number that no double holds would become another bound than the one written.
  /// The largest whole numbers of 64 bits are no danger: their doubles are cut to the end of the field's type.
  private static func checkIsExact(_ number: Double, _ entry: YAMLValue) throws(YAMLFileError) {
    guard let whole = entry.text.flatMap({ WholeNumber($0) }), whole.magnitude > WholeNumber.exactInDouble,
      whole.unsigned != .max, whole.signed != .max, UInt64(exactly: number.magnitude) != whole.magnitude
    else { return }
    let magnitude = WholeNumber(UInt64(exactly: number.magnitude) ?? .max)
    let nearest = whole.isNegative ? magnitude.negated ?? magnitude : magnitude
    throw entry.error("a bound is a double, which cannot be \(whole); write the nearest, \(nearest)")
  }

  private static func range(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> ClosedRange<Double> {
    let range = try range(value)
    for (number, entry) in zip([range.lowerBound, range.upperBound], value.list) {
      if !holds(row, number) { throw entry.error(doesNotFit(entry, row)) }
    }
    guard row.numbers(of: range) != nil else {
      throw value.error("no number on the wire gives a value in this range: one step of \"\(row.name)\" is larger")
    }
    return range
  }

  /// A finite number that the field's type holds.
  static func number(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> Double {
    guard let number = value.number, number.isFinite, holds(row, number) else {
      throw value.error(doesNotFit(value, row))
    }
    return number
  }

  private static func holds(_ row: FieldRow, _ number: Double) -> Bool {
    if row.scale != nil { return row.bits(ofScaled: number) != nil }
    return switch row.type {
    case .f32: Float(number).isFinite
    case .f64: true
    default: number == number.rounded() && number >= Double(row.type.smallest) && number <= Double(row.type.largest)
    }
  }

  private static func codes(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> [Code] {
    var codes: [Code] = []
    guard case .mapping(let pairs) = value.content, !pairs.isEmpty else { throw value.error("\"codes\" is empty") }
    for (key, name) in pairs {
      guard let number = key.unsigned else {
        if let problem = value.punctuationProblem(at: key) { throw problem }
        let swapped = name.unsigned.map { number in "; write {\(number): \(key.text ?? "")}" }
        throw key.error("a code is a number from 0, found \"\(key.text ?? "")\"\(swapped ?? "")")
      }
      if let problem = key.leadingZeroProblem { throw problem }
      guard row.type.bits(of: key) != nil else { throw key.error(doesNotFit(key, row)) }
      if let other = codes.first(where: { $0.value == number }) {
        throw key.error("the code \(number) is \"\(other.name)\" already")
      }
      codes.append(Code(number, name.text ?? ""))
    }
    return codes
  }

  /// Text that is always the same. The type of a message and a text that ends with 0 are padded with zeros; any other has
  /// the size of the field.
  static func constantText(
    _ value: YAMLValue, _ row: FieldRow, isPadded: Bool = false
  ) throws(YAMLFileError) -> FieldRule {
    let (bytes, size) = (Array((value.text ?? "").utf8), row.type.size ?? 0)
    let isWhole = isPadded ? bytes.count <= size && !bytes.isEmpty : bytes.count == size
    guard isWhole, !bytes.contains(0) else { throw value.error(doesNotFit(value, row)) }
    let padded = bytes + [UInt8](repeating: 0, count: size - bytes.count)
    guard size <= 8 else { return .form(.constant(padded, .badText)) }
    return .equal(padded.reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// A whole number, or up to eight bytes of text, as the bits on the wire.
  static func constant(_ value: YAMLValue, _ row: FieldRow) throws(YAMLFileError) -> UInt64 {
    if let bits = row.type.bits(of: value) { return bits }
    if row.type.isFloat {
      throw value.error("a constant is a whole number or text; \"\(row.name)\" is \(row.type.name)")
    }
    guard case .text(let size) = row.type else { throw value.error(doesNotFit(value, row)) }
    guard size <= 8 else {
      throw value.error("\"\(row.name)\" is \(row.type.name); a constant has at most 8 bytes")
    }
    guard let text = value.text, text.utf8.count == size else { throw value.error(doesNotFit(value, row)) }
    return text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func doesNotFit(_ value: YAMLValue, _ row: FieldRow) -> String {
    let what = "\"\(row.name)\" is \(row.type.name)"
    if let scale = row.scale {
      let ends = [scale.value(of: Double(row.type.smallest)), scale.value(of: Double(row.type.largest))].sorted()
      return "\(what), which holds values from \(ends[0]) to \(ends[1]), not \(value.text ?? "")"
    }
    if row.type.isWhole, value.number != nil {
      return "\(what), which holds whole numbers from \(row.type.smallest) to \(row.type.largest), not "
        + "\(value.text ?? "")"
    }
    let meant = ConstantAdvice.text(for: value, in: row.type)
    return "\(what), which cannot be \"\(value.text ?? "this")\"\(meant.map { "; \($0)" } ?? "")"
  }
}

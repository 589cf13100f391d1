import TelecapModels
import TelecapText
import TelecapWire

/// How a program shows the values of a stream, which follows from its declaration.
enum StreamShowing: Hashable, Sendable {
  /// Each by its number, its key and its values: of a stream that a protocol file declares.
  case plain
  /// Each message that is applied, by its number or by its values.
  case messages
  /// Each message that is applied, by codes.
  case codes
  /// A measure that holds until it changes.
  case measure
  /// How far counts have gone.
  case counts
  /// Bits that hold until they change, as one number or each by itself.
  case bits
}

extension JudgedStream {
  /// A stream as its events show it, of which nothing is required; nil where the protocol has no such message.
  public convenience init?(shown rules: StreamRules, of owner: WireProtocol) {
    self.init(rules, of: owner, requirements: [], words: { value, _ in "\(rules.name) \(value.number ?? 0)" })
  }

  /// How a program shows it.
  var showing: StreamShowing {
    guard let events = rules.events else { return .plain }
    if adds { return .counts }
    if rules.merge == .event { return .codes }
    if isNumbered { return .messages }
    return events.parts.isEmpty ? .measure : .bits
  }

  /// What is shown of it.
  func showing(_ values: StreamValues, key: [UInt64] = []) -> AppliedValue {
    AppliedValue(stream: rules.name, key: key, values: values, names: rules.events)
  }

  /// Its fields whose values are codes; none where they are numbers that anything may be.
  var codedFields: [String] {
    switch showing {
    case .codes: (keys + values).map(\.name)
    case .bits: rules.events?.parts ?? []
    default: []
    }
  }

  /// Whether a field of it is a whole number: no such number is half of one.
  func isWhole(_ field: String) -> Bool {
    switch showing {
    case .codes, .counts, .bits: true
    case .messages: counts(field)
    case .plain, .measure: false
    }
  }

  /// Whether a program may round what it prints of a field: a measure, and not a count, a code or a word.
  func mayBeRounded(_ field: String, isScaled: Bool) -> Bool {
    switch showing {
    // Whole numbers are compared with every digit, unless a factor rounds them.
    case .plain: isMeasured(field) || !counts(field) && isScaled
    case .messages: !counts(field) && values.contains { $0.name == field }
    case .measure: true
    case .codes, .counts, .bits: false
    }
  }
}

extension WireProtocol {
  /// Its streams for whose values system files have names.
  var shownStreams: [JudgedStream] {
    streams.filter { $0.events != nil }.compactMap { JudgedStream(shown: $0, of: self) }
  }
}

extension FieldType {
  /// The nearest number to this that a field of the type holds, as its bits; of a type with a sign, from 0.
  func clamped(_ number: WholeNumber) -> UInt64 {
    guard let bits = number.unsigned else { return 0 }
    let width = 8 * (size ?? 8)
    return width < 64 ? min(bits, 1 << UInt64(width) - 1) : bits
  }
}

extension FieldRule {
  /// The two values that a field of this rule has, which a system file may have confused; none where it has others.
  var twoCodes: [Int]? {
    switch self {
    case .codes(let codes) where codes.count == 2: codes.map { Int(clamping: $0.value) }
    case .range(0...1): [0, 1]
    default: nil
    }
  }
}

import TelecapModels
import TelecapText
import TelecapWire

/// The output form of a stream's values, which follows from its declaration.
enum StreamShowing: Hashable, Sendable {
  /// Each message by its number, key and values, for a stream of a protocol file.
  case plain
  /// Each applied message, by its number or its values.
  case messages
  /// Each applied message, by codes.
  case codes
  /// A measure that stays until it changes.
  case measure
  /// The sums of counts.
  case counts
  /// Bits that stay until they change, as one number or separately.
  case bits
}

extension JudgedStream {
  /// A stream with its events and no requirements; nil where the protocol has no such message.
  public convenience init?(shown rules: StreamRules, of owner: WireProtocol) {
    self.init(rules, of: owner, requirements: [], words: { value, _ in "\(rules.name) \(value.number ?? 0)" })
  }

  /// The output form of its values.
  var showing: StreamShowing {
    guard let events = rules.events else { return .plain }
    if adds { return .counts }
    if rules.merge == .event { return .codes }
    if isNumbered { return .messages }
    return events.parts.isEmpty ? .measure : .bits
  }

  /// The shown value.
  func showing(_ values: StreamValues, key: [UInt64] = []) -> AppliedValue {
    AppliedValue(stream: rules.name, key: key, values: values, names: rules.events)
  }

  /// Its fields whose values are codes; empty where any number is allowed.
  var codedFields: [String] {
    switch showing {
    case .codes: (keys + values).map(\.name)
    case .bits: rules.events?.parts ?? []
    default: []
    }
  }

  /// Whether a field of it is always whole.
  func isWhole(_ field: String) -> Bool {
    switch showing {
    case .codes, .counts, .bits: true
    case .messages: counts(field)
    case .plain, .measure: false
    }
  }

  /// Whether a program may round a field: a measure, not a count, a code or a word.
  func mayBeRounded(_ field: String, isScaled: Bool) -> Bool {
    switch showing {
    // Whole numbers are compared exactly, unless a factor rounds them.
    case .plain: isMeasured(field) || !counts(field) && isScaled
    case .messages: !counts(field) && values.contains { $0.name == field }
    case .measure: true
    case .codes, .counts, .bits: false
    }
  }
}

extension WireProtocol {
  /// Its streams whose values have names in system files.
  var shownStreams: [JudgedStream] {
    streams.filter { $0.events != nil }.compactMap { JudgedStream(shown: $0, of: self) }
  }
}

extension FieldType {
  /// The nearest number of the field's type, as its bits; of a signed type, from 0.
  func clamped(_ number: WholeNumber) -> UInt64 {
    guard let bits = number.unsigned else { return 0 }
    let width = 8 * (size ?? 8)
    return width < 64 ? min(bits, 1 << UInt64(width) - 1) : bits
  }
}

extension FieldRule {
  /// The two values of a field with this rule, which a system file may confuse; nil where it has others.
  var twoCodes: [Int]? {
    switch self {
    case .codes(let codes) where codes.count == 2: codes.map { Int(clamping: $0.value) }
    case .range(0...1): [0, 1]
    default: nil
    }
  }
}

import TelecapConformance
import TelecapRecording
import TelecapWire

/// A payload in a few words: `HAPTIC intensity 0.5`.
struct PayloadText {
  let owner: WireProtocol?
  /// How payloads are read that are no messages.
  private let own: Part.Payloads?
  /// Fields that add nothing to the message's name: those that discriminate the message.
  private let silent: Set<String>
  private static let most = 6

  /// Payloads to or from the system of a scenario.
  init(_ scenario: Scenario) { self.init(part: scenario.setup.part, scenario.judging.owner) }

  /// Payloads to or from a system that plays this part and speaks this protocol.
  init(part: Part, _ owner: WireProtocol?) {
    self.owner = owner
    silent = Set(owner?.recognisedFields ?? [])
    own = part.payloads
  }

  /// The words for a payload; `carrier` is nil for a HID report.
  func text(_ payload: [UInt8], over carrier: Carrier?) -> String {
    if owner == nil, let own { return own.words(payload) }
    guard let dialect = dialect(over: carrier) else { return "\(payload.count) bytes" }
    guard carrier == .tcp else {
      var messages: [String] = []
      dialect.eachMessage(of: payload.span.bytes) { messages.append(text($0, as: dialect)) }
      return messages.joined(separator: "; ")
    }
    // One message in one piece is the rule; what is cut is named by its length only.
    var messages: [String] = []
    var size = 0
    var framer = MessageFramer(dialect)
    framer.receive(payload.span.bytes) { event, frame in
      guard event == .message else { return }
      messages.append(text(frame, as: dialect))
      size = frame.byteCount
    }
    return messages.count == 1 && payload.count - size <= 2 ? messages[0] : "\(payload.count) bytes of a stream"
  }

  /// The variant by which a payload is read; a payload without a transport is a report over Bluetooth.
  private func dialect(over carrier: Carrier?) -> Dialect? {
    if let carrier { return owner?.dialect(over: carrier) }
    return owner?.dialects.first { $0.name == "hid" }
  }

  private func text(_ bytes: RawSpan, as dialect: Dialect) -> String {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    if let error = findings.first(where: { $0.severity == .error }) {
      return "\(kind.name), \(bytes.byteCount) bytes, not valid: \(error.rule.id)"
    }
    let fields = kind.layout.fields.filter { field in
      if case .reserved = field.rule { return field.value(in: bytes) != .unsigned(0) }
      return !silent.contains(field.name)
    }
    let shown = fields.prefix(PayloadText.most).compactMap { field in
      field.value(in: bytes).map { "\(field.name) \(name($0, field) ?? "\($0)")" }
    }
    return ([kind.name] + shown).joined(separator: " ") + (fields.count > PayloadText.most ? " …" : "")
  }

  /// The name of a code, where the value is one.
  private func name(_ value: FieldValue, _ field: FieldRow) -> String? {
    switch (value, field.rule) {
    case (.unsigned(let number), .codes(let codes)): codes.first { $0.value == number }?.name
    case (.bytes(let bytes), _): "\(bytes.count) bytes"
    default: nil
    }
  }
}

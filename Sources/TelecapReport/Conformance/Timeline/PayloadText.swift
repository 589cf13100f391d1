import TelecapConformance
import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// What a payload says, in a few words: `HAPTIC intensity 0.5`.
struct PayloadText {
  private let isMouse: Bool
  /// How payloads are read that are no messages.
  private let own: Part.Payloads?
  /// Fields that say nothing to a reader of a log: the same in every message, or unused.
  private static let silent: Set<String> = ["magic", "msg_type", "version", "header"]
  private static let most = 6

  /// Payloads to or from a system that plays this part.
  init(part: Part) {
    isMouse = part == .mouse || part == .mouseHost
    own = part.payloads
  }

  /// The words for a payload; `carrier` is nil for a HID report.
  func text(_ payload: [UInt8], over carrier: Carrier?) -> String {
    if let own { return own.words(payload) }
    let whole = payload.span.bytes
    guard carrier == .tcp, !isMouse else {
      return text(whole, as: isMouse ? (carrier == nil ? .mouseHID : .mouse) : .teleUDP)
    }
    // One frame in one piece is the rule; what is cut is named by its length only.
    guard let length = UInt16.read(whole, at: 0), Int(length) + 2 == payload.count else {
      return "\(payload.count) bytes of a stream"
    }
    return text(whole.extracting(2..<payload.count), as: .teleTCP)
  }

  private func text(_ bytes: RawSpan, as dialect: Dialect) -> String {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    if let error = findings.first(where: { $0.severity == .error }) {
      return "\(kind.name), \(bytes.byteCount) bytes, not valid: \(error.rule.id)"
    }
    let fields = kind.layout.fields.filter { field in
      if case .reserved = field.rule { return field.value(in: bytes) != .unsigned(0) }
      return !PayloadText.silent.contains(field.name)
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

import TelecapRecording
import TelecapText
import TelecapWire

/// The value of a field as a person reads it.
enum FieldText {
  /// With its unit, or the name of its code. A scaled number has its unit, and the number of the wire.
  static func text(_ value: FieldValue, _ field: FieldRow, _ kind: MessageKind) -> String {
    if case .unsigned(let number) = value {
      if case .codes(let codes) = field.rule, let code = codes.first(where: { $0.value == number }) {
        return "\(number) \(code.name.printable)"
      }
      if kind.owner.namesMessage(field, in: kind) { return "\(number) \(kind.name)" }
      if field.shown != .number { return field.shown.text(of: number, size: field.type.numberSize) }
    }
    if case .bytes(let bytes) = value {
      if let repeated = field.repeated {
        let count = repeated.count(in: bytes.span.bytes)
        return count == 1 ? "1 entry" : "\(count) entries"
      }
      return field.type == .rest ? "\(bytes.count) bytes" : Hex.text(bytes, separator: ":")
    }
    let text = value.description.printable
    if case .double(let scaled) = value, !field.type.isDecimal, let bits = field.bits(ofScaled: scaled) {
      let number = field.type.isSigned ? "\(field.type.signed(bits))" : "\(bits)"
      return "\(text)\(field.unit.isEmpty ? "" : " ")\(field.unit.printable) (raw \(number))"
    }
    return field.unit.isEmpty ? text : "\(text) \(field.unit.printable)"
  }
}

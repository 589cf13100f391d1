import TelecapRecording
import TelecapWire

/// A protocol of one message that is one field, and what its decoder finds about the field's values.
struct Probe {
  let row: FieldRow
  let wire: WireProtocol

  init(_ type: FieldType, _ rule: FieldRule, _ order: ByteOrder = .little) {
    row = FieldRow(name: "value", type: type, offset: 0, rule: rule, byteOrder: order)
    wire = WireProtocol(
      "probe", title: "a probe", messages: [declared("PROBE", [row], over: ["wire"])],
      malformed: declared("MALFORMED", [FieldRow(name: "body", type: .rest, offset: 0)]),
      dialects: [DialectDeclaration("wire", over: "UDP")], ports: [], recognition: ["wire": Recognition(header: 0)])
  }

  func findings(_ bytes: [UInt8]) -> [Finding] { decode(bytes, as: wire.dialect("wire")).findings }

  func findings(_ value: FieldValue) throws -> [Finding] {
    findings(try Message(wire.messages[0], fields: ["value": value]).bytes)
  }
}

/// A table that a test declares.
func declared(
  _ name: String, code: UInt64? = nil, header: [FieldRow] = [], _ rows: [FieldRow],
  from direction: Direction = .unknown,
  over dialects: Set<String> = []
) -> Layout {
  Layout(
    name, table: name.lowercased(), code: code, header: header, rows: rows, "a test's message", from: direction,
    over: dialects, source: "a test")
}

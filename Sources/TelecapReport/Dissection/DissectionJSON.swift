import TelecapRecording
import TelecapWire
import TelecapText

/// A dissection as JSON Lines: one object a message.
public struct DissectionJSON: Sendable {
  /// An empty formatter.
  public init() {}

  /// Appends one line for a message.
  public func write(
    _ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding], to json: inout JSONWriter
  ) {
    json.beginObject()
    if message.datagram.packet > 0 { writePlace(message, to: &json) }
    writeMessage(message.kind, message.dialect, isValid: message.isValid, bytes, findings, to: &json)
    json.endObject()
    json.endLine()
  }

  /// Appends one line for something found about a packet.
  public func write(_ finding: Finding, packet: Int, time: Timestamp, to json: inout JSONWriter) {
    json.beginObject()
    json.put("packet", packet)
    json.put("time_ns", time.nanoseconds)
    writeFindings([finding], to: &json)
    json.endObject()
    json.endLine()
  }

  private func writePlace(_ message: DissectedMessage, to json: inout JSONWriter) {
    let datagram = message.datagram
    json.put("packet", datagram.packet)
    json.put("time_ns", datagram.time.nanoseconds)
    json.put("carrier", datagram.flow.carrier.name)
    json.put("source", datagram.flow.source.description)
    json.put("destination", datagram.flow.destination.description)
    json.put("direction", message.direction.name)
    if let offset = message.offset { json.put("offset", offset) }
    if message.session > 0 { json.put("session", message.session) }
  }

  private func writeMessage(
    _ kind: MessageKind, _ dialect: Dialect, isValid: Bool, _ bytes: RawSpan, _ findings: [Finding],
    to json: inout JSONWriter
  ) {
    json.put("protocol", dialect.protocolName)
    json.put("dialect", dialect.name)
    json.put("type", kind.name)
    json.put("length", bytes.byteCount)
    json.put("valid", isValid)
    json.beginObject("fields")
    writeFields(kind.layout, bytes, to: &json)
    json.endObject()
    writeFindings(findings, to: &json)
  }

  private func writeFields(_ layout: Layout, _ bytes: RawSpan, to json: inout JSONWriter) {
    for field in layout.fields.lazy.flatMap(\.withRaw) {
      guard let value = field.value(in: bytes) else {
        guard field.start(in: bytes) == nil || field.holdsNoNumber(bytes) else { break }
        json.key(field.name)
        json.putNull()
        continue
      }
      if let repeated = field.repeated {
        writeEntries(field, repeated.entry, bytes, to: &json)
      } else {
        json.key(field.name)
        write(value, to: &json)
      }
    }
  }

  private func writeEntries(_ field: FieldRow, _ entry: Layout, _ bytes: RawSpan, to json: inout JSONWriter) {
    json.key(field.name)
    json.beginArray()
    for range in field.entries(in: bytes) {
      json.beginObject()
      writeFields(entry, bytes.extracting(range), to: &json)
      json.endObject()
    }
    json.endArray()
  }

  private func write(_ value: FieldValue, to json: inout JSONWriter) {
    switch value {
    case .unsigned(let number): json.put(nil, number)
    case .signed(let number): json.put(nil, number)
    case .float(let number): json.put(nil, number)
    case .double(let number): json.put(nil, number)
    case .text(let text): json.put(nil, text)
    case .bytes(let bytes): json.put(nil, Hex.text(bytes))
    }
  }

  private func writeFindings(_ findings: [Finding], to json: inout JSONWriter) {
    json.beginArray("findings")
    for finding in findings {
      json.beginObject()
      json.put("rule", finding.rule.id)
      json.put("severity", finding.severity.name)
      json.beginArray("bytes")
      json.put(nil, finding.range.lowerBound)
      json.put(nil, finding.range.upperBound)
      json.endArray()
      json.put("text", finding.description)
      json.put("source", finding.source)
      json.endObject()
    }
    json.endArray()
  }
}

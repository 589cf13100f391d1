import TelecapRecording
import TelecapText
import TelecapWire

extension DissectionSummary {
  /// The counts as lines of text.
  public func text(style: Style) -> [String] {
    let seconds = Double(duration) / 1e9
    var lines = [
      "\(Numbers.counted(packets, "packet")) in \(Numbers.fixed(seconds, 3)) s, \(Numbers.counted(total, "message"))"
    ]
    var table = TextTable(rightAligned: [2])
    for row in rows {
      let rate = seconds > 0 ? "\(Numbers.fixed(Double(row.count) / seconds, 1))/s" : ""
      let broken = row.invalid > 0 ? style.bad("\(Numbers.grouped(row.invalid)) not valid") : ""
      table.add(
        row.protocolName.printable, row.type.printable, Numbers.grouped(row.count), rate.rightAligned(to: 10), broken)
    }
    lines += table.lines() + unread.attributes.lines
    if !unread.entered.isEmpty { lines.append("found inside \(unread.enteredInWords)") }
    var found = TextTable(rightAligned: [1])
    for severity in Severity.allCases.reversed() {
      for (rule, count) in findings where rule.severity == severity {
        found.add(
          style.severity(severity, severity.name.padded(to: 7)), Numbers.grouped(count), rule.id.printable,
          style.dim(source(of: rule).printable))
      }
    }
    lines.append(found.isEmpty ? "no findings" : "findings")
    return lines + found.lines()
  }

  /// The counts as one JSON object.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("packets", packets)
    json.put("messages", total)
    json.put("duration_ns", duration)
    json.beginArray("types")
    for row in rows {
      json.beginObject()
      json.put("protocol", row.protocolName)
      json.put("type", row.type)
      json.put("count", row.count)
      json.put("invalid", row.invalid)
      json.endObject()
    }
    json.endArray()
    json.beginArray("findings")
    for (rule, count) in findings {
      json.beginObject()
      json.put("rule", rule.id)
      json.put("severity", rule.severity.name)
      json.put("count", count)
      json.endObject()
    }
    json.endArray()
    unread.write(to: &json)
    json.endObject()
    json.endLine()
  }
}

extension UnreadTraffic {
  /// The member `unread` of an object of JSON, if there is unread traffic.
  func write(to json: inout JSONWriter) {
    attributes.write(to: &json)
    if !entered.isEmpty { UnreadTraffic.write(entered, to: &json) }
    guard packets > 0 else { return }
    json.beginObject("unread")
    json.put("packets", packets)
    json.beginArray("ports")
    for port in busiest(UnreadTraffic.told) {
      json.beginObject()
      json.put("carrier", port.carrier.name)
      json.put("port", port.number)
      json.put("packets", port.packets)
      json.endObject()
    }
    json.endArray()
    json.beginArray("link_types")
    for (type, count) in linkTypes.sorted(by: { $0.key < $1.key }) {
      json.beginObject()
      json.put("link_type", type)
      json.put("packets", count)
      json.endObject()
    }
    json.endArray()
    if !encapsulations.isEmpty { UnreadTraffic.write(encapsulations, to: &json) }
    json.endObject()
  }

  /// The member `encapsulations`: packets by what carries them.
  private static func write(_ counts: [Encapsulation: Int], to json: inout JSONWriter) {
    json.beginArray("encapsulations")
    for (encapsulation, count) in counts.sorted(by: { $0.key.name < $1.key.name }) {
      json.beginObject()
      json.put("name", encapsulation.name)
      json.put("packets", count)
      json.endObject()
    }
    json.endArray()
  }
}

extension AttributeTraffic {
  /// The member `attributes` of an object of JSON: values of Bluetooth attributes, where there are some.
  func write(to json: inout JSONWriter) {
    guard !rows.isEmpty else { return }
    json.beginArray("attributes")
    for row in rows {
      json.beginObject()
      json.put("kind", row.kind.rawValue)
      json.put("handle", row.handle)
      json.put("count", row.count)
      json.put("unknown", row.unknown)
      json.endObject()
    }
    json.endArray()
  }

  /// The same as lines of text.
  var lines: [String] {
    var table = TextTable(rightAligned: [2])
    for row in rows {
      let unknown = row.unknown > 0 ? "\(Numbers.grouped(row.unknown)) not understood" : ""
      table.add(row.kind.rawValue, AttributeTraffic.name(row.handle), Numbers.grouped(row.count), unknown)
    }
    return table.isEmpty ? [] : ["Bluetooth attributes"] + table.lines()
  }
}

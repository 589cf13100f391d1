import TelecapRecording
import TelecapWire
import TelecapText

/// Counts of a dissection: messages by type, findings by rule. Constant memory.
public struct DissectionSummary: Sendable, Equatable {
  /// Messages of each kind, by the kind's raw value.
  private var messages = [Int](repeating: 0, count: MessageKind.allCases.count)
  /// Invalid messages of each kind.
  private var invalid = [Int](repeating: 0, count: MessageKind.allCases.count)
  /// Findings of each rule, by the rule's place.
  private var found = [Int](repeating: 0, count: Rule.allCases.count)
  /// Packets that were read, also those of other protocols.
  public var packets = 0
  private var first: Timestamp?
  private var last = Timestamp(nanoseconds: .min)

  /// No counts yet.
  public init() {}

  /// All messages.
  public var total: Int { messages.reduce(0, +) }

  /// Counts a packet.
  public mutating func count(_ header: PacketHeader) {
    packets += 1
    first = min(first ?? header.time, header.time)
    last = max(last, header.time)
  }

  /// Counts a message and its findings.
  public mutating func count(_ message: DissectedMessage, _ findings: [Finding]) {
    messages[Int(message.kind.rawValue)] += 1
    if !message.isValid { invalid[Int(message.kind.rawValue)] += 1 }
    for finding in findings { count(finding) }
  }

  /// Counts a finding.
  public mutating func count(_ finding: Finding) { found[finding.rule.index] += 1 }

  /// How many messages of this kind there were.
  public func count(of kind: MessageKind) -> Int { messages[Int(kind.rawValue)] }

  /// How many findings of this rule there were.
  public func count(of rule: Rule) -> Int { found[rule.index] }

  /// How many findings are as bad as this or worse.
  public func count(atLeast severity: Severity) -> Int {
    Rule.allCases.reduce(0) { $0 + ($1.severity >= severity ? found[$1.index] : 0) }
  }

  /// The counts as lines of text.
  public func text(style: Style) -> [String] {
    let duration = first.map { Double(last.nanoseconds(since: $0)) / 1e9 } ?? 0
    var lines = [
      "\(Numbers.grouped(packets)) packets in \(Numbers.fixed(duration, 3)) s, \(Numbers.grouped(total)) messages"
    ]
    var table = TextTable(rightAligned: [2])
    for (protocolName, name, count, invalid) in rows() {
      let rate = duration > 0 ? "\(Numbers.fixed(Double(count) / duration, 1))/s" : ""
      let broken = invalid > 0 ? style.bad("\(Numbers.grouped(invalid)) not valid") : ""
      table.add(protocolName, name, Numbers.grouped(count), rate.rightAligned(to: 10), broken)
    }
    lines += table.lines()
    var findings = TextTable(rightAligned: [1])
    for severity in Severity.allCases.reversed() {
      for rule in Rule.allCases where rule.severity == severity && found[rule.index] > 0 {
        findings.add(
          style.severity(severity, severity.name.padded(to: 7)), Numbers.grouped(found[rule.index]), rule.id,
          style.dim(rule.source))
      }
    }
    lines.append(findings.isEmpty ? "no findings" : "findings")
    return lines + findings.lines()
  }

  /// The counts as one JSON object.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("packets", packets)
    json.put("messages", total)
    json.put("duration_ns", first.map { last.nanoseconds(since: $0) } ?? 0)
    json.beginArray("types")
    for (protocolName, name, count, invalid) in rows() {
      json.beginObject()
      json.put("protocol", protocolName)
      json.put("type", name)
      json.put("count", count)
      json.put("invalid", invalid)
      json.endObject()
    }
    json.endArray()
    json.beginArray("findings")
    for rule in Rule.allCases where found[rule.index] > 0 {
      json.beginObject()
      json.put("rule", rule.id)
      json.put("severity", rule.severity.name)
      json.put("count", found[rule.index])
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }

  /// Protocol, type, messages, invalid messages; kinds that share both names are one row.
  private func rows() -> [(String, String, Int, Int)] {
    var rows: [(String, String, Int, Int)] = []
    for kind in MessageKind.allCases where messages[Int(kind.rawValue)] > 0 {
      let (count, broken) = (messages[Int(kind.rawValue)], invalid[Int(kind.rawValue)])
      let protocolName = kind.isMouse ? "mouse" : "tele"
      if let row = rows.firstIndex(where: { $0.0 == protocolName && $0.1 == kind.name }) {
        rows[row].2 += count
        rows[row].3 += broken
      } else {
        rows.append((protocolName, kind.name, count, broken))
      }
    }
    return rows
  }
}

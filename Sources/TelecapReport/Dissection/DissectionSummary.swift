import TelecapRecording
import TelecapWire
import TelecapText

/// Counts of a dissection: messages by type, findings by rule. Constant memory.
public struct DissectionSummary: Sendable, Equatable {
  /// The messages that may come, in the order in which they are told.
  private let kinds: [MessageKind]
  /// Messages of each of them.
  private var messages: [Int]
  /// Invalid messages of each of them.
  private var invalid: [Int]
  /// The message that came last, and its place: it often comes again.
  private var latest: MessageKind?
  private var latestPlace = 0
  /// The rules that findings may be of, in the order in which they are told.
  private var rules: [Rule]
  /// Findings of each of them.
  private var found: [Int]
  /// Packets that were read, also those of other protocols.
  public var packets = 0
  private var first: Timestamp?
  private var last = Timestamp(nanoseconds: .min)

  /// No counts yet, of messages of these protocols.
  public init(_ protocols: [WireProtocol]) {
    kinds = protocols.flatMap(\.messages).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    messages = [Int](repeating: 0, count: kinds.count)
    invalid = messages
    rules = RuleBook.all(of: protocols)
    found = [Int](repeating: 0, count: rules.count)
  }

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
    if latest != message.kind {
      guard let place = kinds.firstIndex(of: message.kind) else { return }
      (latest, latestPlace) = (message.kind, place)
    }
    messages[latestPlace] += 1
    if !message.isValid { invalid[latestPlace] += 1 }
    for finding in findings { count(finding) }
  }

  /// Counts a finding.
  public mutating func count(_ finding: Finding) {
    guard let place = rules.firstIndex(of: finding.rule) else {
      rules.append(finding.rule)
      return found.append(1)
    }
    found[place] += 1
  }

  /// How many messages of this kind there were.
  public func count(of kind: MessageKind) -> Int { kinds.firstIndex(of: kind).map { messages[$0] } ?? 0 }

  /// How many findings of this rule there were.
  public func count(of rule: Rule) -> Int { rules.firstIndex(of: rule).map { found[$0] } ?? 0 }

  /// How many findings are as bad as this or worse.
  public func count(atLeast severity: Severity) -> Int {
    zip(rules, found).reduce(0) { $0 + ($1.0.severity >= severity ? $1.1 : 0) }
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
      for (rule, count) in zip(rules, found) where rule.severity == severity && count > 0 {
        findings.add(
          style.severity(severity, severity.name.padded(to: 7)), Numbers.grouped(count), rule.id,
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
    for (rule, count) in zip(rules, found) where count > 0 {
      json.beginObject()
      json.put("rule", rule.id)
      json.put("severity", rule.severity.name)
      json.put("count", count)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
  }

  /// Protocol, type, messages, invalid messages; kinds that share both names are one row.
  private func rows() -> [(String, String, Int, Int)] {
    var rows: [(String, String, Int, Int)] = []
    for (place, kind) in kinds.enumerated() where messages[place] > 0 {
      let (count, broken) = (messages[place], invalid[place])
      let protocolName = kind.owner.name
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

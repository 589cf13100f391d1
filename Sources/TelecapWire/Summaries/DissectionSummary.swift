import TelecapRecording

/// Counts of a dissection: messages by type, findings by rule. Constant memory.
public struct DissectionSummary: Sendable, Equatable {
  /// The possible messages, in the order of reports.
  private let kinds: [MessageKind]
  /// Messages of each of them.
  private var messages: [Int]
  /// Invalid messages of each of them.
  private var invalid: [Int]
  /// The message that came last, and its place: it often comes again.
  private var latest: MessageKind?
  private var latestPlace = 0
  /// The possible rules of findings, in the order of reports.
  private var rules: [Rule]
  /// Where each protocol states a rule, by its id.
  private let sources: [String: [String: String]]
  private let names: [String]
  /// Findings of each of them.
  private var found: [Int]
  /// Packets that were read, also those of other protocols.
  public var packets = 0
  /// Those of them in which nothing was looked for.
  public var unread = UnreadTraffic()
  private var first: Timestamp?
  private var last = Timestamp(nanoseconds: .min)

  /// No counts yet, of messages of these protocols.
  public init(_ protocols: [WireProtocol]) {
    kinds = protocols.flatMap(\.messages).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    messages = [Int](repeating: 0, count: kinds.count)
    invalid = messages
    rules = RuleBook.all(of: protocols)
    names = protocols.map(\.name)
    sources = protocols.reduce(into: [:]) { all, owner in
      all[owner.name] = owner.rules.all.reduce(into: [:]) { $0[$1.id] = $1.source }
    }
    found = [Int](repeating: 0, count: rules.count)
  }

  /// The sources of a rule, in the documents of all protocols whose messages were counted.
  public func source(of rule: Rule) -> String {
    let seen = Set(rows.map(\.protocolName))
    let all = names.filter(seen.contains).compactMap { sources[$0]?[rule.id] }
    let each = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return each.isEmpty ? rule.source : each.joined(separator: "; ")
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
    // In the words of the protocol that it was found in first.
    if found[place] == 0 { rules[place] = finding.rule }
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

  /// Notes on unread traffic, as sentences.
  public var notes: [String] { unread.notes(messages: total) }

  /// The time from the first packet to the last, in ns.
  public var duration: Nanoseconds { first.map { last.nanoseconds(since: $0) } ?? 0 }

  /// A rule, and how often something was found by it; those by which nothing was found are left out.
  public var findings: [(rule: Rule, count: Int)] { zip(rules, found).filter { $0.1 > 0 }.map { ($0, $1) } }

  /// The messages of one type.
  public struct Row: Hashable, Sendable {
    /// The protocol's name.
    public var protocolName: String
    /// The type's name: `POSE`.
    public var type: String
    /// How many came, and how many of them are not valid.
    public var count: Int, invalid: Int
  }

  /// The counted messages, in the order of the protocols' tables; kinds that share both names are one row.
  public var rows: [Row] {
    var rows: [Row] = []
    for (place, kind) in kinds.enumerated() where messages[place] > 0 {
      let row = Row(protocolName: kind.owner.name, type: kind.name, count: messages[place], invalid: invalid[place])
      if let known = rows.firstIndex(where: { $0.protocolName == row.protocolName && $0.type == row.type }) {
        rows[known].count += row.count
        rows[known].invalid += row.invalid
      } else {
        rows.append(row)
      }
    }
    return rows
  }
}

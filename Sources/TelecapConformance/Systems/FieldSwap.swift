import TelecapModels
import TelecapRecording
import TelecapWire

/// Two or three fields of a rule, or values of one field, that the rule may confuse in a cycle.
struct FieldSwap: Hashable, Sendable {
  private enum Change: Hashable {
    /// The field at each of these indices has the value of the next one.
    case fields([Int])
    /// In the field at the index each of these values stands for the next one.
    case values(Int, [Int])
  }

  /// The kind of the rule.
  let kind: EventRule.Kind
  private let change: Change

  /// The field, or the first of several.
  var field: String {
    switch change {
    case .fields(let places): kind.codedFields[places[0]]
    case .values(let place, _): kind.codedFields[place]
    }
  }

  /// The number of confused fields or values.
  var size: Int {
    switch change {
    case .fields(let circle), .values(_, let circle): circle.count
    }
  }

  /// The read codes, corrected for this confusion.
  func changed(_ codes: [Int]) -> [Int] {
    var changed = codes
    switch change {
    case .fields(let places):
      for (place, next) in FieldSwap.steps(places) { changed[next] = codes[place] }
    case .values(let place, let values):
      if let (_, next) = FieldSwap.steps(values).first(where: { $0.0 == codes[place] }) { changed[place] = next }
    }
    return changed
  }

  /// Each element of a cycle with the next one.
  private static func steps(_ circle: [Int]) -> [(Int, Int)] {
    Array(zip(circle, circle[1...] + circle[..<1]))
  }

  /// The confusion, in words.
  var words: String {
    switch change {
    case .fields(let places):
      let names = FieldSwap.steps(places).map { ("\"\(kind.codedFields[$0.0])\"", "\"\(kind.codedFields[$0.1])\"") }
      return FieldSwap.words(names, beforeOthers: "")
    case .values(let place, let values):
      let names = FieldSwap.steps(values).map { (kind.word($0.0), kind.word($0.1)) }
      return "\"\(kind.codedFields[place])\" as " + FieldSwap.words(names, beforeOthers: "as ")
    }
  }

  /// The shown and the sent name of each pair, in words.
  private static func words(_ pairs: [(shown: String, sent: String)], beforeOthers: String) -> String {
    let first = "\(pairs[0].shown) where \(pairs[0].sent) was sent"
    if pairs.count == 2 { return first + " and the other way round" }
    return first + pairs.dropFirst().map { ", \(beforeOthers)\($0.shown) where \($0.sent) was" }.joined()
  }

  /// The two-cycles and three-cycles of three elements.
  private static let ofThree = [[0, 1], [0, 2], [1, 2], [0, 1, 2], [0, 2, 1]]

  /// The possible confusions of a rule: only fields that the file maps, since others have our own names.
  static func all(of rule: EventRule) -> [FieldSwap] {
    func isNamed(_ field: String) -> Bool { rule.fields[field]?.path.isEmpty == false }
    func hasWords(_ field: String) -> Bool { rule.fields[field]?.words.isEmpty == false }
    var changes: [Change] = []
    let fields = rule.kind.codedFields
    switch rule.kind {
    case .applied(let stream) where stream.showing == .codes:
      if fields.contains(where: isNamed) { changes.append(.fields([0, 1])) }
      for (place, row) in (stream.keys + stream.values).enumerated() where isNamed(row.name) {
        if let codes = row.rule.twoCodes { changes.append(.values(place, codes)) }
      }
    case .applied(let stream) where stream.showing == .bits && !isNamed(stream.values[0].name):
      changes = ofThree.filter { $0.contains { isNamed(fields[$0]) } }.map { .fields($0) }
    case .note(let note) where note.request != nil && note.fields[0].words?.count == 3 && hasWords(fields[0]):
      changes = ofThree.map { .values(0, $0) }
    default: break
    }
    return changes.map { FieldSwap(kind: rule.kind, change: $0) }
  }

  /// The number of outputs that only the correct reading explains, and of those that only this confusion explains.
  struct Seen: Sendable {
    private(set) var asSent = 0
    private(set) var exchanged = MappingStatistics.Lines()

    /// Whether all evidence, and more than one line, confirms it.
    var isSure: Bool { asSent == 0 && exchanged.count > 1 }

    mutating func note(_ shown: [Int], _ sent: [Int], by exchange: FieldSwap, _ line: String) {
      let other = exchange.changed(shown)
      if shown == sent, other != sent { asSent += 1 }
      if shown != sent, other == sent { exchanged.note(line) }
    }

    mutating func merge(_ more: Seen) {
      asSent += more.asSent
      exchanged.merge(more.exchanged)
    }
  }
}

extension MappingStatistics.RuleUse {
  /// The confusion in the file: the one that most lines show; of equal ones the smallest.
  var confused: (exchange: FieldSwap, seen: FieldSwap.Seen)? {
    let sure = exchanges.filter(\.value.isSure).map { (exchange: $0.key, seen: $0.value) }
    return sure.min { left, right in
      let (more, fewer) = (right.seen.exchanged.count, left.seen.exchanged.count)
      return (more, left.exchange.size, left.exchange.words) < (fewer, right.exchange.size, right.exchange.words)
    }
  }
}

extension EventRule.Kind {
  /// Its fields whose values are codes, in the order of `codes`; empty where any number is allowed.
  fileprivate var codedFields: [String] {
    switch self {
    case .applied(let stream): stream.codedFields
    case .note(let note) where note.request != nil: [note.fields[0].name]
    default: []
    }
  }

  fileprivate func word(_ code: Int) -> String {
    if case .note(let note) = self, let words = note.fields[0].words { words[code] } else { "\(code)" }
  }

  /// The codes that a valid message requests for such a rule; nil where it requests none.
  func codes(sentBy kind: MessageKind, _ bytes: RawSpan) -> [Int]? {
    func code(_ field: String) -> Int? { kind.layout[field]?.bits(in: bytes).flatMap { Int(exactly: $0) } }
    switch self {
    case .applied(let stream) where stream.form(of: kind) != nil:
      let codes = (stream.keys + stream.values).compactMap { code($0.name) }
      guard stream.showing == .bits, let bits = codes.first else { return codes.isEmpty ? nil : codes }
      return stream.codedFields.indices.map { bits >> $0 & 1 }
    case .note(let note): return note.request?(kind, bytes).map { [$0] }
    default: return nil
    }
  }
}

extension PeerEvent {
  /// The shown codes, in the order of its rule's fields; nil where it shows none.
  func codes(shownBy kind: EventRule.Kind) -> [Int]? {
    if case .applied(let stream) = kind, case .applied(let value) = self {
      let codes =
        value.key.map { Int(clamping: $0) } + value.values.map { Int(clamping: Int64(clampingRounded: $0)) }
      switch stream.showing {
      case .codes: return codes
      case .bits: return codes.first.map { bits in stream.codedFields.indices.map { bits >> $0 & 1 } }
      default: return nil
      }
    }
    guard case .note(let note) = self, note.kind.request != nil else { return nil }
    return note[0].map { [$0] }
  }
}

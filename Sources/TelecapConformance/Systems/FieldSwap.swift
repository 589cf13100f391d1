import TelecapModels
import TelecapRecording
import TelecapWire

/// Things of which a rule may read each as the next, the last as the first: two or three of its fields, or words of one.
struct FieldSwap: Hashable, Sendable {
  private enum Change: Hashable {
    /// In the field at each of these places stands what was sent in the next one.
    case fields([Int])
    /// In the field at the place each of these values stands for the next one.
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

  /// How many things are confused.
  var size: Int {
    switch change {
    case .fields(let circle), .values(_, let circle): circle.count
    }
  }

  /// Codes that were read, as they are if these are confused.
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

  /// Each of a circle with the one behind it.
  private static func steps(_ circle: [Int]) -> [(Int, Int)] {
    Array(zip(circle, circle[1...] + circle[..<1]))
  }

  /// What was shown in place of what was sent, in words.
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

  /// What is shown, and what was sent in its place, of each.
  private static func words(_ pairs: [(shown: String, sent: String)], beforeOthers: String) -> String {
    let first = "\(pairs[0].shown) where \(pairs[0].sent) was sent"
    if pairs.count == 2 { return first + " and the other way round" }
    return first + pairs.dropFirst().map { ", \(beforeOthers)\($0.shown) where \($0.sent) was" }.joined()
  }

  /// Each two of three, and the three in a circle, either way round.
  private static let ofThree = [[0, 1], [0, 2], [1, 2], [0, 1, 2], [0, 2, 1]]

  /// Those that a file can have made with this rule: what stands under our own name is ours.
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

  /// How often what was shown could be nothing but what was sent, and how often nothing but what these make of it.
  struct Seen: Sendable {
    private(set) var asSent = 0
    private(set) var exchanged = MappingStatistics.Lines()

    /// Nothing speaks against it, and not only one line for it.
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
  /// What the file has confused: of all that may be, what most lines show; of those that as many show the one of fewest things.
  var confused: (exchange: FieldSwap, seen: FieldSwap.Seen)? {
    let sure = exchanges.filter(\.value.isSure).map { (exchange: $0.key, seen: $0.value) }
    return sure.min { left, right in
      let (more, fewer) = (right.seen.exchanged.count, left.seen.exchanged.count)
      return (more, left.exchange.size, left.exchange.words) < (fewer, right.exchange.size, right.exchange.words)
    }
  }
}

extension EventRule.Kind {
  /// Its fields whose values are codes, as `codes` has them; none where they are numbers that anything may be.
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

  /// The codes that a valid message asks such a rule's system to show; nil where it asks for nothing of the kind.
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
  /// The codes that it shows, in the order of its rule's fields; nil where it shows none.
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

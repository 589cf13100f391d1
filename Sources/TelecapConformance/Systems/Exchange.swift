import TelecapModels
import TelecapRecording
import TelecapWire

/// Two things of which a rule may read each as the other: two of its fields, or two words of one.
struct Exchange: Hashable, Sendable {
  private enum Change: Hashable {
    /// The fields at these places.
    case fields(Int, Int)
    /// In the field at the place these values.
    case values(Int, Int, Int)
  }

  /// The kind of the rule.
  let kind: EventRule.Kind
  private let change: Change

  /// The field, or the first of two.
  var field: String {
    switch change {
    case .fields(let place, _), .values(let place, _, _): kind.codedFields[place]
    }
  }

  /// Codes that were read, as they are if these two are confused.
  func changed(_ codes: [Int]) -> [Int] {
    var changed = codes
    switch change {
    case .fields(let one, let other): changed.swapAt(one, other)
    case .values(let place, let one, let other):
      if codes[place] == one { changed[place] = other }
      if codes[place] == other { changed[place] = one }
    }
    return changed
  }

  /// What was shown in place of what was sent, in words.
  var words: String {
    switch change {
    case .fields(let one, let other):
      "\"\(kind.codedFields[one])\" where \"\(kind.codedFields[other])\" was sent and the other way round"
    case .values(let place, let one, let other):
      "\"\(kind.codedFields[place])\" as \(kind.word(one)) where \(kind.word(other)) was sent and the other way round"
    }
  }

  /// Those that a file can have made with this rule: what stands under our own name is ours.
  static func all(of rule: EventRule) -> [Exchange] {
    func isNamed(_ field: String) -> Bool { rule.fields[field]?.path.isEmpty == false }
    func hasWords(_ field: String) -> Bool { rule.fields[field]?.words.isEmpty == false }
    var changes: [Change] = []
    switch rule.kind {
    case .command:
      if isNamed("cmd_type") || isNamed("value") { changes.append(.fields(0, 1)) }
      if isNamed("cmd_type") { changes.append(.values(0, 1, 2)) }
      if isNamed("value") { changes.append(.values(1, 0, 1)) }
    case .buttons where !isNamed("buttons"):
      let pairs = [(0, 1), (0, 2), (1, 2)]
      let fields = rule.kind.codedFields
      changes = pairs.filter { isNamed(fields[$0.0]) || isNamed(fields[$0.1]) }.map { .fields($0.0, $0.1) }
    case .impact where hasWords("style"): changes = [(0, 1), (0, 2), (1, 2)].map { .values(0, $0.0, $0.1) }
    default: break
    }
    return changes.map { Exchange(kind: rule.kind, change: $0) }
  }

  /// How often what was shown could be nothing but what was sent, and how often nothing but what these two make of it.
  struct Seen: Sendable {
    private(set) var asSent = 0
    private(set) var exchanged = Mapping.Lines()

    /// Nothing speaks against it, and not only one line for it.
    var isSure: Bool { asSent == 0 && exchanged.count > 1 }

    mutating func note(_ shown: [Int], _ sent: [Int], by exchange: Exchange, _ line: String) {
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

extension EventRule.Kind {
  /// Its fields whose values are codes, as `codes` has them; none where they are numbers that anything may be.
  fileprivate var codedFields: [String] {
    switch self {
    case .command: ["cmd_type", "value"]
    case .buttons: ["left", "right", "middle"]
    case .impact: ["style"]
    default: []
    }
  }

  fileprivate func word(_ code: Int) -> String {
    self == .impact ? HapticImpact.allCases[code].rawValue : "\(code)"
  }

  /// The codes that a valid message asks such a rule's system to show; nil where it asks for nothing of the kind.
  func codes(sentBy kind: MessageKind, _ bytes: RawSpan) -> [Int]? {
    func code(_ field: String) -> Int? { kind.layout[field]?.bits(in: bytes).flatMap { Int(exactly: $0) } }
    switch self {
    case .command:
      guard let type = code("cmd_type"), let value = code("value") else { return nil }
      return [type, value]
    case .buttons: return code("buttons").map { bits in (0..<3).map { bits >> $0 & 1 } }
    case .impact:
      guard let row = kind.layout["intensity"], kind.layoutDirection == .hostToPhone else { return nil }
      var values = StreamValues()
      NumberPlaces([row]).read(bytes, into: &values)
      let style = values.first.flatMap { HapticImpact(intensity: Float($0)) }
      return style.flatMap { HapticImpact.allCases.firstIndex(of: $0) }.map { [$0] }
    default: return nil
    }
  }
}

extension PeerEvent {
  /// The codes that it shows, in the order of its rule's fields; nil where it shows none.
  var shownCodes: [Int]? {
    switch self {
    case .command(let type, let value, _): [Int(type), Int(value)]
    case .buttons(let bits): (0..<3).map { Int(bits) >> $0 & 1 }
    case .hapticImpact(let style): HapticImpact.allCases.firstIndex(of: style).map { [$0] }
    default: nil
    }
  }
}

import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// What an event of the system under test is to us, and where its fields stand: one entry of `events` in a system file.
public struct EventRule: Hashable, Sendable {
  /// What it shows.
  public enum Kind: Hashable, Sendable {
    /// A value of a stream is applied.
    case applied(JudgedStream)
    /// Something else that its protocol has a word for.
    case note(NoteKind)
    /// A session began.
    case sessionOpened
    /// A session ended.
    case sessionClosed
    /// A device does something: what, says the rule's own event.
    case told
  }

  /// What it is.
  public var kind: Kind
  /// What an event must hold to be one: at each path one of these values. Nothing: every event is.
  public var conditions: [Condition]
  /// Where its fields stand, by our names; a field that is not named stands where our own events have it.
  public var fields: [String: FieldSource]
  /// The stream whose value it shows; nil for every other kind.
  public var stream: JudgedStream? { if case .applied(let stream) = kind { stream } else { nil } }
  /// What a line of text must match to be one, its named groups standing for the fields of an object; nil where lines
  /// are JSON.
  public var pattern: LinePattern?
  /// What a device does by it; nil for every other kind.
  public var device: DeviceEvent?
  /// What an event of a device shows: all that its part is judged by.
  var shownByDevice: Set<Observable> = []
  /// What it shows.
  var aspects: Set<Observable> {
    device != nil ? shownByDevice : [kind.aspect]
  }
  /// Where it stands in its file, from 1; 0 where it is from none.
  public var line = 0
  /// It shows what is applied of this stream.
  func reads(_ stream: JudgedStream) -> Bool { self.stream == stream }
  /// Every line that one of them reads the other reads as well, and as the same.
  func saysTheSame(as other: EventRule) -> Bool {
    var copy = other
    copy.line = line
    return self == copy
  }
  /// It is what we ask of every device of its part: nobody can have written it wrongly.
  public var isOurs: Bool { device != nil && line == 0 }

  /// At this path stands one of these values.
  public struct Condition: Hashable, Sendable {
    /// The names on the way.
    public var path: [String]
    /// The values, as text.
    public var values: [String]

    /// A condition.
    public init(_ path: [String], _ values: [String]) {
      self.path = path
      self.values = values
    }
  }

  /// A rule of these parts.
  public init(_ kind: Kind, when conditions: [Condition] = [], fields: [String: FieldSource] = [:]) {
    self.kind = kind
    self.conditions = conditions
    self.fields = fields
  }

  /// Whether this is such an event. Where nothing is said of when, what holds none of its fields is none.
  public func matches(_ event: JSONNode) -> Bool {
    guard !conditions.isEmpty || pattern != nil else {
      return knownFields.contains { field in
        let source = source(of: field)
        return !source.path.isEmpty && source.stands(in: event)
      }
    }
    return conditions.allSatisfy { condition in
      guard let node = event[condition.path], let found = node.meantText else { return false }
      if condition.values.contains(found) { return true }
      // 1.0 and 1 are one number.
      guard case .number = node.value else { return false }
      return condition.values.contains { value in
        guard let written = WholeNumber(value), let whole = node.meantWhole else { return Double(value) == node.number }
        return written == whole
      }
    }
  }

  /// How much of what it looks for stands in a line that it does not match: its fields, and the names and values of its
  /// conditions.
  func nearness(of line: String, _ object: JSONNode?) -> Int {
    let names = conditions.compactMap { $0.path.last { Int($0) == nil } }
    let values = conditions.flatMap(\.values).filter { $0.count > 1 && $0 != "true" && $0 != "false" }
    let found = object.map { object in knownFields.count { source(of: $0).stands(in: object) } } ?? 0
    return found + (names + values).count { line.contains($0) }
  }

  /// The fields that it may have, by our names.
  public var knownFields: [String] { device?.fields.map(\.name) ?? kind.fields }

  /// What a system file calls it.
  public var name: String { device?.name ?? kind.name }

  /// A number that the event holds, by our name for it; nil where it does not.
  public func number(_ field: String, in event: JSONNode) -> Double? { source(of: field).number(in: event) }

  /// A whole number that the event holds, every digit of it, by our name for it; nil where it does not.
  public func whole(_ field: String, in event: JSONNode) -> WholeNumber? { source(of: field).whole(in: event) }

  /// A text that the event holds, by our name for it; nil where it does not.
  public func text(_ field: String, in event: JSONNode) -> String? { source(of: field).text(in: event) }

  /// Where a field stands: at its own name unless the file says where.
  func source(of field: String) -> FieldSource { fields[field] ?? FieldSource(path: [field]) }

  /// What is wrong with the value of a field in an event; nil where nothing is, or where there is none.
  func problem(with field: String, in event: JSONNode) -> String? {
    if let known = device?.field(field) {
      return source(of: field).problem(in: event, allowing: known.words).map { "\"\(field)\" cannot be read: \($0)" }
    }
    // What a program means by our word is sure only of what is judged; the rest it must name to be held to.
    let isOurs = fields[field] != nil || (kind.words(of: field) == nil && kind.aspect != .sessions)
    guard isOurs || kind.isRequested else { return nil }
    let source = source(of: field)
    let problem = source.problem(in: event, allowing: kind.words(of: field))
    let isCounted = kind.isWhole(field) || stream?.counts(field) == true
    let fraction = kind.isWhole(field) ? source.fraction(in: event) : nil
    return (problem ?? fraction ?? (isCounted ? source.rounding(in: event) : nil)).map {
      "\"\(field)\" cannot be read: \($0)"
    }
  }

  /// The fields without which it does not show what it is to show: those that the file names, and of buttons that are shown
  /// one by one each.
  func needed(found: (String) -> Bool) -> [String] {
    let named = knownFields.filter { fields[$0]?.path.isEmpty == false }
    let single = stream?.rules.events?.parts ?? []
    guard let whole = stream?.values.first?.name, fields[whole] == nil, !found(whole), single.contains(where: found)
    else { return named }
    return single.filter { fields[$0]?.value == nil }
  }

  /// Which fields an event lacks that it cannot do without, in words; nil where it is none of these.
  func lack(in event: JSONNode) -> String {
    let absent = knownFields.filter { !source(of: $0).stands(in: event) }
    return absent.isEmpty ? "what it holds makes no \(name)" : lack(of: absent)
  }

  /// That these fields are not in an event.
  func lack(of fields: [String]) -> String {
    let absent = fields.map { field in
      let path = source(of: field).path.joined(separator: ".")
      return path == field ? "\"\(field)\"" : "\"\(field)\" (at \(path))"
    }
    return "there is no \(absent.list(or: true)) in it"
  }
}

extension EventRule.Kind {
  /// What a system file calls it.
  public var name: String {
    switch self {
    case .applied(let stream): stream.rules.events?.rule ?? "applied"
    case .note(let note): note.rule ?? note.name
    case .sessionOpened: "session-opened"
    case .sessionClosed: "session-closed"
    case .told: "told"
    }
  }

  /// Our names of its fields: those of the events of `telecap simulate`.
  public var fields: [String] {
    switch self {
    case .applied(let stream): stream.fields
    case .note(let note): note.fields.map(\.name)
    case .sessionOpened: ["peer", "address", "port", "session_id"]
    case .sessionClosed: ["peer", "address", "port", "session_id", "reason"]
    // Those of its device.
    case .told: []
    }
  }

  /// What it shows; the two of a session together show when sessions open and close.
  public var aspect: Observable {
    switch self {
    case .applied(let stream): .stream(stream.rules.name)
    case .note(let note): .note(note)
    case .sessionOpened, .sessionClosed: .sessions
    case .told: .tellings
    }
  }

  /// It is shown in the same way whatever carried the message that it is about: not when sessions open and close, which is another
  /// thing over each, nor what messages of several carriers come to together.
  var isOverEachCarrier: Bool {
    switch self {
    case .applied(let stream): stream.showing != .plain && !stream.owner.mixesCarriers
    case .note: isRequested
    default: false
    }
  }

  /// Messages ask for it.
  public var isRequested: Bool { if case .note(let note) = self { note.request != nil } else { false } }

  /// Whether a field of it counts something: no such number is half of one.
  func isWhole(_ field: String) -> Bool {
    switch self {
    case .applied(let stream): stream.isWhole(field)
    case .note(let note): note.fields.contains { $0 == .number(field) }
    case .sessionOpened, .sessionClosed: field == "session_id"
    case .told: false
    }
  }

  /// The words of which a field is one; empty for any text, nil for a number.
  func words(of field: String) -> [String]? {
    if case .note(let note) = self { return note.fields.first { $0.name == field }?.words }
    return switch field {
    case "reason": PeerEvent.CloseReason.allCases.map(\.rawValue)
    case "peer", "address", "port": []
    default: nil
    }
  }
}

/// Where the value of a field stands in an event, and how it becomes ours.
public struct FieldSource: Hashable, Sendable {
  /// The names on the way to it; empty where it is always `value`.
  public var path: [String]
  /// What it always is.
  public var value: JSONNode?
  /// What the words mean that stand there.
  public var words: [String: JSONNode]
  /// What a number there is multiplied by: 0.001 where it is in millimetres, −1 where the axis points the other way.
  public var times: Double
  /// The number of decimals to which the program rounds what it prints there; nil where the file does not say it.
  public var decimals: Int?
  /// The program cuts what it prints to these decimals, and does not round it to the nearest.
  public var isCut = false

  /// The maximum of `decimals`: more than a double has.
  static let maxDecimals = 20

  /// A field at this path.
  public init(path: [String], value: JSONNode? = nil, words: [String: JSONNode] = [:], times: Double = 1) {
    self.path = path
    self.value = value
    self.words = words
    self.times = times
  }

  /// The value in an event, a word of it already replaced.
  private func found(in event: JSONNode) -> JSONNode? {
    if let value { return value }
    guard let found = event[path] else { return nil }
    return found.meantText.flatMap { words[$0] } ?? found
  }

  /// Whether something stands there; `null` is nothing.
  func stands(in event: JSONNode) -> Bool { found(in: event).map { $0.value != .null } ?? false }

  /// What stands there as a person reads it; nil where nothing does.
  func written(in event: JSONNode) -> String? {
    guard stands(in: event), let found = found(in: event) else { return nil }
    return found.meantText ?? found.kind
  }

  /// Why what stands there is not one of `allowed`, or no number where that is nil; nil where it is, or nothing stands there.
  func problem(in event: JSONNode, allowing allowed: [String]?) -> String? {
    guard stands(in: event), let found = found(in: event) else { return nil }
    let place = path.joined(separator: ".")
    guard let text = found.meantText else { return "\(found.kind) stands at \(place)" }
    let advice = words.isEmpty ? "" : ", which \"words\" does not name"
    guard let allowed else {
      if found.meantNumber == nil { return "\"\(text)\" at \(place) is no number\(advice)" }
      guard let decimals, let shown = precision(in: event)?.decimals, shown > decimals else { return nil }
      return "\(text) at \(place) has \(shown) decimals, and \"decimals\" is \(decimals)"
    }
    if allowed.isEmpty || allowed.contains(text) { return nil }
    return "\"\(text)\" at \(place) is not \(allowed.list(or: true))\(advice)"
  }

  /// Why what stands there is no whole number; nil where it is one, but for what a factor rounds.
  func fraction(in event: JSONNode) -> String? {
    guard let number = number(in: event), !((number - number.rounded()).magnitude < 0.001) else { return nil }
    let factor = times == 1 ? "" : " times \(times)"
    return "\(written(in: event) ?? "")\(factor) at \(path.joined(separator: ".")) is no whole number"
  }

  /// Why digits of a whole number are missing there; nil where none are.
  func rounding(in event: JSONNode) -> String? {
    guard let number = number(in: event), number.isFinite, whole(in: event) == nil else { return nil }
    return "\(written(in: event) ?? "") at \(path.joined(separator: ".")) does not show every digit of a whole number"
  }

  /// The whole number that is there, every digit of it; the nearest one where it has decimals or a factor.
  func whole(in event: JSONNode) -> WholeNumber? {
    if times.magnitude == 1, let whole = found(in: event)?.meantWhole { return times < 0 ? whole.negated : whole }
    return number(in: event).flatMap { WholeNumber(exactly: $0.rounded()) }
  }

  /// A value that is compared with what was sent: a whole number where the program writes one and no factor rounds it.
  func value(in event: JSONNode) -> StreamNumber? {
    if times.magnitude == 1, found(in: event)?.isWrittenWhole == true, let whole = whole(in: event) {
      return .whole(whole)
    }
    return number(in: event).map { .real($0) }
  }

  func number(in event: JSONNode) -> Double? { found(in: event)?.meantNumber.map { times == 1 ? $0 : $0 * times } }
  func text(in event: JSONNode) -> String? { found(in: event)?.meantText }
}

extension FieldSource {
  /// A program that prints fewer decimals of our unit than this is taken to have left off zeros: of metres, less than
  /// millimetres.
  private static let decimals = 3
  /// One that prints more decimals than this rounds nothing that matters.
  private static let exact = 6

  /// Whole numbers of a unit of their own, such as per cent or steps of a motor, are rounded or cut, up to this unit.
  private static let coarsest = 0.01

  /// The precision of the number that is printed there; nil where it is none, or one that the file puts there.
  func precision(in event: JSONNode) -> PrintedPrecision? {
    guard value == nil, let text = event[path]?.meantText, words[text] == nil else { return nil }
    return PrintedPrecision(of: text)
  }

  /// How far what is shown there may be from what it stands for by the file; nil where the file does not say how it is rounded.
  var declaredTolerance: RoundingTolerance? { decimals.map { tolerance(PrintedPrecision(decimals: $0), isCut: isCut) } }

  /// The same where a program prints with this precision at most.
  func tolerance(_ precision: PrintedPrecision, isCut: Bool) -> RoundingTolerance {
    RoundingTolerance(precision: precision, factor: times, isCut: isCut)
  }

  /// By how much a number that was rounded to the decimals in which it is printed differs at most; nil where it is printed
  /// in full (semantics, Verdicts: what a system prints is compared within the precision that it prints with).
  func roundedBy(in event: JSONNode) -> Double? {
    if let declaredTolerance { return number(in: event).map { declaredTolerance.allowed(for: $0) } }
    guard let text = text(in: event), !text.contains(where: { "xX".contains($0) }) else { return nil }
    let parts = text.split(maxSplits: 1) { "eE".contains($0) }
    let digits = parts.first?.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
    guard digits <= FieldSource.exact else { return nil }
    if digits == 0, parts.count == 1, times.magnitude < 1 { return 1.001 * min(times.magnitude, FieldSource.coarsest) }
    func unit(_ digits: Int) -> Double { (0..<digits).reduce(1.0) { unit, _ in unit / 10 } }
    let least = unit(FieldSource.decimals)
    // With an exponent all digits count, however small the number is.
    if parts.count > 1, let power = Int(parts[1]) {
      guard (-20...FieldSource.exact).contains(power) else { return nil }
      let scale = power < 0 ? unit(-power) : 1 / unit(power)
      return 0.501 * min(least, unit(digits) * scale * times.magnitude)
    }
    let own = unit(digits) * times.magnitude
    return 0.501 * max(unit(max(FieldSource.decimals, digits)) * times.magnitude, min(least, own))
  }
}

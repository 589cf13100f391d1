import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The meaning of an event of the system under test, and the paths of its fields: one entry of `events` in a system
/// file.
public struct EventRule: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: Hashable, Sendable {
    /// A value of a stream is applied.
    case applied(JudgedStream)
    /// Another note of its protocol.
    case note(NoteKind)
    /// A session began.
    case sessionOpened
    /// A session ended.
    case sessionClosed
    /// An action of a device, named by the rule's `device`.
    case told
  }

  /// The kind of event.
  public var kind: Kind
  /// The conditions of an event: one of these values at each path. Without conditions every object is one.
  public var conditions: [Condition]
  /// The sources of its fields, by our names; by default a field is at its own name.
  public var fields: [String: FieldSource]
  /// The stream whose value it shows; nil for other kinds.
  public var stream: JudgedStream? { if case .applied(let stream) = kind { stream } else { nil } }
  /// The pattern for a line of text, whose named groups are the fields of an object; nil where lines are JSON.
  public var pattern: LinePattern?
  /// The event of a device; nil for other kinds.
  public var device: DeviceEvent?
  /// The observables of a device's event: all those of its part.
  var shownByDevice: Set<Observable> = []
  /// The observables that it shows.
  var aspects: Set<Observable> {
    device != nil ? shownByDevice : [kind.aspect]
  }
  /// Its line in its file, from 1; 0 without a file.
  public var line = 0
  /// Whether it shows applied values of this stream.
  func reads(_ stream: JudgedStream) -> Bool { self.stream == stream }
  /// Whether both read the same lines as the same events.
  func saysTheSame(as other: EventRule) -> Bool {
    var copy = other
    copy.line = line
    return self == copy
  }
  /// Whether it is the default rule for a device, and not from a file.
  public var isOurs: Bool { device != nil && line == 0 }

  /// A condition: one of these values at this path.
  public struct Condition: Hashable, Sendable {
    /// The names along the path.
    public var path: [String]
    /// The values, as text.
    public var values: [String]

    /// A condition.
    public init(_ path: [String], _ values: [String]) {
      self.path = path
      self.values = values
    }
  }

  /// A rule with these parts.
  public init(_ kind: Kind, when conditions: [Condition] = [], fields: [String: FieldSource] = [:]) {
    self.kind = kind
    self.conditions = conditions
    self.fields = fields
  }

  /// Whether an object is such an event. Without conditions it must have one of its fields.
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
      // 1.0 and 1 are equal numbers.
      guard case .number = node.value else { return false }
      return condition.values.contains { value in
        guard let written = WholeNumber(value), let whole = node.meantWhole else { return Double(value) == node.number }
        return written == whole
      }
    }
  }

  /// The number of its fields, and of its conditions' names and values, in a line that it does not match.
  func nearness(of line: String, _ object: JSONNode?) -> Int {
    let names = conditions.compactMap { $0.path.last { Int($0) == nil } }
    let values = conditions.flatMap(\.values).filter { $0.count > 1 && $0 != "true" && $0 != "false" }
    let found = object.map { object in knownFields.count { source(of: $0).stands(in: object) } } ?? 0
    return found + (names + values).count { line.contains($0) }
  }

  /// Its possible fields, by our names.
  public var knownFields: [String] { device?.fields.map(\.name) ?? kind.fields }

  /// Its name in a system file.
  public var name: String { device?.name ?? kind.name }

  /// A number of the event, by our field name; nil where it is missing.
  public func number(_ field: String, in event: JSONNode) -> Double? { source(of: field).number(in: event) }

  /// A whole number of the event with all digits, by our field name; nil where it is missing.
  public func whole(_ field: String, in event: JSONNode) -> WholeNumber? { source(of: field).whole(in: event) }

  /// A text of the event, by our field name; nil where it is missing.
  public func text(_ field: String, in event: JSONNode) -> String? { source(of: field).text(in: event) }

  /// The source of a field: at its own name by default.
  func source(of field: String) -> FieldSource { fields[field] ?? FieldSource(path: [field]) }

  /// The problem with a field's value in an event; nil without one, or without a value.
  func problem(with field: String, in event: JSONNode) -> String? {
    if let known = device?.field(field) {
      return source(of: field).problem(in: event, allowing: known.words).map { "\"\(field)\" cannot be read: \($0)" }
    }
    // A field that the file does not map is checked only where its meaning is certain.
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

  /// The fields that it needs: those that the file maps, and each of several buttons that are shown separately.
  func needed(found: (String) -> Bool) -> [String] {
    let named = knownFields.filter { fields[$0]?.path.isEmpty == false }
    let single = stream?.rules.events?.parts ?? []
    guard let whole = stream?.values.first?.name, fields[whole] == nil, !found(whole), single.contains(where: found)
    else { return named }
    return single.filter { fields[$0]?.value == nil }
  }

  /// The required fields that an event lacks, in words; a general sentence if it lacks none.
  func lack(in event: JSONNode) -> String {
    let absent = knownFields.filter { !source(of: $0).stands(in: event) }
    return absent.isEmpty ? "what it holds makes no \(name)" : lack(of: absent)
  }

  /// A sentence that these fields are missing in an event.
  func lack(of fields: [String]) -> String {
    let absent = fields.map { field in
      let path = source(of: field).path.joined(separator: ".")
      return path == field ? "\"\(field)\"" : "\"\(field)\" (at \(path))"
    }
    return "there is no \(absent.list(or: true)) in it"
  }
}

extension EventRule.Kind {
  /// Its name in a system file.
  public var name: String {
    switch self {
    case .applied(let stream): stream.rules.events?.rule ?? "applied"
    case .note(let note): note.rule ?? note.name
    case .sessionOpened: "session-opened"
    case .sessionClosed: "session-closed"
    case .told: "told"
    }
  }

  /// Our names of its fields: those in the events of `telecap simulate`.
  public var fields: [String] {
    switch self {
    case .applied(let stream): stream.fields
    case .note(let note): note.fields.map(\.name)
    case .sessionOpened: ["peer", "address", "port", "session_id"]
    case .sessionClosed: ["peer", "address", "port", "session_id", "reason"]
    // The fields of its device.
    case .told: []
    }
  }

  /// The observable that it shows; the two of a session together show the start and end of sessions.
  public var aspect: Observable {
    switch self {
    case .applied(let stream): .stream(stream.rules.name)
    case .note(let note): .note(note)
    case .sessionOpened, .sessionClosed: .sessions
    case .told: .tellings
    }
  }

  /// Whether it is shown in the same way for messages of any transport. False for sessions, which differ between
  /// transports, and for values to which messages of several transports contribute.
  var isOverEachCarrier: Bool {
    switch self {
    case .applied(let stream): stream.showing != .plain && !stream.owner.mixesCarriers
    case .note: isRequested
    default: false
    }
  }

  /// Whether messages request it.
  public var isRequested: Bool { if case .note(let note) = self { note.request != nil } else { false } }

  /// Whether a field of it is a count, which is always whole.
  func isWhole(_ field: String) -> Bool {
    switch self {
    case .applied(let stream): stream.isWhole(field)
    case .note(let note): note.fields.contains { $0 == .number(field) }
    case .sessionOpened, .sessionClosed: field == "session_id"
    case .told: false
    }
  }

  /// The allowed words of a field; empty for any text, nil for a number.
  func words(of field: String) -> [String]? {
    if case .note(let note) = self { return note.fields.first { $0.name == field }?.words }
    return switch field {
    case "reason": PeerEvent.CloseReason.allCases.map(\.rawValue)
    case "peer", "address", "port": []
    default: nil
    }
  }
}

/// The source of a field's value in an event, and its conversion.
public struct FieldSource: Hashable, Sendable {
  /// The names along the path; empty for a constant `value`.
  public var path: [String]
  /// The constant value.
  public var value: JSONNode?
  /// The values for the words at the path.
  public var words: [String: JSONNode]
  /// The factor of a number: 0.001 for millimetres, −1 for the opposite direction.
  public var times: Double
  /// The number of decimals to which the program rounds it; nil where the file does not declare it.
  public var decimals: Int?
  /// Whether the program truncates to these decimals instead of rounding.
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

  /// The value in an event, after the replacement of words.
  private func found(in event: JSONNode) -> JSONNode? {
    if let value { return value }
    guard let found = event[path] else { return nil }
    return found.meantText.flatMap { words[$0] } ?? found
  }

  /// Whether a value other than `null` is there.
  func stands(in event: JSONNode) -> Bool { found(in: event).map { $0.value != .null } ?? false }

  /// The value as text; nil where there is none.
  func written(in event: JSONNode) -> String? {
    guard stands(in: event), let found = found(in: event) else { return nil }
    return found.meantText ?? found.kind
  }

  /// The reason why the value is not one of `allowed`, or no number where that is nil; nil where it is valid or
  /// missing.
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

  /// The reason why the value is not whole; nil where it is, apart from the rounding of a factor.
  func fraction(in event: JSONNode) -> String? {
    guard let number = number(in: event), !((number - number.rounded()).magnitude < 0.001) else { return nil }
    let factor = times == 1 ? "" : " times \(times)"
    return "\(written(in: event) ?? "")\(factor) at \(path.joined(separator: ".")) is no whole number"
  }

  /// The reason why a whole number lacks digits; nil where it has all.
  func rounding(in event: JSONNode) -> String? {
    guard let number = number(in: event), number.isFinite, whole(in: event) == nil else { return nil }
    return "\(written(in: event) ?? "") at \(path.joined(separator: ".")) does not show every digit of a whole number"
  }

  /// The exact whole number; the nearest one where it has decimals or a factor.
  func whole(in event: JSONNode) -> WholeNumber? {
    if times.magnitude == 1, let whole = found(in: event)?.meantWhole { return times < 0 ? whole.negated : whole }
    return number(in: event).flatMap { WholeNumber(exactly: $0.rounded()) }
  }

  /// The value for a comparison with the sent one: whole if it is printed as such and no factor rounds it.
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
  /// The minimum number of decimals, in our unit, of a rounded number. Fewer are taken as omitted zeros: of metres,
  /// less than millimetres.
  private static let decimals = 3
  /// The number of decimals from which rounding does not matter.
  private static let exact = 6

  /// The largest unit in which whole numbers, such as per cent or motor steps, are taken as rounded or truncated.
  private static let coarsest = 0.01

  /// The precision of the printed number; nil for a word or a constant.
  func precision(in event: JSONNode) -> PrintedPrecision? {
    guard value == nil, let text = event[path]?.meantText, words[text] == nil else { return nil }
    return PrintedPrecision(of: text)
  }

  /// The declared tolerance; nil where the file does not declare its rounding.
  var declaredTolerance: RoundingTolerance? { decimals.map { tolerance(PrintedPrecision(decimals: $0), isCut: isCut) } }

  /// The tolerance for output of at most this precision.
  func tolerance(_ precision: PrintedPrecision, isCut: Bool) -> RoundingTolerance {
    RoundingTolerance(precision: precision, factor: times, isCut: isCut)
  }

  /// The maximum rounding error of a number by its printed decimals; nil where it is printed in full (semantics,
  /// Verdicts: what a system prints is compared within the precision that it prints with).
  func roundedBy(in event: JSONNode) -> Double? {
    if let declaredTolerance { return number(in: event).map { declaredTolerance.allowed(for: $0) } }
    guard let text = text(in: event), !text.contains(where: { "xX".contains($0) }) else { return nil }
    let parts = text.split(maxSplits: 1) { "eE".contains($0) }
    let digits = parts.first?.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
    guard digits <= FieldSource.exact else { return nil }
    if digits == 0, parts.count == 1, times.magnitude < 1 { return 1.001 * min(times.magnitude, FieldSource.coarsest) }
    func unit(_ digits: Int) -> Double { (0..<digits).reduce(1.0) { unit, _ in unit / 10 } }
    let least = unit(FieldSource.decimals)
    // With an exponent all digits count, for any magnitude.
    if parts.count > 1, let power = Int(parts[1]) {
      guard (-20...FieldSource.exact).contains(power) else { return nil }
      let scale = power < 0 ? unit(-power) : 1 / unit(power)
      return 0.501 * min(least, unit(digits) * scale * times.magnitude)
    }
    let own = unit(digits) * times.magnitude
    return 0.501 * max(unit(max(FieldSource.decimals, digits)) * times.magnitude, min(least, own))
  }
}

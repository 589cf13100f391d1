import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// A stream as its protocol declares it, with what a receiver is held to and how it shows what it applies. A class, so that
/// asking it for something copies nothing on the packet path; nothing in it changes.
public final class JudgedStream: Sendable {
  /// What must be made of it.
  public let rules: StreamRules
  /// The protocol that declares it.
  public let owner: WireProtocol
  /// The message that carries it; others may carry it as well.
  public let kind: MessageKind
  /// What is required of a receiver, in the order in which it is told.
  public let requirements: [(aspect: StreamAspect, requirement: Requirement)]
  /// The field of the number that decides; nil where the order of arrival counts.
  let order: FieldRow?
  /// The field of its number, also where the order of arrival counts all the same; nil where it has none.
  let counter: FieldRow?
  /// How its numbers compare.
  let numbers: NumberOrder
  /// What tells several of it apart.
  let keys: [FieldRow]
  /// It has a key.
  let hasKey: Bool
  /// What is applied.
  let values: [FieldRow]
  /// It applies numbers that may be NaN.
  let hasFloats: Bool
  /// The range of each value; empty where values are applied as they are.
  let ranges: [ClosedRange<Double>]
  /// What is applied before anything was received; nil where nothing is.
  let start: StreamValues?
  /// The same for the keys that began elsewhere.
  private let starts: [[UInt64]: StreamValues]
  /// How far a shown number may be from a right one: this share of it.
  let tolerance: Double
  /// How far a shown number may be from a right one because its program rounds what it prints, for each value; none where nothing
  /// is known of that.
  private let rounding: [RoundingTolerance?]
  /// How a picture calls what it plots of the stream.
  public let axis: String
  /// The number of a message decides whether it is the latest.
  let isNumbered: Bool
  /// The number of a message decides whether it was counted before: values are added up, or each is an event.
  let countsByNumber: Bool
  /// A message that breaks the rule of one of its fields may be dropped: the declaration does not say what is made of it.
  private let mayDropBreaches: Bool
  /// Whole numbers are compared with every digit; otherwise as the doubles in which a program may have computed them.
  private let comparesDigits: Bool
  /// How many bits its number has.
  let bits: Int
  /// It belongs to the session of one client, which a host knows: what anybody else sends is not applied.
  let isOfClient: Bool
  /// It belongs to the session that its receiver asks for.
  let isOfOwnSession: Bool
  /// Silence turns it off.
  let hasSilence: Bool
  /// What an event of the receiver says of it; nil where it says nothing.
  let reading: Reader
  /// What was taken of a receiver that this stream is judged by; nil where it is the same for all.
  let taken: Taken?
  /// A value in words.
  let words: @Sendable (StreamValue, _ inFull: Bool) -> String
  private let forms: [Form]
  /// The first of them, which nearly all messages have: asked for here, it is not counted.
  private let main: Form

  /// What an event of a receiver says of a stream.
  public enum Reading: Sendable {
    /// What it shows is applied from now on.
    case shows
    /// A message was used; what it led to is shown by another event.
    case uses
    /// A message was used, and what it shows is applied from now on.
    case applies
    /// A message was dropped as late or repeated.
    case dropsStale
    /// A message was dropped since it holds what none may apply.
    case dropsInvalid
  }

  /// A value that an event shows, of the stream of a key. It is filled in place: the packet path moves it nowhere.
  public struct Shown: Sendable {
    /// The value.
    public var value = StreamValue(values: [])
    /// The bits of the key; none where the stream has none.
    public var key: [UInt64] = []

    /// Nothing yet.
    public init() {}
  }

  /// What an event says of a stream; what is applied from now on is left in `shown`. Nil where it says nothing.
  public typealias Reader = @Sendable (_ event: PeerEvent, _ shown: inout Shown) -> Reading?

  /// What a receiver's events say of a stream.
  ///
  /// - Parameter other: what events say that are not about one stream.
  private static func reader(
    of rules: StreamRules, other: @escaping @Sendable (PeerEvent) -> Reading?
  ) -> Reader {
    let name = rules.name
    let isNumbered = rules.merge != .sum
    let applied = rules.events?.isState == true ? Reading.shows : .applies
    return { event, shown in
      switch event {
      case .applied(let value) where value.stream == name:
        shown.value.number = isNumbered ? value.number : nil
        (shown.value.values, shown.key) = (value.values, value.key)
        return applied
      case .received(let value) where value.stream == name: return .uses
      case .dropped(let value, let reason) where value.stream == name:
        return reason == .notFinite ? .dropsInvalid : .dropsStale
      default: return other(event)
      }
    }
  }

  /// Where its fields stand in one kind of message.
  struct Form: Sendable {
    let kind: MessageKind
    /// More bytes than these follow the message.
    let longest: Int
    let order: NumberPlaces
    let keys: NumberPlaces
    let values: NumberPlaces
  }

  /// A stream of `owner` whose receiver shows what it applies by its own events.
  ///
  /// - Parameters:
  ///   - ranges: the range of each value where it is not the declared one for all of them.
  ///   - start: what is applied before anything was received.
  ///   - taken: what of the start and the ranges was read from what the receiver showed.
  ///   - mayDropBreaches: a receiver may drop a message of which a field breaks its rule.
  ///   - comparesDigits: whole numbers are compared with every digit; otherwise as doubles.
  ///   - axis: how a picture calls the number of a message, or its first value where it has none; by its field unless given.
  ///   - reading: what events of the receiver say that are not about one stream.
  /// - Returns: nil where the protocol has no such message.
  public init?(
    _ rules: StreamRules, of owner: WireProtocol,
    requirements: [(aspect: StreamAspect, requirement: Requirement)],
    ranges: [ClosedRange<Double>]? = nil, start: StreamValues? = nil, tolerance: Double = 0,
    axis: String? = nil, taken: Taken? = nil, mayDropBreaches: Bool = false, comparesDigits: Bool = false,
    words: @escaping @Sendable (StreamValue, _ inFull: Bool) -> String,
    reading: @escaping @Sendable (PeerEvent) -> Reading? = { _ in nil }
  ) {
    guard let kind = owner[rules.message] else { return nil }
    self.rules = rules
    self.owner = owner
    self.kind = kind
    self.requirements = requirements
    let layout = kind.layout
    if case .sequence(let field) = rules.order { counter = layout[field] } else { counter = nil }
    order = rules.isInOrderOfArrival ? nil : counter
    keys = rules.key.compactMap { layout[$0] }
    hasKey = !keys.isEmpty
    values = rules.values.compactMap { layout[$0] }
    hasFloats = values.contains { $0.type == .f32 || $0.type == .f64 }
    self.ranges = ranges ?? rules.range.map { [ClosedRange<Double>](repeating: $0, count: rules.values.count) } ?? []
    (self.start, starts) = (start, [:])
    self.tolerance = tolerance
    rounding = []
    self.axis = axis ?? order?.name ?? rules.values.first ?? rules.name
    self.words = words
    self.taken = taken
    self.reading = JudgedStream.reader(of: rules, other: reading)
    isNumbered = order != nil && rules.merge == .latest
    countsByNumber = order != nil && rules.merge != .latest
    self.comparesDigits = comparesDigits
    self.mayDropBreaches = mayDropBreaches && layout.fields.contains { $0.rule != .any }
    bits = order?.bitCount ?? 32
    numbers = NumberOrder(rules.orderRule, bits: counter?.bitCount ?? 32)
    let isForClient = kind.layoutDirection == .serverToClient
    isOfClient = rules.inSession && !isForClient
    isOfOwnSession = rules.inSession && isForClient
    hasSilence = rules.silence != nil
    forms = ([rules.message] + rules.also).flatMap { owner.kinds(named: $0) }
      // A message may have a form without what this stream carries.
      .filter { kind in rules.values.allSatisfy { kind.layout[$0] != nil } }.map { Form(of: rules, in: $0) }
    main = forms[0]
  }

  /// The same stream of a program that rounds the values that it prints by so much, and whose sums began at these values.
  private init(
    _ other: JudgedStream, rounding: [RoundingTolerance?]? = nil, starts: [[UInt64]: StreamValues]? = nil,
    taken: Taken? = nil
  ) {
    (rules, owner, kind, requirements) = (other.rules, other.owner, other.kind, other.requirements)
    (order, keys, hasKey, values) = (other.order, other.keys, other.hasKey, other.values)
    (counter, numbers) = (other.counter, other.numbers)
    (hasFloats, ranges, start, tolerance) = (other.hasFloats, other.ranges, other.start, other.tolerance)
    (axis, mayDropBreaches, comparesDigits) = (other.axis, other.mayDropBreaches, other.comparesDigits)
    (isNumbered, countsByNumber) = (other.isNumbered, other.countsByNumber)
    (bits, isOfClient, isOfOwnSession) = (other.bits, other.isOfClient, other.isOfOwnSession)
    (hasSilence, reading, words) = (other.hasSilence, other.reading, other.words)
    (forms, main) = (other.forms, other.main)
    self.rounding = rounding ?? other.rounding
    self.starts = starts ?? other.starts
    self.taken = taken ?? other.taken
  }

  /// The stream as it is judged in a run: with the values at which its sums began there.
  func begun(in log: DecodedLog) -> JudgedStream {
    guard adds else { return self }
    let (starts, taken) = SumStart.find(self, in: log)
    return starts.isEmpty ? self : JudgedStream(self, starts: starts, taken: taken)
  }

  /// The values that are applied of a key before anything was received; nil where none are.
  func start(of key: [UInt64]) -> StreamValues? { starts[key] ?? start }

  /// The stream as it is judged in a run whose program rounds what it prints.
  func printed(in log: RunLog) -> JudgedStream {
    guard let mapping = log.mapping else { return self }
    let rounding = mapping.tolerances(of: self, isCoarse: log.isCoarse)
    return rounding.contains { $0 != nil } ? JudgedStream(self, rounding: rounding) : self
  }

  // MARK: - What it is

  /// Who receives it.
  public var receiver: Side { kind.layoutDirection == .serverToClient ? .client : .host }

  /// What a system file may say where it stands: the fields of the key, the number and the values.
  public var fields: [String] {
    rules.events?.fieldNames ?? keys.map(\.name) + (adds ? [] : order.map { [$0.name] } ?? []) + values.map(\.name)
  }

  /// The values that a system must show to be judged by them: those that are measured, and of a stream that has none of these all.
  var valuesToShow: [String] {
    let measured = values.filter(\.valueType.isFloat)
    return (measured.isEmpty ? values : measured).map(\.name)
  }

  // MARK: - Pictures

  /// Its receiver shows a state, and not what it made of one message.
  var showsState: Bool { rules.events?.isState == true }

  /// Each message adds to the ones before it.
  public var adds: Bool { rules.merge == .sum }

  /// What is plotted is a whole number.
  public var isWhole: Bool { isNumbered || values.allSatisfy(\.valueType.isWhole) }

  /// The bits of the number that is plotted, which wraps; nil where values are plotted.
  public var wrappingBits: Int? { isNumbered ? bits : nil }

  /// The range of what is plotted; nil where it has none.
  public var plottedRange: ClosedRange<Double>? { isNumbered || adds ? nil : ranges.first }

  /// What is plotted of a message, whatever else is wrong with it: its number, or its first value where it has none. Nil
  /// where it is none of the stream.
  public func plotted(_ bytes: RawSpan, over carrier: Carrier) -> Double? {
    guard let dialect = owner.dialect(over: carrier) else { return nil }
    guard let form = form(of: MessageDecoder.check(bytes, as: dialect).kind) else { return nil }
    let value = value(in: bytes, form)
    return (isNumbered ? value.number.map { Double($0) } : nil) ?? value.values.first
  }

  /// The same of what a receiver shows; increments from where they began.
  public func plotted(_ event: PeerEvent) -> Double? {
    var shown = Shown()
    switch reading(event, &shown) {
    case .shows, .applies:
      return (isNumbered ? shown.value.number.map { Double($0) } : nil)
        ?? shown.value.values.first.map { adds ? $0 - (start?.first ?? 0) : $0 }
    default: return nil
    }
  }

  /// Whether a receiver shows by an event what it applies from now on, which is left in `shown`.
  public func isShown(by event: PeerEvent, into shown: inout Shown) -> Bool {
    switch reading(event, &shown) {
    case .shows, .applies: true
    default: false
    }
  }

  // MARK: - Messages

  /// Where its fields stand in messages of this kind; nil where they do not carry it.
  @inline(__always)
  func form(of kind: MessageKind) -> Int? {
    if main.kind == kind { return 0 }
    for place in forms.indices where forms[place].kind == kind { return place }
    return nil
  }

  /// Where the key stands in a message of this form.
  func keys(_ form: Int) -> NumberPlaces { form == 0 ? main.keys : forms[form].keys }

  /// The value in a message of this form.
  func value(in bytes: RawSpan, _ form: Int) -> StreamValue {
    var value = StreamValue(values: [])
    read(bytes, form, into: &value)
    return value
  }

  /// Puts the value in a message of this form in the place of another.
  @inline(__always)
  func read(_ bytes: RawSpan, _ form: Int, into value: inout StreamValue) {
    let hasNumber = isNumbered || countsByNumber
    guard form == 0 else { return forms[form].read(bytes, hasNumber, into: &value) }
    main.read(bytes, hasNumber, into: &value)
  }

  /// Whether bytes follow a message of this form: it may be read without them, or dropped (semantics, Verdicts).
  @inline(__always)
  func hasTrailing(_ bytes: RawSpan, _ form: Int) -> Bool {
    bytes.byteCount > (form == 0 ? main.longest : forms[form].longest)
  }

  /// Whether a field of a message breaks its rule, such as `range`, `codes` or `equals`, where that lets a receiver drop it.
  func breaksRules(_ bytes: RawSpan, over carrier: Carrier) -> Bool {
    guard mayDropBreaches, let dialect = owner.dialect(over: carrier) else { return false }
    var findings: [Finding] = []
    _ = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    return findings.contains { finding in
      if case .field = finding.detail { return true }
      return false
    }
  }

  /// Whether reserved bits of a value are set in a message of this form.
  func hasReservedSet(in bytes: RawSpan, _ form: Int) -> Bool {
    form == 0 ? main.values.haveReservedSet(in: bytes) : forms[form].values.haveReservedSet(in: bytes)
  }

  /// The value in a message of its kind, as a receiver shows it.
  func applied(in bytes: RawSpan, _ form: Int = 0) -> AppliedValue {
    let value = value(in: bytes, form)
    return AppliedValue(
      stream: rules.name, key: keys(form).bits(in: bytes), number: value.number, values: value.values,
      names: rules.events)
  }

  // MARK: - Values

  /// Whether a field is a whole number that discriminates messages: the sequence number, or a field of the key.
  func counts(_ field: String) -> Bool { order?.name == field || keys.contains { $0.name == field } }

  /// Whether a field is one of its values that are measured, and not counted.
  func isMeasured(_ field: String) -> Bool {
    values.contains { $0.name == field && $0.valueType.isFloat }
  }

  /// The value that an event shows, by the names of the fields; nil where it does not show which it is. Where not every
  /// number is shown, none is.
  func applied(whole: (String) -> WholeNumber?, value: (String) -> StreamNumber?) -> AppliedValue? {
    func bits(_ row: FieldRow) -> UInt64? { whole(row.name)?.unsigned }
    let key = keys.compactMap { bits($0) }
    guard key.count == keys.count else { return nil }
    let shown = values.compactMap { value($0.name) }
    let isComplete = shown.count == values.count
    let index = adds ? nil : order.flatMap { bits($0) }
    guard order == nil || adds ? isComplete : index != nil else { return nil }
    return AppliedValue(
      stream: rules.name, key: key, number: index, values: isComplete ? StreamValues(numbers: shown) : [],
      names: rules.events)
  }

  /// What must be applied of these values: each within its range.
  func clamped(_ values: StreamValues) -> StreamValues {
    var clamped = values
    clamp(&clamped)
    return clamped
  }

  /// Puts each of these values within its range.
  @inline(__always)
  func clamp(_ values: inout StreamValues) {
    if ranges.isEmpty { return }
    for (place, range) in ranges.enumerated() where place < values.count {
      let value = values[place]
      // NaN is below every number.
      if value > range.upperBound {
        values[place] = range.upperBound
      } else if !(value >= range.lowerBound) {
        values[place] = range.lowerBound
      }
    }
  }

  /// Every value at the end of its range, or 0 where it has none.
  func end(_ bound: KeyPath<ClosedRange<Double>, Double>) -> StreamValues {
    StreamValues(values.indices.map { $0 < ranges.count ? ranges[$0][keyPath: bound] : 0 })
  }

  /// The border that one of these values lies beyond.
  func beyond(_ values: StreamValues) -> StreamAspect? {
    for (place, range) in ranges.enumerated() where place < values.count {
      if values[place] > range.upperBound { return .clampHigh }
      if values[place] < range.lowerBound { return .clampLow }
    }
    return nil
  }

  /// What is wrong with values that no receiver may ever show; nil where they may be right.
  func wrongInItself(_ values: StreamValues) -> StreamAspect? {
    if rules.notFinite == .any, !values.isFinite { return nil }
    if ranges.isEmpty { return values.isFinite ? nil : .finite }
    if values.contains(where: \.isNaN) { return .finite }
    return isShown(clamped(values), by: values) ? nil : beyond(values)
  }

  /// Whether a receiver that shows `shown` has applied `right`.
  /// - Parameter reach: the largest magnitude that a sum had on its way to `right`, by which it may be rounded.
  func isShown(_ right: StreamValues, by shown: StreamValues, reach: Double = 0) -> Bool {
    if right == shown { return true }
    return right.count == shown.count
      && right.indices.allSatisfy { place in
        // What is whole on both sides was rounded by nobody, unless the program computes in doubles.
        if comparesDigits, let right = right.whole(at: place), let shown = shown.whole(at: place) {
          return shown.isRounding(of: right)
        }
        return isShown(right[place], by: shown[place], at: place, reach)
      }
  }

  private func isShown(_ right: Double, by shown: Double, at place: Int, _ reach: Double) -> Bool {
    if right == shown { return true }
    if place < rounding.count, let printed = rounding[place], (right - shown).magnitude <= printed.allowed(for: shown) {
      return true
    }
    // No double holds every whole number from here on: a program that reckons with them has rounded.
    let rounding = right.magnitude > 0x1p53 ? 4 * right.ulp : 0
    let allowed = tolerance == 0 ? rounding : max(1e-6, rounding, tolerance * max(right.magnitude, reach))
    return (right - shown).magnitude <= allowed
  }
}

/// Two of one protocol and one name are the same.
extension JudgedStream: Hashable {
  public static func == (left: JudgedStream, right: JudgedStream) -> Bool {
    left.owner.name == right.owner.name && left.rules == right.rules
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(owner.name)
    hasher.combine(rules)
  }
}

extension JudgedStream.Form {
  fileprivate init(of rules: StreamRules, in kind: MessageKind) {
    let layout = kind.layout
    self.kind = kind
    longest = layout.isFixedSize ? layout.fixedSize : .max
    if case .sequence(let field) = rules.order {
      order = NumberPlaces([layout[field]].compactMap(\.self))
    } else {
      order = NumberPlaces([])
    }
    keys = NumberPlaces(rules.key.compactMap { layout[$0] })
    values = NumberPlaces(rules.values.compactMap { layout[$0] })
  }

  @inline(__always)
  fileprivate func read(_ bytes: RawSpan, _ hasNumber: Bool, into value: inout StreamValue) {
    value.number = hasNumber ? order.firstBits(in: bytes) : nil
    values.read(bytes, into: &value.values)
  }
}

/// A value of a stream, and its number where it has one.
public struct StreamValue: Hashable, Sendable {
  /// Its number; nil where the stream has none.
  public var number: UInt64?
  /// In the order of the declaration; empty where a receiver does not show them.
  public var values: StreamValues

  /// A value.
  public init(number: UInt64? = nil, values: StreamValues) {
    self.number = number
    self.values = values
  }
}

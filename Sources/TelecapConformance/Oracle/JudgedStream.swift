import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// A stream as its protocol declares it, with the requirements on its receiver and the mapping of its events. An
/// immutable class, so that the packet path copies nothing.
public final class JudgedStream: Sendable {
  /// The declared rules.
  public let rules: StreamRules
  /// The protocol that declares it.
  public let owner: WireProtocol
  /// The message that carries it; others may carry it too.
  public let kind: MessageKind
  /// The requirements on a receiver, in the order of reports.
  public let requirements: [(aspect: StreamAspect, requirement: Requirement)]
  /// The field of the sequence number that decides which message is newer; nil where the order of arrival counts.
  let order: FieldRow?
  /// The field of its sequence number, even where the order of arrival counts; nil where it has none.
  let counter: FieldRow?
  /// How its sequence numbers compare.
  let numbers: NumberOrder
  /// The fields of the key, which discriminates its instances.
  let keys: [FieldRow]
  /// Whether it has a key.
  let hasKey: Bool
  /// The fields whose values are applied.
  let values: [FieldRow]
  /// Whether an applied value may be NaN.
  let mayHoldNoNumber: Bool
  /// Whether a message of it has numbers in digits.
  private let hasDigits: Bool
  /// The range of each value; empty where values are not clamped.
  let ranges: [ClosedRange<Double>]
  /// The initial values; nil where none are applied.
  let start: StreamValues?
  /// The initial values of keys with others.
  private let starts: [[UInt64]: StreamValues]
  /// The relative tolerance of a shown number.
  let tolerance: Double
  /// The rounding of each value in the output of its program, as a tolerance; empty where it is unknown.
  private let rounding: [RoundingTolerance?]
  /// The label of its axis in a plot.
  public let axis: String
  /// Whether its sequence number decides which message is the latest.
  let isNumbered: Bool
  /// Whether its sequence number decides which messages were counted: values are added, or each is an event.
  let countsByNumber: Bool
  /// A message with an invalid field may be dropped, since the declaration does not say how to handle it.
  private let mayDropBreaches: Bool
  /// Whether whole numbers are compared exactly; otherwise as doubles, in which a program may compute them.
  private let comparesDigits: Bool
  /// The number of bits of its sequence number.
  let bits: Int
  /// Whether it belongs to the session of one client of a host, which ignores other peers.
  let isOfClient: Bool
  /// Whether it belongs to the session that its receiver requests.
  let isOfOwnSession: Bool
  /// Whether silence sets it to 0.
  let hasSilence: Bool
  /// Maps an event of the receiver; nil for one that is unrelated.
  let reading: Reader
  /// The initial values and limits that were read from this receiver's output; nil for declared ones.
  let taken: Taken?
  /// A value as text.
  let words: @Sendable (StreamValue, _ inFull: Bool) -> String
  private let forms: [Form]
  /// The first form, which nearly all messages have: stored here to avoid reference counting.
  private let main: Form

  /// The meaning of a receiver's event for a stream.
  public enum Reading: Sendable {
    /// The receiver applies the shown value from now on.
    case shows
    /// A message was used; another event shows its effect.
    case uses
    /// A message was used, and the shown value is applied from now on.
    case applies
    /// A message was dropped as stale or duplicate.
    case dropsStale
    /// A message was dropped because its value must not be applied.
    case dropsInvalid
  }

  /// The value of an event and its key. It is filled in place, without moves on the packet path.
  public struct Shown: Sendable {
    /// The value.
    public var value = StreamValue(values: [])
    /// The bits of the key; empty where the stream has none.
    public var key: [UInt64] = []

    /// An empty value.
    public init() {}
  }

  /// Returns the meaning of an event for a stream, nil where it is unrelated, and puts the applied value into `shown`.
  public typealias Reader = @Sendable (_ event: PeerEvent, _ shown: inout Shown) -> Reading?

  /// The mapping of a receiver's events.
  ///
  /// - Parameter other: maps events that are not about one stream.
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

  /// The offsets of its fields in one kind of message.
  struct Form: Sendable {
    let kind: MessageKind
    /// The maximum size of the message; further bytes are trailing.
    let longest: Int
    let order: NumberPlaces
    let keys: NumberPlaces
    /// The fields that are numbers in digits.
    let digits: [FieldRow]
    let values: NumberPlaces
  }

  /// A stream of `owner` whose receiver reports applied values by its own events.
  ///
  /// - Parameters:
  ///   - ranges: the range of each value; the declared one unless given.
  ///   - start: the initial values.
  ///   - taken: the initial values and limits that were read from the receiver's output.
  ///   - mayDropBreaches: whether a receiver may drop a message with an invalid field.
  ///   - comparesDigits: whether whole numbers are compared exactly; otherwise as doubles.
  ///   - axis: the label of its axis in a plot; the name of the plotted field unless given.
  ///   - reading: maps events that are not about one stream.
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
    mayHoldNoNumber = values.contains(where: \.type.mayHoldNoNumber)
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
    self.mayDropBreaches = mayDropBreaches && layout.fields.contains { $0.rule != .any || $0.type.isDecimal }
    bits = order?.bitCount ?? 32
    numbers = NumberOrder(rules.orderRule, bits: counter?.bitCount ?? 32)
    let isForClient = kind.layoutDirection == .serverToClient
    isOfClient = rules.inSession && !isForClient
    isOfOwnSession = rules.inSession && isForClient
    hasSilence = rules.silence != nil
    forms = ([rules.message] + rules.also).flatMap { owner.kinds(named: $0) }
      // Skip forms of the message without the values of this stream.
      .filter { kind in rules.values.allSatisfy { kind.layout[$0] != nil } }.map { Form(of: rules, in: $0) }
    main = forms[0]
    hasDigits = forms.contains { !$0.digits.isEmpty }
  }

  /// The same stream for a program that rounds its output like this, and whose sums began at these values.
  private init(
    _ other: JudgedStream, rounding: [RoundingTolerance?]? = nil, starts: [[UInt64]: StreamValues]? = nil,
    taken: Taken? = nil
  ) {
    (rules, owner, kind, requirements) = (other.rules, other.owner, other.kind, other.requirements)
    (order, keys, hasKey, values) = (other.order, other.keys, other.hasKey, other.values)
    (counter, numbers) = (other.counter, other.numbers)
    (mayHoldNoNumber, ranges, start, tolerance) = (other.mayHoldNoNumber, other.ranges, other.start, other.tolerance)
    (axis, mayDropBreaches, comparesDigits) = (other.axis, other.mayDropBreaches, other.comparesDigits)
    hasDigits = other.hasDigits
    (isNumbered, countsByNumber) = (other.isNumbered, other.countsByNumber)
    (bits, isOfClient, isOfOwnSession) = (other.bits, other.isOfClient, other.isOfOwnSession)
    (hasSilence, reading, words) = (other.hasSilence, other.reading, other.words)
    (forms, main) = (other.forms, other.main)
    self.rounding = rounding ?? other.rounding
    self.starts = starts ?? other.starts
    self.taken = taken ?? other.taken
  }

  /// The stream for a run, with the initial values of its sums.
  func begun(in log: DecodedLog) -> JudgedStream {
    guard adds else { return self }
    let (starts, taken) = SumStart.find(self, in: log)
    return starts.isEmpty ? self : JudgedStream(self, starts: starts, taken: taken)
  }

  /// The initial values of a key; nil where none are applied.
  func start(of key: [UInt64]) -> StreamValues? { starts[key] ?? start }

  /// The stream for a run whose program rounds its output.
  func printed(in log: RunLog) -> JudgedStream {
    guard let mapping = log.mapping else { return self }
    let rounding = mapping.tolerances(of: self, isCoarse: log.isCoarse)
    return rounding.contains { $0 != nil } ? JudgedStream(self, rounding: rounding) : self
  }

  // MARK: - Properties

  /// The side that receives it.
  public var receiver: Side { kind.layoutDirection == .serverToClient ? .client : .host }

  /// The field names for a system file: the key, the sequence number and the values.
  public var fields: [String] {
    rules.events?.fieldNames ?? keys.map(\.name) + (adds ? [] : order.map { [$0.name] } ?? []) + values.map(\.name)
  }

  /// The values that a system must show: the measures, or all values of a stream without measures.
  var valuesToShow: [String] {
    let measured = values.filter(\.valueType.isFloat)
    return (measured.isEmpty ? values : measured).map(\.name)
  }

  // MARK: - Plots

  /// Whether its receiver shows a state, not the effect of one message.
  var showsState: Bool { rules.events?.isState == true }

  /// Whether each message adds to the ones before it.
  public var adds: Bool { rules.merge == .sum }

  /// Whether the plotted value is a whole number.
  public var isWhole: Bool { isNumbered || values.allSatisfy(\.valueType.isWhole) }

  /// The bits of the plotted sequence number, which wraps; nil where values are plotted.
  public var wrappingBits: Int? { isNumbered ? bits : nil }

  /// The range of the plot; nil where it has none.
  public var plottedRange: ClosedRange<Double>? { isNumbered || adds ? nil : ranges.first }

  /// The plotted value of a message, even an invalid one: its sequence number, or its first value where it has none.
  /// Nil for a message of another stream.
  public func plotted(_ bytes: RawSpan, over carrier: Carrier) -> Double? {
    guard let dialect = owner.dialect(over: carrier) else { return nil }
    guard let form = form(of: MessageDecoder.check(bytes, as: dialect).kind) else { return nil }
    let value = value(in: bytes, form)
    return (isNumbered ? value.number.map { Double($0) } : nil) ?? value.values.first
  }

  /// The plotted value of an event; for increments relative to their start.
  public func plotted(_ event: PeerEvent) -> Double? {
    var shown = Shown()
    switch reading(event, &shown) {
    case .shows, .applies:
      return (isNumbered ? shown.value.number.map { Double($0) } : nil)
        ?? shown.value.values.first.map { adds ? $0 - (start?.first ?? 0) : $0 }
    default: return nil
    }
  }

  /// Whether an event shows an applied value, which is put into `shown`.
  public func isShown(by event: PeerEvent, into shown: inout Shown) -> Bool {
    switch reading(event, &shown) {
    case .shows, .applies: true
    default: false
    }
  }

  // MARK: - Messages

  /// The index of the form of messages of this kind; nil where they do not carry it.
  @inline(__always)
  func form(of kind: MessageKind) -> Int? {
    if main.kind == kind { return 0 }
    for place in forms.indices where forms[place].kind == kind { return place }
    return nil
  }

  /// The offsets of the key in a message of this form.
  func keys(_ form: Int) -> NumberPlaces { form == 0 ? main.keys : forms[form].keys }

  /// The value in a message of this form.
  func value(in bytes: RawSpan, _ form: Int) -> StreamValue {
    var value = StreamValue(values: [])
    read(bytes, form, into: &value)
    return value
  }

  /// Reads the value of a message of this form into another.
  @inline(__always)
  func read(_ bytes: RawSpan, _ form: Int, into value: inout StreamValue) {
    let hasNumber = isNumbered || countsByNumber
    guard form == 0 else { return forms[form].read(bytes, hasNumber, into: &value) }
    main.read(bytes, hasNumber, into: &value)
  }

  /// Whether trailing bytes follow a message of this form: it may be read without them or dropped (semantics,
  /// Verdicts).
  @inline(__always)
  func hasTrailing(_ bytes: RawSpan, _ form: Int) -> Bool {
    bytes.byteCount > (form == 0 ? main.longest : forms[form].longest)
  }

  /// Whether a message of this form has a number in digits that receivers read in different ways, such as `1x` or `+0.049`.
  @inline(__always)
  func hasOtherDigits(_ bytes: RawSpan, _ form: Int) -> Bool {
    hasDigits && !(form == 0 ? main : forms[form]).digits.allSatisfy { $0.hasUsualDigits(in: bytes) }
  }

  /// Whether a field of a message breaks its rule, such as `range`, `codes` or `equals`, where a receiver may drop it
  /// for that.
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

  /// Whether a field discriminates messages: the sequence number, or a field of the key.
  func counts(_ field: String) -> Bool { order?.name == field || keys.contains { $0.name == field } }

  /// Whether a field is a value that is measured, not counted.
  func isMeasured(_ field: String) -> Bool {
    values.contains { $0.name == field && $0.valueType.isFloat }
  }

  /// The value of an event, by the names of the fields; nil without a complete key. Without all values, it has none.
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

  /// These values, clamped to their ranges.
  func clamped(_ values: StreamValues) -> StreamValues {
    var clamped = values
    clamp(&clamped)
    return clamped
  }

  /// Clamps each of these values to its range.
  @inline(__always)
  func clamp(_ values: inout StreamValues) {
    if ranges.isEmpty { return }
    for (place, range) in ranges.enumerated() where place < values.count {
      let value = values[place]
      // NaN compares false with both limits, and becomes the lower one.
      if value > range.upperBound {
        values[place] = range.upperBound
      } else if !(value >= range.lowerBound) {
        values[place] = range.lowerBound
      }
    }
  }

  /// All values at one end of their ranges, or 0 where they have none.
  func end(_ bound: KeyPath<ClosedRange<Double>, Double>) -> StreamValues {
    StreamValues(values.indices.map { $0 < ranges.count ? ranges[$0][keyPath: bound] : 0 })
  }

  /// The limit beyond which one of these values is.
  func beyond(_ values: StreamValues) -> StreamAspect? {
    for (place, range) in ranges.enumerated() where place < values.count {
      if values[place] > range.upperBound { return .clampHigh }
      if values[place] < range.lowerBound { return .clampLow }
    }
    return nil
  }

  /// The aspect that is violated by values which no receiver may show; nil where they may be right.
  func wrongInItself(_ values: StreamValues) -> StreamAspect? {
    if rules.notFinite == .any, !values.isFinite { return nil }
    if ranges.isEmpty { return values.isFinite ? nil : .finite }
    if values.contains(where: \.isNaN) { return .finite }
    return isShown(clamped(values), by: values) ? nil : beyond(values)
  }

  /// Whether `shown` is the output of a receiver that has applied `right`.
  /// - Parameter reach: the largest magnitude of a sum on its way to `right`, to which its rounding error is relative.
  func isShown(_ right: StreamValues, by shown: StreamValues, reach: Double = 0) -> Bool {
    if right == shown { return true }
    return right.count == shown.count
      && right.indices.allSatisfy { place in
        // Whole numbers on both sides are exact, unless the program computes in doubles.
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
    // From here on doubles are not exact for whole numbers: a program that computes in doubles rounds.
    let rounding = right.magnitude > 0x1p53 ? 4 * right.ulp : 0
    let allowed = tolerance == 0 ? rounding : max(1e-6, rounding, tolerance * max(right.magnitude, reach))
    return (right - shown).magnitude <= allowed
  }
}

/// Streams of equal protocol names and rules are equal.
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
    digits = layout.fields.filter(\.type.isDecimal)
  }

  @inline(__always)
  fileprivate func read(_ bytes: RawSpan, _ hasNumber: Bool, into value: inout StreamValue) {
    value.number = hasNumber ? order.firstBits(in: bytes) : nil
    values.read(bytes, into: &value.values)
  }
}

/// A value of a stream, with its sequence number where it has one.
public struct StreamValue: Hashable, Sendable {
  /// The sequence number; nil where the stream has none.
  public var number: UInt64?
  /// The values in the order of the declaration; empty where a receiver does not show them.
  public var values: StreamValues

  /// A value.
  public init(number: UInt64? = nil, values: StreamValues) {
    self.number = number
    self.values = values
  }
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges what one receiver makes of one stream as its protocol declares it: from what was delivered follow the only states
/// that the rules allow (semantics, Latest value wins; Clamping and what is not a number).
struct StreamOracle: Sendable {
  let stream: JudgedStream
  private let checked: CheckedAspects
  private let life: Life?
  private let settle: Int64
  /// One for each key that was met; the first where the stream has none.
  private var states: [State] = []
  private var placeOfKey: [[UInt64]: Int] = [:]
  /// When the session was acknowledged last, for a receiver that asks for it.
  private var lastAnswer: Timestamp?
  private(set) var hasShown = false

  init(_ stream: JudgedStream, settle: Int64, _ checks: inout CheckList) {
    self.stream = stream
    self.settle = settle
    checked = CheckedAspects(stream, &checks)
    life = Life(stream, settle: settle)
  }

  /// What is known of a stream of one key.
  private struct State: Sendable {
    var settling: Settling
    var allowed: Allowed
    /// What the receiver showed last.
    var applied: StreamValue?
    /// What was delivered last, and whether another one of the same number differs from it.
    var last: StreamValue?
    var isAmbiguous = false
    var delivered = Timestamp.zero
    /// Something is on that silence must turn off.
    var isOn = false
    /// A quiet time has begun in which nothing may change.
    var isQuiet = false
    /// What the last delivery tries: it shows once the receiver has settled.
    var causes: AspectSet = []
    /// What was tried, and shows only where it is broken.
    var occasions: AspectSet = []

    init(_ start: StreamValues?, settle: Int64) {
      settling = Settling(settle)
      applied = start.map { StreamValue(number: nil, values: $0) }
      allowed = Allowed(applied)
    }
  }

  // MARK: - What happens

  /// A new session: the stream starts afresh.
  mutating func openSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    states = []
    placeOfKey = [:]
  }

  /// The session was acknowledged.
  mutating func answered(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    if stream.rules.inSession, let lastAnswer, let life, now.nanoseconds(since: lastAnswer) >= life.early {
      for place in states.indices { states[place].allowed.off = true }
    }
    lastAnswer = now
  }

  /// A message of the stream was delivered that a receiver must read, or that is wrong only in that its numbers are not
  /// finite; `form` is that of its kind.
  mutating func deliver(
    _ bytes: RawSpan, _ form: Int, over carrier: Carrier, packet: Int, at now: Timestamp, _ checks: inout CheckList
  ) {
    pass(to: now, &checks)
    let place = place(of: stream.key(in: bytes, form))
    states[place].settling.deliver(packet, at: now)
    if states[place].isQuiet, let check = checked[only: .noQueue] { checks.held(check) }
    states[place].isQuiet = false
    if stream.rules.inSession, stream.receiver == .client {
      guard let lastAnswer else {
        states[place].causes = [.needsSession]
        return
      }
      if let life, now.nanoseconds(since: lastAnswer) >= life.early {
        // Alive or not, nobody can tell: the value may be applied or not.
        states[place].allowed.anything = true
        return
      }
    }
    let value = stream.value(in: bytes, form)
    if stream.order == nil {
      take(value, at: place, now)
      if stream.hasReservedSet(in: bytes, form) { states[place].causes.insert(.reserved) }
      if carrier == .tcp { states[place].causes.insert(.control) }
    } else {
      takeNumbered(value, at: place, now)
    }
  }

  /// Something was delivered that is no message: nothing may change.
  mutating func deliverInvalid(_ packet: Int, at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    for place in states.indices { states[place].settling.deliver(packet, at: now) }
  }

  /// The receiver shows what it applies.
  mutating func observe(_ value: StreamValue, _ key: [UInt64], at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    hasShown = true
    let place = place(of: key)
    if stream.order == nil {
      observe(value, at: place, now, &checks)
    } else {
      observeNumbered(value, at: place, now, &checks)
    }
  }

  /// The run has ended: the receiver has had its time to settle.
  mutating func finish(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now.advanced(byNanoseconds: settle + 1), &checks)
    guard let check = checked[only: .noQueue] else { return }
    for state in states where state.isQuiet { checks.held(check) }
  }

  /// How what the receiver shows differs from what it should; nil where it does not, or shows nothing.
  func mismatch(at now: Timestamp) -> Violation? {
    guard hasShown else { return nil }
    for place in states.indices where !isRight(place) {
      return violation(place, states[place].allowed.value, states[place].applied, now)
    }
    return nil
  }

  /// The checks of the stream, by their places; not that of what is no message, which is all streams'.
  var checkPlaces: [Int] { checked.places }

  /// The form of a wrong message whose numbers are not finite; nil where it is wrong in another way, or none of the stream.
  func notFiniteForm(_ kind: MessageKind, _ bytes: RawSpan) -> Int? {
    guard stream.hasFloats, let form = stream.form(of: kind) else { return nil }
    return stream.value(in: bytes, form).values.isFinite ? nil : form
  }

  // MARK: - In the order of arrival

  private mutating func take(_ value: StreamValue, at place: Int, _ now: Timestamp) {
    let values = value.values
    guard values.isFinite || stream.rules.notFinite == .clampedOrDropped else {
      states[place].occasions.insert(.finite)
      if states[place].allowed.value != nil { states[place].causes.insert(.latest) }
      return
    }
    if stream.rules.merge == .sum { return add(values, at: place) }
    // Of what came before only what is no matter of the value is still tried.
    states[place].causes.formIntersection([.reserved, .control])
    guard values.isFinite else { return takeNotFinite(values, at: place) }
    let right = StreamValue(number: nil, values: stream.clamped(values))
    states[place].allowed = Allowed(right)
    states[place].delivered = now
    states[place].isOn = !right.values.isOff
    if let beyond = stream.beyond(values) {
      states[place].causes.insert(beyond)
    } else {
      if right.values.isOff { states[place].causes.insert(.zeroStops) }
      states[place].causes.insert(.latest)
    }
  }

  /// NaN and −∞ may be the lowest value, +∞ the highest; or they are dropped.
  private mutating func takeNotFinite(_ values: StreamValues, at place: Int) {
    let wrong = values.first { !$0.isFinite } ?? 0
    if wrong == .infinity {
      states[place].allowed.highest = true
    } else {
      states[place].allowed.lowest = true
    }
    states[place].causes.insert(wrong.isNaN ? .finite : wrong > 0 ? .clampHigh : .clampLow)
  }

  private mutating func add(_ values: StreamValues, at place: Int) {
    guard var sum = states[place].allowed.value?.values, sum.count == values.count else { return }
    for index in sum.indices { sum[index] += values[index] }
    states[place].causes.insert(.latest)
    if let beyond = stream.beyond(sum) { states[place].causes.insert(beyond) }
    states[place].allowed = Allowed(StreamValue(number: nil, values: stream.clamped(sum)))
  }

  private mutating func observe(_ value: StreamValue, at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    let before = states[place].applied
    states[place].applied = value
    if let wrong = stream.wrongInItself(value.values) {
      let isClamped = stream.rules.merge == .latest && !stream.ranges.isEmpty
      let right = isClamped ? StreamValue(number: nil, values: stream.clamped(value.values)) : nil
      return broken(wrong, place, right ?? states[place].allowed.value, value, now, &checks)
    }
    guard !states[place].settling.isOpen, value != before else { return }
    let isOff = value.values.isOff
    if isOff, mayBeLost(place, now) {
      states[place].allowed = Allowed(value)
    } else if !states[place].allowed.contains(value, of: stream) {
      states[place].isQuiet = false
      let aspect: StreamAspect = isOff && stream.rules.silence != nil ? .safe : .noQueue
      broken(aspect, place, states[place].allowed.value, value, now, &checks)
    }
  }

  // MARK: - By number

  private mutating func takeNumbered(_ value: StreamValue, at place: Int, _ now: Timestamp) {
    guard value.values.isFinite else {
      states[place].occasions.insert(.finite)
      return
    }
    let right = StreamValue(number: value.number, values: stream.clamped(value.values))
    let isSame = states[place].last?.number == right.number
    states[place].isAmbiguous = isSame && (states[place].isAmbiguous || states[place].last != right)
    states[place].last = right
    if let newest = states[place].allowed.value?.number {
      if right.number == newest { states[place].occasions.insert(.duplicate) }
      guard isNewer(right.number, than: newest) else { return }
    }
    states[place].allowed = Allowed(right)
    states[place].delivered = now
    states[place].isOn = !right.values.isOff
  }

  private mutating func observeNumbered(
    _ value: StreamValue, at place: Int, _ now: Timestamp, _ checks: inout CheckList
  ) {
    let expected = states[place].allowed.value
    let applied = states[place].applied
    if stream.rules.silence != nil, value.values.isOff, value.number == applied?.number {
      // 0 where nothing that holds it came: right once it has been silent for long enough.
      let isTooEarly = states[place].isOn && !states[place].settling.isOpen && !mayBeLost(place, now)
      if isTooEarly { broken(.safe, place, expected, value, now, &checks) }
      states[place].applied = value
      return
    }
    guard value.values.isFinite else {
      states[place].occasions.remove(.finite)
      return broken(.finite, place, expected, value, now, &checks)
    }
    if let number = applied?.number, number == value.number {
      states[place].occasions.remove(.duplicate)
      return broken(.duplicate, place, expected, value, now, &checks)
    }
    let isForward = applied?.number.map { isNewer(value.number, than: $0) } ?? true
    let isKnown = expected?.number.map { !isNewer(value.number, than: $0) } ?? false
    guard isForward, isKnown else { return broken(.latest, place, expected, value, now, &checks) }
    states[place].applied = value
    guard let last = states[place].last, last.number == value.number, !states[place].isAmbiguous,
      !value.values.isEmpty, let check = checked[.values]
    else { return }
    if stream.isShown(last.values, by: value.values) {
      checks.held(check)
    } else {
      checks.broken(check) { violation(place, last, value, now, inFull: true) }
    }
  }

  private func isNewer(_ number: UInt64?, than other: UInt64) -> Bool {
    number.map { SerialNumber.isNewer($0, than: other, bits: stream.bits) } ?? false
  }

  // MARK: - Judging

  /// Judges what the time until `now` has decided.
  @inline(__always)
  private mutating func pass(to now: Timestamp, _ checks: inout CheckList) {
    for place in states.indices where states[place].settling.isOver(at: now) { judge(place, now, &checks) }
    if life != nil { lose(at: now, &checks) }
  }

  private mutating func judge(_ place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    states[place].isQuiet = stream.order == nil
    if states[place].allowed.anything { return }
    let right = isRight(place)
    var causes = states[place].causes
    if stream.order != nil, states[place].allowed.value != nil { causes.insert(.latest) }
    while let aspect = causes.popFirst() {
      guard let check = checked[aspect] else { continue }
      if right {
        checks.held(check)
      } else {
        checks.broken(check) { violation(place, states[place].allowed.value, states[place].applied, now) }
      }
    }
    var occasions = states[place].occasions
    while let aspect = occasions.popFirst() {
      if let check = checked[aspect] { checks.held(check) }
    }
    (states[place].causes, states[place].occasions) = ([], [])
    // What the receiver chose among what is allowed is what it must keep.
    if right, stream.order == nil { states[place].allowed = Allowed(states[place].applied) }
  }

  private func isRight(_ place: Int) -> Bool {
    guard stream.order == nil else { return states[place].applied?.number == states[place].allowed.value?.number }
    guard let applied = states[place].applied else { return states[place].allowed.value == nil }
    return states[place].allowed.contains(applied, of: stream)
  }

  // MARK: - Signs of life

  private func lastSign(_ place: Int) -> Timestamp? {
    guard stream.rules.silence != nil else { return lastAnswer }
    return states[place].isOn ? states[place].delivered : nil
  }

  private func mayBeLost(_ place: Int, _ now: Timestamp) -> Bool {
    guard let life else { return false }
    return lastSign(place).map { now.nanoseconds(since: $0) >= life.early } ?? true
  }

  private mutating func lose(at now: Timestamp, _ checks: inout CheckList) {
    guard let life else { return }
    for place in states.indices {
      guard let sign = lastSign(place), now.nanoseconds(since: sign) > life.late else { continue }
      states[place].isOn = false
      let zeros = StreamValues(stream.values.map { _ in 0 })
      let off = StreamValue(number: states[place].applied?.number, values: zeros)
      if stream.order == nil { states[place].allowed = Allowed(off) }
      if let check = checked[.safe] {
        if states[place].applied?.values.isOff == true {
          checks.held(check)
        } else {
          checks.broken(check) { violation(place, off, states[place].applied, now) }
        }
      }
    }
    if let lastAnswer, now.nanoseconds(since: lastAnswer) > life.late { self.lastAnswer = nil }
  }

  // MARK: - Keys and words

  /// The place of a key's state, which is made where there is none.
  private mutating func place(of key: [UInt64]) -> Int {
    if key.isEmpty, !states.isEmpty { return 0 }
    if let place = placeOfKey[key] { return place }
    placeOfKey[key] = states.count
    states.append(State(stream.start, settle: settle))
    return states.count - 1
  }

  private mutating func broken(
    _ aspect: StreamAspect, _ place: Int, _ expected: StreamValue?, _ observed: StreamValue?, _ now: Timestamp,
    _ checks: inout CheckList
  ) {
    guard let check = checked[aspect] else { return }
    checks.broken(check) { violation(place, expected, observed, now) }
  }

  private func violation(
    _ place: Int, _ expected: StreamValue?, _ observed: StreamValue?, _ now: Timestamp, inFull: Bool = false
  ) -> Violation {
    func words(_ value: StreamValue?) -> String { value.map { stream.words($0, inFull) } ?? "nothing" }
    return Violation(
      time: now, packet: states[place].settling.packet, expected: words(expected), observed: words(observed))
  }
}

/// Where the checks of a stream's aspects stand.
private struct CheckedAspects: Sendable {
  /// By the aspect; −1 where it is not required.
  private var own = [Int](repeating: -1, count: StreamAspect.allCases.count)
  private var all: [Int]

  init(_ stream: JudgedStream, _ checks: inout CheckList) {
    for (aspect, requirement) in stream.requirements { own[aspect.rawValue] = checks.place(of: requirement) }
    all = own
    for aspect in StreamAspect.allCases where own[aspect.rawValue] < 0 {
      if let general = aspect.general(isNumbered: stream.order != nil) { all[aspect.rawValue] = own[general.rawValue] }
    }
  }

  /// The check of an aspect, or of the general one that holds it.
  subscript(aspect: StreamAspect) -> Int? { all[aspect.rawValue] < 0 ? nil : all[aspect.rawValue] }

  /// The check of an aspect that has a requirement for it alone.
  subscript(only aspect: StreamAspect) -> Int? { own[aspect.rawValue] < 0 ? nil : own[aspect.rawValue] }

  /// All places but that of what is no message.
  var places: [Int] {
    StreamAspect.allCases.filter { $0 != .invalid }.map { own[$0.rawValue] }.filter { $0 >= 0 }
  }
}

/// How long after the last sign of life a stream may be over, and when it must be, in ns.
private struct Life: Sendable {
  let early: Int64
  let late: Int64

  /// Nil where silence means nothing to the receiver: it hears no signs of life, or they end nothing.
  init?(_ stream: JudgedStream, settle: Int64) {
    if let silence = stream.rules.silence {
      (early, late) = (silence - settle, silence + settle)
    } else if stream.rules.inSession, stream.receiver == .client, let timeout = stream.owner.session?.timeout {
      // Whoever lets go between these two ages is right (semantics, tele.session.timeout: 2.9…4.0 s for 3 s).
      (early, late) = (timeout - 100_000_000, timeout + 1_000_000_000 + settle)
    } else {
      return nil
    }
  }
}

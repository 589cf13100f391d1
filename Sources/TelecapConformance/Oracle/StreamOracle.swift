import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges what one receiver makes of one stream as its protocol declares it: from what was delivered follow the only states
/// that the rules allow (semantics, Latest value wins; Clamping and what is not a number).
struct StreamOracle: Sendable {
  let stream: JudgedStream
  /// The same, not counted: the packet path asks it for much, and would pay each time.
  private let declared: Unmanaged<JudgedStream>
  private let checked: CheckedAspects
  private let life: Life?
  private let settle: Nanoseconds
  /// One for each key that was met; the first where the stream has none.
  private var states: [State] = []
  private var placeOfKey: [[UInt64]: Int] = [:]
  /// The place that a message was for last: mostly it is the next one's.
  private var latest = 0
  /// The places whose receiver has not settled, in the order of their deliveries.
  private var settling: [Int] = []
  /// When silence must have ended what was delivered at these places, in the order of the deliveries. Some were refreshed since.
  private var silences: Deque<(place: Int, latest: Timestamp)> = []
  /// Nothing that is applied must have ended before.
  private var firstEnding = Timestamp.never
  /// The session of a receiver that asks for it; nil while there is none.
  private var session: Ending?
  /// There was a session since the link came up.
  private var hasBegun = false
  private(set) var hasShown = false
  /// The receiver has a session that it asked for.
  var hasSession: Bool { session != nil }
  /// What was delivered, and what the receiver shows, while it is taken in.
  private var incoming = StreamValue(values: [])
  private var shown = JudgedStream.Shown()

  init(_ stream: JudgedStream, settle: Nanoseconds, _ checks: inout CheckList) {
    self.stream = stream
    declared = .passUnretained(stream)
    self.settle = settle
    checked = CheckedAspects(stream, &checks)
    life = Life(stream, settle: settle)
  }

  /// What is known of a stream of one key.
  private struct State: Sendable {
    let key: [UInt64]
    var settling: Settling
    /// Of a stream without numbers: what the rules allow, and what the receiver showed last.
    var allowed: Allowed
    var applied: StreamValue?
    /// Of a stream with numbers: the newest that was delivered, and that which the receiver goes by. Values are kept once, for
    /// they are what costs most to move.
    var newest: UInt64?
    var followed: UInt64?
    /// A newer one that may be dropped, since bytes follow it.
    var optional: UInt64?
    /// What was delivered last, and whether another one of the same number differs from it.
    var last = StreamValue(values: [])
    var isAmbiguous = false
    /// The receiver showed 0.
    var isOff = false
    var delivered = Timestamp.zero
    /// Something is on that silence must turn off.
    var isOn = false
    /// A quiet time has begun in which nothing may change.
    var isQuiet = false
    /// It did not obey the last message that had no reserved bits set.
    var isDeaf = false
    /// What the last delivery tries: it shows once the receiver has settled.
    var causes: AspectSet = []
    /// What was tried, and shows only where it is broken.
    var occasions: AspectSet = []

    init(_ key: [UInt64], _ start: StreamValues?, settle: Nanoseconds) {
      self.key = key
      settling = Settling(settle)
      applied = start.map { StreamValue(number: nil, values: $0) }
      allowed = Allowed(applied)
    }

    /// Keeps what was delivered last in the place of what was before.
    mutating func keep(_ value: StreamValue) {
      isAmbiguous = last.number == value.number && (isAmbiguous || last.values != value.values)
      last = value
    }

    /// A value of this number is the one that was delivered last, and it is known what that held.
    func isLast(_ number: UInt64?) -> Bool { last.number == number && !isAmbiguous }
  }

  // MARK: - What happens

  /// A new session: the stream starts afresh.
  mutating func openSession(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    (states, placeOfKey, settling, silences) = ([], [:], [], [])
  }

  /// The session was acknowledged, or showed a sign of life. Over TCP the connection holds it from now on; over other carriers
  /// it lives as long as it is told of.
  mutating func answered(over carrier: Carrier, at now: Timestamp, _ checks: inout CheckList) {
    guard stream.isOfOwnSession else { return }
    pass(to: now, &checks)
    if let session, now >= session.earliest {
      for place in states.indices { states[place].allowed.off = true }
    }
    hasBegun = true
    session = carrier == .tcp ? .never : life.map { Ending(after: now, $0) }
    expectEnding(session)
  }

  /// A connection has ended, and the session that it held.
  mutating func disconnected(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now, &checks)
    hasBegun = false
    guard let ending = session else { return }
    session = Ending(
      earliest: min(ending.earliest, now), latest: min(ending.latest, now.advanced(byNanoseconds: settle)))
    expectEnding(session)
  }

  /// A message of the stream was delivered that a receiver must read, or may drop because bytes follow it; `form` is that of
  /// its kind.
  mutating func deliver(
    _ bytes: RawSpan, _ form: Int, over carrier: Carrier, packet: Int, at now: Timestamp, _ checks: inout CheckList
  ) {
    pass(to: now, &checks)
    let place = declared._withUnsafeGuaranteedRef { stream -> Int in
      stream.hasKey ? self.place(of: stream.keys(form), in: bytes) : self.place(of: [])
    }
    unsettle(place, packet, at: now)
    if states[place].isQuiet, let check = checked[only: .noQueue] { checks.held(check) }
    states[place].isQuiet = false
    if stream.isOfOwnSession {
      guard let session else {
        outsideSession(place, over: carrier)
        return
      }
      if now >= session.earliest {
        // Alive or not, nobody can tell: the value may be applied or not.
        states[place].allowed.anything = true
        return
      }
    }
    let (isNumbered, mayBeDropped) = declared._withUnsafeGuaranteedRef { stream -> (Bool, Bool) in
      stream.read(bytes, form, into: &incoming)
      return (stream.isNumbered, stream.hasTrailing(bytes, form))
    }
    if isNumbered {
      takeNumbered(at: place, mayBeDropped: mayBeDropped, now)
    } else {
      let before = states[place].allowed
      take(incoming, at: place, now)
      if mayBeDropped { states[place].allowed = before.or(states[place].allowed) }
      if stream.hasReservedSet(in: bytes, form) { states[place].causes.insert(.reserved) }
      if carrier == .tcp { states[place].causes.insert(.control) }
    }
  }

  /// Something of the stream came outside a session: it is not applied. Where signs of life are all that shows that a session is
  /// there, nobody can tell before the first of them; behind the last, what was lost stays off.
  private mutating func outsideSession(_ place: Int, over carrier: Carrier) {
    guard stream.owner.asking(insteadOver: carrier) != nil else {
      states[place].causes = [.needsSession]
      return
    }
    if hasBegun { states[place].causes = [.safe] } else { states[place].allowed.anything = true }
  }

  /// Something was delivered that is no message: nothing may change.
  mutating func deliverInvalid(_ packet: Int, at now: Timestamp) {
    for place in states.indices { unsettle(place, packet, at: now) }
  }

  /// The receiver tells something; nil where it says nothing of the stream.
  mutating func observe(
    _ event: PeerEvent, at now: Timestamp, _ checks: inout CheckList
  ) -> JudgedStream.Reading? {
    guard let reading = stream.reading(event, &shown) else { return nil }
    switch reading {
    case .shows, .applies:
      pass(to: now, &checks)
      hasShown = true
      let place = place(of: shown.key)
      if stream.isNumbered {
        observeNumbered(at: place, now, &checks)
      } else {
        observe(shown.value, at: place, now, &checks)
      }
    case .uses, .dropsStale, .dropsInvalid: break
    }
    return reading
  }

  /// The run has ended: the receiver has had its time to settle.
  mutating func finish(at now: Timestamp, _ checks: inout CheckList) {
    pass(to: now.advanced(byNanoseconds: settle + 1), &checks)
    guard let check = checked[only: .noQueue] else { return }
    for state in states where state.isQuiet { checks.held(check) }
  }

  /// The receiver has settled, and shows what it should not.
  var isWrong: Bool { hasShown && states.indices.contains { !states[$0].settling.isOpen && !isRight($0) } }

  /// How what the receiver shows differs from what it should; nil where it does not, or shows nothing.
  func mismatch(at now: Timestamp) -> Violation? {
    guard hasShown else { return nil }
    for place in states.indices where !isRight(place) {
      return violation(place, expected(place), shown(place), now)
    }
    return nil
  }

  /// The checks of the stream, by their places; not that of what is no message, which is all streams'.
  var checkPlaces: [Int] { checked.places }

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
    deliverValue(right.values, at: place, now)
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
    states[place].causes.insert(.finite)
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
      return broken(wrong, place, value, now, &checks, right: right)
    }
    guard value != before else { return }
    let isOff = value.values.isOff
    if isOff, mayBeLost(place, now) {
      states[place].allowed = Allowed(value)
    } else if !states[place].settling.isOpen, !states[place].allowed.contains(value, of: stream) {
      states[place].isQuiet = false
      let aspect: StreamAspect = isOff && stream.hasSilence ? .safe : .noQueue
      broken(aspect, place, value, now, &checks)
    }
  }

  // MARK: - By number

  /// Takes in what was delivered.
  private mutating func takeNumbered(at place: Int, mayBeDropped: Bool, _ now: Timestamp) {
    guard incoming.values.isFinite else {
      states[place].occasions.insert(.finite)
      return
    }
    stream.clamp(&incoming.values)
    let number = incoming.number
    states[place].keep(incoming)
    if let newest = states[place].newest {
      if number == newest { states[place].occasions.insert(.duplicate) }
      guard isNewer(number, than: newest) else { return }
    }
    if mayBeDropped {
      states[place].optional = number
      return
    }
    states[place].newest = number
    if let number, !isNewer(states[place].optional, than: number) { states[place].optional = nil }
    if stream.hasSilence { deliverValue(states[place].last.values, at: place, now) }
  }

  /// Takes in what the receiver shows.
  private mutating func observeNumbered(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    let number = shown.value.number
    let isOff = stream.hasSilence && shown.value.values.isOff
    if isOff, number == states[place].followed {
      // 0 where nothing that holds it came: right once it has been silent for long enough.
      let isTooEarly = states[place].isOn && !states[place].settling.isOpen && !mayBeLost(place, now)
      if isTooEarly { broken(.safe, place, shown.value, now, &checks) }
      states[place].isOff = true
      return
    }
    guard shown.value.values.isFinite else {
      states[place].occasions.remove(.finite)
      return broken(.finite, place, shown.value, now, &checks)
    }
    if let followed = states[place].followed, followed == number {
      states[place].occasions.remove(.duplicate)
      return broken(.duplicate, place, shown.value, now, &checks)
    }
    if let optional = states[place].optional, optional == number {
      (states[place].newest, states[place].optional) = (optional, nil)
    }
    let isForward = states[place].followed.map { isNewer(number, than: $0) } ?? true
    let isKnown = states[place].newest.map { !isNewer(number, than: $0) } ?? false
    guard isForward, isKnown else { return broken(.latest, place, shown.value, now, &checks) }
    states[place].followed = number
    states[place].isOff = isOff
    compare(at: place, now, &checks)
  }

  /// Whether what is shown is what the message held, where that was the last one and shown at all.
  private func compare(at place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    guard states[place].isLast(shown.value.number), !shown.value.values.isEmpty, let check = checked[.values]
    else { return }
    if stream.isShown(states[place].last.values, by: shown.value.values) {
      checks.held(check)
    } else {
      // What is applied is not the newest value either, and that may weigh more.
      let isGrave = checks.all[check].requirement.level == .must
      for check in isGrave ? [check] : Set([check, checked[.latest] ?? check]) {
        checks.broken(check) { violation(place, states[place].last, shown.value, now, inFull: true) }
      }
    }
  }

  private func isNewer(_ number: UInt64?, than other: UInt64) -> Bool {
    number.map { SerialNumber.isNewer($0, than: other, bits: stream.bits) } ?? false
  }

  // MARK: - Judging

  /// Judges what the time until `now` has decided.
  @inline(__always)
  mutating func pass(to now: Timestamp, _ checks: inout CheckList) {
    var index = 0
    while index < settling.count {
      let place = settling[index]
      if states[place].settling.isOver(at: now) {
        settling.remove(at: index)
        judge(place, now, &checks)
      } else {
        index += 1
      }
    }
    if now > firstEnding { lose(at: now, &checks) }
  }

  /// Something was delivered: the receiver is on its way.
  private mutating func unsettle(_ place: Int, _ packet: Int, at now: Timestamp) {
    if !states[place].settling.isOpen { settling.append(place) }
    states[place].settling.deliver(packet, at: now)
  }

  private mutating func judge(_ place: Int, _ now: Timestamp, _ checks: inout CheckList) {
    states[place].isQuiet = !stream.isNumbered
    if states[place].allowed.anything { return }
    let right = isRight(place)
    var causes = states[place].causes
    // What is not obeyed without reserved bits either is not wrong for them.
    if !causes.contains(.reserved) {
      states[place].isDeaf = !right
    } else if !right, states[place].isDeaf {
      causes.remove(.reserved)
    }
    if states[place].newest != nil { causes.insert(.latest) }
    while let aspect = causes.popFirst() {
      guard let check = checked[aspect] else { continue }
      if right {
        checks.held(check)
      } else {
        checks.broken(check) { violation(place, expected(place), shown(place), now) }
      }
    }
    var occasions = states[place].occasions
    while let aspect = occasions.popFirst() {
      if let check = checked[aspect] { checks.held(check) }
    }
    (states[place].causes, states[place].occasions) = ([], [])
    // What the receiver chose among what is allowed is what it must keep.
    if right, !stream.isNumbered { states[place].allowed = Allowed(states[place].applied) }
  }

  private func isRight(_ place: Int) -> Bool {
    guard !stream.isNumbered else { return states[place].followed == states[place].newest }
    guard let applied = states[place].applied else { return states[place].allowed.value == nil }
    return states[place].allowed.contains(applied, of: stream)
  }

  // MARK: - Signs of life

  /// When what is applied ends by itself: with the signs of life that the stream has, or else with the session.
  private func ending(_ place: Int) -> Ending? {
    guard stream.hasSilence, let life else { return session }
    return states[place].isOn ? Ending(after: states[place].delivered, life) : nil
  }

  /// A value was delivered that counts from now on.
  private mutating func deliverValue(_ values: StreamValues, at place: Int, _ now: Timestamp) {
    guard stream.hasSilence, let life else { return }
    states[place].delivered = now
    states[place].isOn = !values.isOff
    guard states[place].isOn else { return }
    let ending = Ending(after: now, life)
    silences.append((place, ending.latest))
    expectEnding(ending)
  }

  private mutating func expectEnding(_ ending: Ending?) {
    if let ending { firstEnding = min(firstEnding, ending.latest) }
  }

  private func mayBeLost(_ place: Int, _ now: Timestamp) -> Bool {
    guard life != nil || session != nil else { return false }
    return ending(place).map { now >= $0.earliest } ?? true
  }

  /// Judges what must have ended by now.
  private mutating func lose(at now: Timestamp, _ checks: inout CheckList) {
    while let first = silences.first, now > first.latest {
      silences.removeFirst()
      judgeEnded(first.place, at: now, &checks)
    }
    if let ending = session, now > ending.latest {
      if !stream.hasSilence { for place in states.indices { judgeEnded(place, at: now, &checks) } }
      session = nil
    }
    firstEnding = silences.first?.latest ?? .never
    expectEnding(session)
  }

  /// Judges a place that silence or the session's end may have turned off: something may have been delivered since.
  private mutating func judgeEnded(_ place: Int, at now: Timestamp, _ checks: inout CheckList) {
    guard let ending = ending(place), now > ending.latest else { return }
    states[place].isOn = false
    let off = StreamValue(number: states[place].followed, values: StreamValues(stream.values.map { _ in 0 }))
    if !stream.isNumbered { states[place].allowed = Allowed(off) }
    guard let check = checked[.safe] else { return }
    let isOff = stream.isNumbered ? states[place].isOff : states[place].applied?.values.isOff == true
    if isOff {
      checks.held(check)
    } else {
      checks.broken(check) { violation(place, off, shown(place), now) }
    }
  }

  // MARK: - Keys and words

  /// The place of the state of the key in a message, which is made where there is none.
  private mutating func place(of keys: NumberPlaces, in bytes: RawSpan) -> Int {
    if latest < states.count, keys.hold(states[latest].key, in: bytes) { return latest }
    latest = place(of: keys.bits(in: bytes))
    return latest
  }

  /// The place of a key's state, which is made where there is none.
  private mutating func place(of key: [UInt64]) -> Int {
    if key.isEmpty, !states.isEmpty { return 0 }
    if let place = placeOfKey[key] { return place }
    placeOfKey[key] = states.count
    states.append(State(key, stream.start, settle: settle))
    return states.count - 1
  }

  /// What should be applied; nil where nothing was delivered that could be.
  private func expected(_ place: Int) -> StreamValue? {
    guard stream.isNumbered else { return states[place].allowed.value }
    return states[place].newest.map { StreamValue(number: $0, values: []) }
  }

  /// What the receiver goes by; nil where it showed nothing.
  private func shown(_ place: Int) -> StreamValue? {
    guard stream.isNumbered else { return states[place].applied }
    return states[place].followed.map { StreamValue(number: $0, values: []) }
  }

  /// The receiver shows what breaks an aspect; `right` where it is not what the stream expects.
  private func broken(
    _ aspect: StreamAspect, _ place: Int, _ value: StreamValue, _ now: Timestamp, _ checks: inout CheckList,
    right: StreamValue? = nil
  ) {
    guard let check = checked[aspect] else { return }
    checks.broken(check) { violation(place, right ?? expected(place), value, now) }
  }

  private func violation(
    _ place: Int, _ expected: StreamValue?, _ observed: StreamValue?, _ now: Timestamp, inFull: Bool = false
  ) -> Violation {
    func words(_ value: StreamValue?) -> String { value.map { stream.words($0, inFull) } ?? "nothing" }
    return Violation(
      time: now, packet: states[place].settling.packet, expected: words(expected), observed: words(observed))
  }
}

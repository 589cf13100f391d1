import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges one receiver by a stream as its protocol declares it: from what was delivered follow the only states that the rules
/// allow (semantics, Latest value wins).
struct DeclaredOracle {
  private let stream: DeclaredStream
  private let settle: Int64
  private var states: [UInt64: State] = [:]
  private(set) var hasShown = false
  /// What became of each requirement.
  private(set) var checks: [StreamAspect: Count] = [:]

  /// How often a requirement was tried and broken.
  struct Count {
    var tried = 0
    var violations = 0
    var first: Breach?
  }

  /// The stream of one key.
  private struct State {
    var settling: Settling
    /// What must be applied once nothing more comes.
    var expected: AppliedValue?
    /// What was applied last.
    var applied: AppliedValue?
    var delivered: Timestamp = .zero
    var sawDuplicate = false
    var sawNotFinite = false
    /// It is still to be seen what silence does.
    var awaitsSilence = false
  }

  init(_ stream: DeclaredStream, settle: Int64) {
    self.stream = stream
    self.settle = settle
  }

  // MARK: - What happens

  /// A message of the stream was delivered that a receiver must read, or that is wrong only in that its values are not
  /// finite.
  mutating func delivered(_ bytes: RawSpan, packet: Int, at now: Timestamp) {
    judge(at: now)
    var value = stream.value(in: bytes)
    var state = states[value.key] ?? State(settling: Settling(settle))
    defer { states[value.key] = state }
    state.settling.deliver(packet, at: now)
    guard value.values.allSatisfy(\.isFinite) else {
      state.sawNotFinite = true
      return
    }
    if let number = value.number, let newest = state.expected?.number {
      if number == newest { state.sawDuplicate = true }
      guard SerialNumber.isNewer(number, than: newest, bits: stream.bits) else { return }
    }
    value.values = stream.clamped(value.values)
    state.expected = value
    state.delivered = now
    state.awaitsSilence = !value.isOff
  }

  /// The receiver applied a value.
  mutating func applied(_ value: AppliedValue, at now: Timestamp) {
    guard value.stream == stream.rules.name else { return }
    judge(at: now)
    hasShown = true
    var state = states[value.key] ?? State(settling: Settling(settle))
    defer { states[value.key] = state }
    if value.values.contains(where: { !$0.isFinite }) { return note(.finite, breach(state, value, at: now)) }
    if stream.rules.silence != nil, value.isOff, value.number == state.applied?.number {
      return turnedOff(value, &state, at: now)
    }
    if let number = value.number {
      if number == state.applied?.number { return note(.duplicate, breach(state, value, at: now)) }
      let isNewer = state.applied?.number.map { SerialNumber.isNewer(number, than: $0, bits: stream.bits) } ?? true
      let isKnown = state.expected?.number.map { !SerialNumber.isNewer(number, than: $0, bits: stream.bits) } ?? false
      guard isNewer, isKnown else { return note(.latest, breach(state, value, at: now)) }
    } else if !state.settling.isOpen, state.expected.map({ !$0.isShown(by: value) }) ?? true {
      // Nothing came that could be the reason.
      note(.latest, breach(state, value, at: now))
    }
    state.applied = value
  }

  /// The run has ended.
  mutating func finish(at now: Timestamp) { judge(at: now.advanced(byNanoseconds: settle + 1)) }

  // MARK: - Judging

  /// 0 is applied where nothing that holds it came: right once it has been silent for long enough, and not before.
  private mutating func turnedOff(_ value: AppliedValue, _ state: inout State, at now: Timestamp) {
    let isTooEarly =
      state.awaitsSilence && !state.settling.isOpen
      && now.nanoseconds(since: state.delivered) < (stream.rules.silence ?? 0) - settle
    if isTooEarly { note(.safe, breach(state, value, at: now)) }
    state.applied = value
  }

  private mutating func judge(at now: Timestamp) {
    for (key, before) in states {
      var state = before
      if state.settling.isOver(at: now) { settled(&state, at: now) }
      if let silence = stream.rules.silence, state.awaitsSilence,
        now.nanoseconds(since: state.delivered) > silence + settle
      {
        state.awaitsSilence = false
        note(.safe, state.applied?.isOff == true ? nil : breach(state, state.applied, "0", at: now))
      }
      states[key] = state
    }
  }

  private mutating func settled(_ state: inout State, at now: Timestamp) {
    if let expected = state.expected {
      let isLatest =
        expected.number != nil
        ? state.applied?.number == expected.number : state.applied.map { expected.isShown(by: $0) } ?? false
      note(.latest, isLatest ? nil : breach(state, state.applied, at: now))
      if isLatest, let applied = state.applied, !applied.values.isEmpty, applied.number != nil {
        note(.values, expected.isShown(by: applied) ? nil : breach(state, applied, inFull: true, at: now))
      }
    }
    if state.sawDuplicate { note(.duplicate, nil) }
    if state.sawNotFinite { note(.finite, nil) }
    (state.sawDuplicate, state.sawNotFinite) = (false, false)
  }

  private func breach(
    _ state: State, _ value: AppliedValue?, _ expected: String? = nil, inFull: Bool = false, at now: Timestamp
  ) -> Breach {
    func words(_ value: AppliedValue?) -> String { value.map { $0.words(inFull: inFull) } ?? "nothing" }
    return Breach(
      time: now, packet: state.settling.packet, expected: "\(stream.rules.name) \(expected ?? words(state.expected))",
      observed: "\(stream.rules.name) \(words(value))")
  }

  private mutating func note(_ aspect: StreamAspect, _ breach: Breach?) {
    var count = checks[aspect] ?? Count()
    count.tried += 1
    if let breach {
      count.violations += 1
      count.first = count.first ?? breach
    }
    checks[aspect] = count
  }
}

extension AppliedValue {
  /// Every number is 0.
  var isOff: Bool { !values.isEmpty && values.allSatisfy { $0 == 0 } }

  /// Whether an event that shows these numbers shows this value: they are the same but for rounding.
  func isShown(by other: AppliedValue) -> Bool {
    values.count == other.values.count
      && zip(values, other.values).allSatisfy { ($0 - $1).magnitude <= max(1e-6, 1e-4 * $0.magnitude) }
  }

  /// Its number; or its values where it has none, or they are what differs.
  func words(inFull: Bool) -> String {
    let list = values.map { "\($0)" }.joined(separator: ", ")
    guard let number else { return list }
    return inFull ? "\(number): \(list)" : "\(number)"
  }
}

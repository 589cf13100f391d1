import DequeModule
import TelecapModels
import TelecapRecording
import TelecapWire

/// A correct receiver of a protocol's streams, made from their declarations: it applies values by the rules of each
/// stream. With a fault it is a mutant.
struct DeclaredReceiver: Sendable {
  private let streams: [JudgedStream]
  private let fault: DeclaredFault?
  private var states: [StateKey: State] = [:]
  /// The times at which silence sets states to 0, by the indices of their streams, in the order in which they were
  /// applied. Some were refreshed since.
  private var silences: [Deque<(key: StateKey, off: Timestamp)>]

  private struct StateKey: Hashable, Comparable {
    var stream: Int
    var key: [UInt64]

    static func < (left: StateKey, right: StateKey) -> Bool {
      left.stream == right.stream ? left.key.lexicographicallyPrecedes(right.key) : left.stream < right.stream
    }
  }

  private struct State {
    var applied: AppliedValue
    /// The time at which silence sets it to 0.
    var off: Timestamp?
    /// The counted sequence numbers, of sums and of events.
    var numbers = CountedNumbers()
    /// The newest of them; for a state, the number of the last applied message that had one.
    var newest: UInt64?
  }

  init(_ owner: WireProtocol, _ side: Side, over carrier: Carrier, _ fault: DeclaredFault?) {
    self.fault = fault
    streams = JudgedStream.declared(by: owner, received: side, over: carrier)
    silences = streams.map { _ in [] }
  }

  /// The time at which silence sets the first state to 0; nil where there is none.
  var nextWake: Timestamp? { silences.lazy.compactMap(\.first?.off).min() }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    for stream in streams.indices {
      while let first = silences[stream].first, time >= first.off {
        silences[stream].removeFirst()
        turnOff(first.key, at: time, perform)
      }
    }
  }

  /// Sets a state to 0 that is due; it may have been refreshed.
  private mutating func turnOff(_ key: StateKey, at time: Timestamp, _ perform: Perform) {
    guard var applied = states[key]?.applied, let off = states[key]?.off, time >= off else { return }
    applied.values = StreamValues(applied.values.map { _ in 0 })
    states[key] = State(applied: applied, newest: states[key]?.newest)
    perform(.event(.applied(applied)), RawSpan())
  }

  /// Ends a session: its streams restart. If no other session has begun, streams that need one are set to 0.
  mutating func endSession(isOver: Bool, _ perform: Perform) {
    // Use the same order in each run.
    let ended = states.filter { streams[$0.key.stream].rules.inSession }.sorted { $0.key < $1.key }
    for (key, state) in ended {
      states[key] = nil
      let stream = streams[key.stream]
      var off = state.applied
      off.values = StreamValues(off.values.map { _ in 0 })
      let isOffAfter = stream.rules.silence != nil || stream.rules.isOffWithoutSession(of: stream.owner)
      guard isOver, fault != .staysOn, isOffAfter, off != state.applied else { continue }
      perform(.event(.applied(off)), RawSpan())
    }
  }

  /// Handles a valid message of this kind, or invalid bytes where that is nil.
  ///
  /// - Parameter isInSession: whether its sender has a session.
  mutating func receive(
    _ bytes: RawSpan, _ kind: MessageKind?, isInSession: Bool, at time: Timestamp, _ perform: Perform
  ) {
    for (index, stream) in streams.enumerated() where isInSession || !stream.rules.inSession {
      // The mutant reads any bytes of a message's size as one.
      let isMisread = fault == .headerUnchecked && stream.kind.layout.isSize(of: bytes)
      guard let form = kind.map({ stream.form(of: $0) }) ?? (isMisread ? 0 : nil) else { continue }
      apply(index, bytes, form, at: time, perform)
    }
  }

  private mutating func apply(_ index: Int, _ bytes: RawSpan, _ form: Int, at time: Timestamp, _ perform: Perform) {
    let stream = streams[index]
    var value = stream.applied(in: bytes, form)
    if fault != .appliesNotFinite, !value.values.isFinite { return drop(value, .notFinite, perform) }
    let key = StateKey(stream: index, key: value.key)
    if stream.rules.merge != .latest { return count(value, of: stream, key, perform) }
    guard isNewer(value, than: states[key], stream) else {
      return drop(value, value.number == states[key]?.newest ? .duplicate : .stale, perform)
    }
    let isWithout = value.number.map { fault.order(of: stream.numbers).isUnused($0) } ?? true
    let newest = isWithout ? states[key]?.newest : value.number
    if fault != .noClamp { value.values = stream.clamped(value.values) }
    if fault == .confusesValues { value.values.reverse() }
    let silence = fault == .staysOn ? nil : stream.rules.silence
    let off = silence.map { time.advanced(byNanoseconds: $0) }
    states[key] = State(applied: value, off: off, newest: newest)
    if let off { silences[index].append((key, off)) }
    perform(.event(.applied(value)), RawSpan())
  }

  /// Counts a message of a sum or an event once.
  private mutating func count(
    _ message: AppliedValue, of stream: JudgedStream, _ key: StateKey, _ perform: Perform
  ) {
    var value = message
    var state = states[key] ?? State(applied: value)
    let isFirst = states[key] == nil
    if let number = value.number {
      let finding = state.numbers.count(number, bits: stream.bits)
      guard finding == .new || fault == .appliesDuplicates else { return drop(value, .duplicate, perform) }
      let isLate = state.newest.map { !stream.numbers.isNewer(number, than: $0) } ?? false
      if fault == .dropsLate, isLate { return }
      if !isLate { state.newest = number }
    }
    if fault == .firstValueWins, !isFirst { return }
    if fault == .dropsRepeated, stream.rules.merge == .event, !isFirst, state.applied.values == value.values { return }
    if stream.adds, fault != .replacesSum {
      let before = isFirst ? stream.start(of: value.key) : state.applied.values
      for place in value.values.indices { value.values[place] += before?[place] ?? 0 }
    }
    if fault != .noClamp, fault != .clampsLate { value.values = stream.clamped(value.values) }
    state.applied = value
    states[key] = state
    var shown = value
    if stream.adds { shown.number = nil }
    if fault == .clampsLate { shown.values = stream.clamped(value.values) }
    if fault == .confusesValues { shown.values.reverse() }
    perform(.event(.applied(shown)), RawSpan())
  }

  private func drop(_ value: AppliedValue, _ reason: PeerEvent.DropReason, _ perform: Perform) {
    perform(.event(.dropped(value, reason)), RawSpan())
  }

  private func isNewer(_ value: AppliedValue, than before: State?, _ stream: JudgedStream) -> Bool {
    guard let before else { return true }
    if fault == .firstValueWins { return false }
    guard let number = value.number, let newest = before.newest else { return true }
    return fault.order(of: stream.numbers).isNewer(number, than: newest)
  }
}

extension Layout {
  /// Whether bytes have the size of a message of this table, which may depend on the bytes.
  func isSize(of bytes: RawSpan) -> Bool {
    guard let size = size(in: bytes) else { return bytes.byteCount >= fixedSize }
    return bytes.byteCount == size
  }
}

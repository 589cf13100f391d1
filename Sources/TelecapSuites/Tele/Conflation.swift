import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The delivered values of a stream whose latest value wins, with those that a receiver may skip: values that are
/// replaced within the settle time, and those that come within it before the end of their session (semantics, Latest
/// value wins).
struct Conflation<Value: Equatable> {
  /// A value that reached a session and was the newest in it.
  struct Arrival {
    /// The output of a receiver that applies it; nil for none.
    let value: Value?
    let time: Timestamp
    /// The index of its session in the run, and the end of that; nil where it did not end.
    let session: Int
    let end: Timestamp?
  }

  private typealias Came = (value: Value?, time: Timestamp, mayBeLeftOut: Bool)
  private let values: [Came]

  /// The numbers of shown and of delivered values that explain the expected values so far.
  private struct State: Hashable {
    var (count, place) = (0, 0)

    /// The possible states after the expected `value`, which `came` at this index; nil where it was not sent.
    func followed(
      by value: Value, _ came: Came?, at place: Int?, _ shown: [(time: Timestamp, value: Value)], _ start: Value?
    ) -> [State] {
      let next = place.map { $0 + 1 } ?? self.place
      var states: [State] = []
      if count < shown.count, shown[count].value == value, shown[count].time >= came?.time ?? .zero {
        states.append(State(count: count + 1, place: next))
      }
      // If the values between were skipped, nothing has changed.
      let isUnchanged = start != nil && value == (count > 0 ? shown[count - 1].value : start)
      if came?.mayBeLeftOut == true || isUnchanged { states.append(State(count: count, place: next)) }
      return states
    }
  }

  /// The arrivals in order of time; a receiver has `settle` ns to show a value.
  init(_ arrivals: [Arrival], settle: Nanoseconds) {
    values = arrivals.enumerated().map { place, arrival in
      func isSoon(_ time: Timestamp) -> Bool { time.nanoseconds(since: arrival.time) <= settle }
      let isReplaced = arrivals[(place + 1)...].prefix { isSoon($0.time) }.contains { $0.session == arrival.session }
      return (arrival.value, arrival.time, isReplaced || arrival.end.map(isSoon) == true)
    }
  }

  /// Whether `shown` equals `expected` without values that may be skipped. No value may be shown before its arrival.
  /// - Parameter start: the initial output of a receiver that shows only changes; nil where it shows each value.
  func allows(
    _ shown: [(time: Timestamp, value: Value)], for expected: [Value], from start: Value? = nil
  ) -> Bool {
    var states: Set = [State()]
    for value in expected {
      states = states.reduce(into: []) { next, state in
        let place = values[state.place...].firstIndex { $0.value == value }
        if let place { next.formUnion(state.followed(by: value, values[place], at: place, shown, start)) }
        // The end of a session, or silence, restores the initial output without a message.
        if place == nil || value == start { next.formUnion(state.followed(by: value, nil, at: nil, shown, start)) }
      }
    }
    return states.contains { $0.count == shown.count }
  }
}

extension JudgedRun {
  /// The poses that were the newest of their sessions on arrival, by their seq.
  var poseArrivals: Conflation<UInt16> {
    let sessions = HostSession.all(of: decoded)
    var newest: [Int: UInt16] = [:]
    let arrivals = delivered.compactMap { message -> Conflation<UInt16>.Arrival? in
      guard message.isValid, let pose = PoseSample(message.kind, message.bytes.span.bytes), pose.isFinite,
        let session = sessions.firstIndex(where: { $0.peer == message.peer && $0.entries.contains(message.entry) })
      else { return nil }
      if let newest = newest[session], !(1...0x7fff).contains(pose.seq &- newest) { return nil }
      newest[session] = pose.seq
      return .init(value: pose.seq, time: message.time, session: session, end: sessions[session].end)
    }
    return Conflation(arrivals, settle: log.settle)
  }

  /// The forces that reached a session of a phone. A session begins with an ACK OK, and ends with the connection or
  /// when the phone reports its end.
  /// - Parameter shown: the output of the phone for a force; nil for none.
  func forceArrivals<Value>(_ shown: (Float) -> Value?) -> Conflation<Value> {
    let ends = log.entries.indices.filter { log.entries[$0].what.endsSession }
    var accepted = -1
    let arrivals = delivered.compactMap { message -> Conflation<Value>.Arrival? in
      guard message.isValid else { return nil }
      let bytes = message.bytes.span.bytes
      if message.kind.answers, Ack.fields.status.value(in: bytes) == AckStatus.ok.rawValue { accepted = message.entry }
      let session = ends.prefix { $0 < message.entry }.count
      guard message.kind == .haptic, let intensity = Haptic.fields.intensity.value(in: bytes),
        accepted > (session > 0 ? ends[session - 1] : -1)
      else { return nil }
      let end = session < ends.count ? log.entries[ends[session]].time : nil
      return .init(value: shown(intensity), time: message.time, session: session, end: end)
    }
    return Conflation(arrivals, settle: log.settle)
  }
}

extension RunLog.What {
  /// Whether it ends the session of a phone, which has one at a time.
  fileprivate var endsSession: Bool {
    switch self {
    case .closed, .disconnected, .event(.sessionClosed): true
    default: false
    }
  }
}

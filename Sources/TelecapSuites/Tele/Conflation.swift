import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// What was delivered of a stream whose latest value wins, and of which of it nobody had to take notice: of the values that come
/// within the settle time only the newest counts, and of those that come so soon before the end of their session none
/// (semantics, Latest value wins).
struct Conflation<Value: Equatable> {
  /// A value that reached a session, in which it was the newest then.
  struct Arrival {
    /// What a receiver shows that goes by it; nil for nothing.
    let value: Value?
    let time: Timestamp
    /// Its session, by its place among those of the run, and when that ended; nil where it did not.
    let session: Int
    let end: Timestamp?
  }

  private typealias Came = (value: Value?, time: Timestamp, mayBeLeftOut: Bool)
  private let values: [Came]

  /// How many of what is shown, and of what came, may stand for what is expected so far.
  private struct State: Hashable {
    var (count, place) = (0, 0)

    /// Where this may lead when `value` is expected next, which came so, at this place; nil where nobody sent it.
    func followed(
      by value: Value, _ came: Came?, at place: Int?, _ shown: [(time: Timestamp, value: Value)], _ start: Value?
    ) -> [State] {
      let next = place.map { $0 + 1 } ?? self.place
      var states: [State] = []
      if count < shown.count, shown[count].value == value, shown[count].time >= came?.time ?? .zero {
        states.append(State(count: count + 1, place: next))
      }
      // Where what lay between was left out, nothing has changed.
      let isUnchanged = start != nil && value == (count > 0 ? shown[count - 1].value : start)
      if came?.mayBeLeftOut == true || isUnchanged { states.append(State(count: count, place: next)) }
      return states
    }
  }

  /// What came in order of time; a receiver has `settle` ns to show what it goes by.
  init(_ arrivals: [Arrival], settle: Nanoseconds) {
    values = arrivals.enumerated().map { place, arrival in
      func isSoon(_ time: Timestamp) -> Bool { time.nanoseconds(since: arrival.time) <= settle }
      let isReplaced = arrivals[(place + 1)...].prefix { isSoon($0.time) }.contains { $0.session == arrival.session }
      return (arrival.value, arrival.time, isReplaced || arrival.end.map(isSoon) == true)
    }
  }

  /// Whether `shown` is what is `expected`, but for values of which nobody had to take notice. Nothing is shown before it came.
  /// - Parameter start: what is shown before anything came, of a receiver that is judged by its changes; nil where each value is
  ///   told.
  func allows(
    _ shown: [(time: Timestamp, value: Value)], for expected: [Value], from start: Value? = nil
  ) -> Bool {
    var states: Set = [State()]
    for value in expected {
      states = states.reduce(into: []) { next, state in
        let place = values[state.place...].firstIndex { $0.value == value }
        if let place { next.formUnion(state.followed(by: value, values[place], at: place, shown, start)) }
        // The end of a session, or silence, brings back what is shown before anything comes: nobody sent that.
        if place == nil || value == start { next.formUnion(state.followed(by: value, nil, at: nil, shown, start)) }
      }
    }
    return states.contains { $0.count == shown.count }
  }
}

extension JudgedRun {
  /// The poses that were the newest of their sessions when they came, by their seq.
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

  /// The forces that reached a session of a phone; it begins with an ACK OK, and ends with the connection, or when the phone
  /// says so.
  /// - Parameter shown: what the phone shows of a force; nil for nothing.
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
  /// It ends the session of a phone, which has one at a time.
  fileprivate var endsSession: Bool {
    switch self {
    case .closed, .disconnected, .event(.sessionClosed): true
    default: false
    }
  }
}

import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The poses that a phone sends, session by session: in each they begin afresh.
extension JudgedRun {
  /// After so long without a pose, in ns, the next one is of another session: a phone that streams has never been silent
  /// for as long.
  private static let pause: Nanoseconds = 1_000_000_000

  /// The poses of each session.
  private var poses: [[(time: Timestamp, pose: PoseSample)]] {
    var sessions: [[(time: Timestamp, pose: PoseSample)]] = [[]]
    var id: UInt32?
    var connections = 0
    // The phone says that it has a session, and of no end of it since.
    var isOpen = false
    var last: (time: Timestamp, connections: Int)?
    var boundaries = log.entries.indices.filter { log.entries[$0].what.mayBeginSession }[...]
    for message in replies {
      while let place = boundaries.first, place < message.entry {
        boundaries.removeFirst()
        let isOpening = log.entries[place].what.saysSessionOpened
        // A session that is told of again goes on.
        if isOpening, isOpen { continue }
        isOpen = isOpening
        connections += 1
      }
      if message.kind == .hello, let own = Hello.fields.sessionID.value(in: message.bytes.span.bytes) {
        if let id, own != id { (connections, isOpen) = (connections + 1, false) }
        id = own
      }
      guard message.kind == .pose, message.isValid, let pose = PoseSample(message.bytes.span.bytes) else { continue }
      let isOfOther = last.map {
        $0.connections != connections || message.time.nanoseconds(since: $0.time) > JudgedRun.pause
      }
      if isOfOther == true { sessions.append([]) }
      sessions[sessions.count - 1].append((message.time, pose))
      last = (message.time, connections)
    }
    return sessions
  }

  /// seq counts by one.
  func poseSeq() -> Outcome {
    let sessions = poses
    guard sessions.contains(where: { $0.count > 1 }) else {
      return .missing("the phone sent no two poses in a session")
    }
    var breaches: [Failure] = []
    for session in sessions {
      for (before, after) in zip(session, session.dropFirst()) where after.pose.seq != before.pose.seq &+ 1 {
        breaches.append(
          Failure(
            time: after.time, expected: "seq \(before.pose.seq &+ 1) behind \(before.pose.seq)",
            observed: "seq \(after.pose.seq)"))
      }
    }
    return Outcome(breaches: breaches)
  }

  /// timestamp_us never goes back, and goes with the clock.
  func poseTimestamp() -> Outcome {
    var isTried = false
    for session in poses {
      var begin = 0
      for (place, one) in session.enumerated() {
        if place > 0, one.pose.timestampMicroseconds < session[place - 1].pose.timestampMicroseconds {
          return .broken(
            Failure(
              time: one.time, expected: "timestamp_us of \(session[place - 1].pose.timestampMicroseconds) or more",
              observed: "\(one.pose.timestampMicroseconds)"))
        }
        // The newest pose that is 2 s older, and the first: a clock that drifts, and one that jumps.
        while place > begin, one.time.nanoseconds(since: session[begin + 1].time) >= JudgedRun.span { begin += 1 }
        for early in Set([0, begin]) where one.time.nanoseconds(since: session[early].time) >= JudgedRun.span {
          isTried = true
          if let breach = disagreement(session[early], one) { return .broken(breach) }
        }
      }
    }
    return isTried ? .held : .missing("the phone did not send poses for 2 s in a session")
  }

  /// Over so long timestamps must agree with the clock, in ns.
  private static let span: Nanoseconds = 2_000_000_000

  /// How two poses of a session disagree with the clock: by more than 5 % and 50 ms.
  private func disagreement(
    _ early: (time: Timestamp, pose: PoseSample), _ late: (time: Timestamp, pose: PoseSample)
  ) -> Failure? {
    let took = late.time.nanoseconds(since: early.time) / 1_000
    let said = late.pose.timestampMicroseconds - early.pose.timestampMicroseconds
    let allowed = took / 20 + 50_000 + log.lateness / 1_000
    guard said > UInt64(took + allowed) || said < UInt64(max(0, took - allowed)) else { return nil }
    return Failure(
      time: late.time, expected: "timestamp_us that grows by \(took) µs, give or take \(allowed)",
      observed: "by \(said) µs")
  }
}

extension RunLog.What {
  fileprivate var saysSessionOpened: Bool {
    if case .event(.sessionOpened) = self { true } else { false }
  }

  /// Behind it the phone may be in another session.
  fileprivate var mayBeginSession: Bool {
    switch self {
    case .opened, .closed, .disconnected, .event(.sessionOpened), .event(.sessionClosed): true
    default: false
    }
  }
}

import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Checks of a phone's poses in each session, in which seq and timestamps start afresh.
extension JudgedRun {
  /// The silence in ns after which a pose belongs to another session: a phone that streams is never silent for as long.
  private static let pause: Nanoseconds = 1_000_000_000

  /// The poses of each session.
  private var poses: [[(time: Timestamp, pose: PoseSample)]] {
    var sessions: [[(time: Timestamp, pose: PoseSample)]] = [[]]
    var id: UInt32?
    var connections = 0
    // Whether the phone has reported the start of a session and no end.
    var isOpen = false
    var last: (time: Timestamp, connections: Int)?
    var boundaries = log.entries.indices.filter { log.entries[$0].what.mayBeginSession }[...]
    for message in replies {
      while let place = boundaries.first, place < message.entry {
        boundaries.removeFirst()
        let isOpening = log.entries[place].what.saysSessionOpened
        // A repeated report of an open session begins none.
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

  /// Checks that seq counts by one.
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

  /// Checks that timestamp_us never goes back, and follows the clock.
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
        // The newest pose that is 2 s older shows drift, and the first shows a jump.
        while place > begin, one.time.nanoseconds(since: session[begin + 1].time) >= JudgedRun.span { begin += 1 }
        for early in Set([0, begin]) where one.time.nanoseconds(since: session[early].time) >= JudgedRun.span {
          isTried = true
          if let breach = disagreement(session[early], one) { return .broken(breach) }
        }
      }
    }
    return isTried ? .held : .missing("the phone did not send poses for 2 s in a session")
  }

  /// The minimum interval in ns for the comparison of timestamps with the clock.
  private static let span: Nanoseconds = 2_000_000_000

  /// The failure where the timestamps of two poses differ from the clock by more than 5 % and 50 ms.
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

  /// Whether the phone may be in another session after it.
  fileprivate var mayBeginSession: Bool {
    switch self {
    case .opened, .closed, .disconnected, .event(.sessionOpened), .event(.sessionClosed): true
    default: false
    }
  }
}

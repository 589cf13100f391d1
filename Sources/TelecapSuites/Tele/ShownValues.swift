import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Expectations on what the system shows of its state.
extension JudgedRun {
  func poses(_ either: [[UInt16]]) -> Outcome {
    if let lack = lacks(.poses) { return lack }
    let applied = events { event -> UInt16? in
      guard case .poseApplied(let pose) = event else { return nil }
      return pose.seq
    }
    let seqs = applied.map(\.value)
    if either.contains(where: { $0 == seqs || isConflated($0, to: seqs) }) { return .held }
    let expected = either.map { "poses \(JudgedRun.text($0))" }.joined(separator: " or ")
    let time = firstDifference(of: applied, from: either.first ?? [])
    return .broken(Breach(time: time, expected: "\(expected) applied", observed: "poses \(JudgedRun.text(seqs))"))
  }

  /// Some of these poses were left out, of each of which nobody had to take notice: the latest value wins, so that of those that
  /// come within the settle time only the newest need be applied, and of those that come so soon before the session's end none.
  private func isConflated(_ expected: [UInt16], to shown: [UInt16]) -> Bool {
    guard log.settle > 0, shown.count < expected.count else { return false }
    var rest = shown[...]
    for seq in expected where rest.first == seq || !mayBeLeftOut(seq) {
      guard rest.popFirst() == seq else { return false }
    }
    return rest.isEmpty
  }

  /// A pose of this seq came, and within the settle time behind it a newer one, or the end of its session.
  private func mayBeLeftOut(_ seq: UInt16) -> Bool {
    delivered.contains { pose in
      guard pose.kind == .pose, pose.isValid, Pose.fields.seq.value(in: pose.bytes.span.bytes) == seq else {
        return false
      }
      func isSoon(_ time: Timestamp) -> Bool { (0...log.settle).contains(time.nanoseconds(since: pose.time)) }
      let isReplaced = delivered.contains { next in
        guard next.peer == pose.peer, next.isValid, isSoon(next.time) else { return false }
        if next.kind == .bye { return true }
        guard next.kind == .pose, let own = Pose.fields.seq.value(in: next.bytes.span.bytes) else { return false }
        return (1...0x7fff).contains(own &- seq)
      }
      return isReplaced || log.entries.contains { $0.what.ends(pose.peer) && isSoon($0.time) }
    }
  }

  /// The last HELLO that was delivered got an ACK OK.
  var isLastHelloAccepted: Bool {
    guard let hello = delivered.last(where: { $0.kind == .hello }) else { return false }
    return replies.contains { reply in
      reply.peer == hello.peer && reply.time >= hello.time && reply.kind.answers
        && Ack.fields.status.value(in: reply.bytes.span.bytes) == AckStatus.ok.rawValue
    }
  }

  /// The moment at which what was shown differs from what was expected; the end where only something is missing.
  private func firstDifference<T: Equatable>(of shown: [(time: Timestamp, value: T)], from expected: [T]) -> Timestamp {
    let same = zip(expected, shown).prefix { $0 == $1.value }.count
    return same < shown.count ? shown[same].time : log.end
  }

  func strengths(_ either: [[Float]]) -> Outcome {
    if let lack = lacks(.strength) { return lack }
    var last: Float = 0
    var shown: [(time: Timestamp, value: Float)] = []
    for (time, strength) in events({ event -> Float? in
      guard case .hapticApplied(let strength) = event else { return nil }
      return strength
    }) where strength != last {
      shown.append((time, strength))
      last = strength
    }
    let values = shown.map(\.value)
    if either.contains(values) { return .held }
    let expected = either.map { "strengths \(JudgedRun.text($0))" }.joined(separator: " or ")
    let time = firstDifference(of: shown, from: either.first ?? [])
    return .broken(Breach(time: time, expected: expected, observed: "strengths \(JudgedRun.text(values))"))
  }

  func impacts(_ expected: [HapticImpact]) -> Outcome {
    if let lack = lacks(.impacts) { return lack }
    let shown = events { event -> HapticImpact? in
      guard case .hapticImpact(let impact) = event else { return nil }
      return impact
    }
    return .same(
      "impacts \(JudgedRun.text(expected.map(\.rawValue)))",
      "impacts \(JudgedRun.text(shown.map(\.value.rawValue)))", at: firstDifference(of: shown, from: expected))
  }

  func commands(_ expected: [TeleExpectation.Command]) -> Outcome {
    if let lack = lacks(.commands) { return lack }
    let shown = events { event -> TeleExpectation.Command? in
      guard case .command(let type, let value, true) = event else { return nil }
      return .init(type: type, value: value)
    }
    func words(_ commands: [TeleExpectation.Command]) -> String {
      "commands " + JudgedRun.text(commands.map { "\($0.type):\($0.value)" })
    }
    let time = firstDifference(of: shown, from: expected)
    return .same(words(expected), words(shown.map(\.value)), at: time)
  }
}

extension RunLog.What {
  /// It ends the session of this peer.
  fileprivate func ends(_ peer: PeerName) -> Bool {
    switch self {
    case .closed(peer), .disconnected(peer), .event(.sessionClosed): true
    default: false
    }
  }
}

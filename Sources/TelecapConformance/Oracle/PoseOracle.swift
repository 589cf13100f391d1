import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Judges which poses a host applies: one only if it is newer than every pose applied before it in the session, and the
/// newest of all once it is quiet (semantics, Latest value wins; RFC 1982).
struct PoseOracle: Sendable {
  private var settling: Settling
  /// The newest pose delivered, by the rule.
  private var expected: UInt16?
  private var applied: UInt16?
  /// The last pose delivered, and whether another one of the same seq differs from it.
  private var last: PoseSample?
  private var isAmbiguous = false
  /// What was delivered since it was quiet last, and has not shown to be broken.
  private var sawDuplicate = false
  private var sawNotFinite = false
  private(set) var hasShown = false

  init(settle: Int64) { settling = Settling(settle) }

  /// A new session: every stream starts afresh.
  mutating func openSession(at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    self = PoseOracle(settle: settling.time, hasShown: hasShown)
  }

  private init(settle: Int64, hasShown: Bool) {
    self.init(settle: settle)
    self.hasShown = hasShown
  }

  /// A valid POSE of the client was delivered.
  mutating func deliver(_ pose: PoseSample, packet: Int, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    settling.deliver(packet, at: now)
    guard pose.isFinite else {
      sawNotFinite = true
      return
    }
    if let last, last.seq == pose.seq {
      isAmbiguous = isAmbiguous || !last.isIdentical(to: pose)
    } else {
      isAmbiguous = false
    }
    last = pose
    if let newest = expected {
      if pose.seq == newest { sawDuplicate = true }
      guard SerialNumber.isNewer(pose.seq, than: newest) else { return }
    }
    expected = pose.seq
  }

  /// The host applied a pose.
  mutating func observe(_ pose: PoseSample, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    hasShown = true
    guard pose.isFinite else {
      sawNotFinite = false
      return checks.note(.poseNotFinite, violation(pose.seq, at: now))
    }
    if let newest = applied {
      if pose.seq == newest {
        sawDuplicate = false
        return checks.note(.poseDuplicate, violation(pose.seq, at: now))
      }
      guard SerialNumber.isNewer(pose.seq, than: newest) else {
        return checks.note(.poseLatest, violation(pose.seq, at: now))
      }
    }
    guard let expected, !SerialNumber.isNewer(pose.seq, than: expected) else {
      return checks.note(.poseLatest, violation(pose.seq, at: now))
    }
    applied = pose.seq
    if let last, last.seq == pose.seq, !isAmbiguous {
      checks.note(.poseWhole, last.isIdentical(to: pose) ? nil : violation(pose.seq, at: now))
    }
  }

  /// The run has ended.
  mutating func finish(at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now.advanced(byNanoseconds: settling.time + 1), &checks)
  }

  private func violation(_ seq: UInt16, at now: Timestamp) -> Violation {
    Violation(
      time: now, packet: settling.packet, expected: expected.map(Shown.pose) ?? .nothing, observed: .pose(seq))
  }

  @inline(__always)
  private mutating func settle(at now: Timestamp, _ checks: inout CheckList) {
    guard settling.isOver(at: now) else { return }
    if let expected {
      checks.note(
        .poseLatest,
        applied == expected
          ? nil
          : Violation(
            time: now, packet: settling.packet, expected: .pose(expected),
            observed: applied.map(Shown.pose) ?? .nothing))
    }
    if sawDuplicate { checks.note(.poseDuplicate, nil) }
    if sawNotFinite { checks.note(.poseNotFinite, nil) }
    sawDuplicate = false
    sawNotFinite = false
  }
}

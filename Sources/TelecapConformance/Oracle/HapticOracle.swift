import TelecapModels
import TelecapRecording
import TelecapWire

/// Judges what a phone plays: the last intensity received, clamped, settled within the settle time, and nothing queued
/// (semantics, Latest value wins; Clamping and what is not a number).
struct HapticOracle: Sendable {
  /// ACKs keep a session for 3 s; whoever lets go between these two ages is right (semantics, tele.session.timeout).
  private static let surelyAlive: Int64 = 2_900_000_000
  private static let surelyLost: Int64 = 4_000_000_000

  private var settling: Settling
  private var allowed = Allowed(0)
  /// The requirement that the last delivery tries.
  private var cause = StreamRequirement.hapticLatest
  private var applied: Float = 0
  /// A quiet time has begun in which nothing may change.
  private var isQuiet = false
  private var lastAck: Timestamp?
  private(set) var hasShown = false

  init(settle: Int64) { settling = Settling(settle) }

  /// ACK OK was delivered.
  mutating func deliverAck(at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    if let lastAck, now.nanoseconds(since: lastAck) >= HapticOracle.surelyAlive { allowed.zero = true }
    lastAck = now
  }

  /// A valid HAPTIC was delivered.
  mutating func deliver(_ intensity: Float, packet: Int, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    if isQuiet { checks.note(.hapticNoQueue, nil) }
    isQuiet = false
    settling.deliver(packet, at: now)
    guard let lastAck else {
      cause = .hapticNeedsSession
      return
    }
    if now.nanoseconds(since: lastAck) >= HapticOracle.surelyAlive {
      // Alive or not, nobody can tell: the value may be played or not.
      allowed.anything = true
      return
    }
    cause = allowed.deliver(intensity)
  }

  /// The phone showed what its motor does.
  mutating func observe(_ strength: Float, at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now, &checks)
    hasShown = true
    let previous = applied
    applied = strength
    let packet = settling.packet
    func violation(_ expected: Float) -> Violation {
      Violation(time: now, packet: packet, expected: .strength(expected), observed: .strength(strength))
    }
    if strength.isNaN { return checks.note(.hapticNotANumber, violation(0)) }
    if strength > 1 { return checks.note(.hapticClampHigh, violation(1)) }
    if strength < 0 { return checks.note(.hapticClampLow, violation(0)) }
    guard !settling.isOpen, strength != previous else { return }
    if strength == 0, mayBeLost(at: now) {
      allowed = Allowed(0)
    } else if !allowed.contains(strength) {
      isQuiet = false
      checks.note(.hapticNoQueue, violation(allowed.value))
    }
  }

  /// The run has ended.
  mutating func finish(at now: Timestamp, _ checks: inout CheckList) {
    settle(at: now.advanced(byNanoseconds: settling.time + 1), &checks)
    if isQuiet { checks.note(.hapticNoQueue, nil) }
  }

  private func mayBeLost(at now: Timestamp) -> Bool {
    lastAck.map { now.nanoseconds(since: $0) >= HapticOracle.surelyAlive } ?? true
  }

  /// Judges what the time until `now` has decided.
  @inline(__always)
  private mutating func settle(at now: Timestamp, _ checks: inout CheckList) {
    if settling.isOver(at: now) { judge(at: now, &checks) }
    if let lastAck, now.nanoseconds(since: lastAck) > HapticOracle.surelyLost + settling.time { lose(now, &checks) }
  }

  private mutating func judge(at now: Timestamp, _ checks: inout CheckList) {
    isQuiet = true
    guard !allowed.anything else { return }
    let isRight = allowed.contains(applied)
    let violation = Violation(
      time: now, packet: settling.packet, expected: .strength(allowed.value), observed: .strength(applied))
    checks.note(cause, isRight ? nil : violation)
    if cause == .hapticZeroStops { checks.note(.hapticLatest, isRight ? nil : violation) }
    // What the receiver chose among what is allowed is what it must keep.
    if isRight { allowed = Allowed(applied) }
  }

  private mutating func lose(_ now: Timestamp, _ checks: inout CheckList) {
    lastAck = nil
    allowed = Allowed(0)
    let violation = Violation(
      time: now, packet: settling.packet, expected: .strength(0), observed: .strength(applied))
    checks.note(.safeOnLoss, applied == 0 ? nil : violation)
  }
}

/// The strengths that the rules allow: one, and where a value was no number also 0 or 1.
private struct Allowed: Sendable {
  var value: Float
  var zero = false
  var one = false
  /// Nobody can tell what is right.
  var anything = false

  init(_ value: Float) { self.value = value }

  func contains(_ strength: Float) -> Bool {
    anything || strength == value || (zero && strength == 0) || (one && strength == 1)
  }

  /// What is allowed once `intensity` was received; the requirement that it tries.
  mutating func deliver(_ intensity: Float) -> StreamRequirement {
    if intensity.isNaN || intensity == -.infinity {
      zero = true
      return intensity.isNaN ? .hapticNotANumber : .hapticClampLow
    }
    if intensity == .infinity {
      one = true
      return .hapticClampHigh
    }
    self = Allowed(intensity > 0 ? min(intensity, 1) : 0)
    return intensity > 1
      ? .hapticClampHigh : intensity < 0 ? .hapticClampLow : intensity == 0 ? .hapticZeroStops : .hapticLatest
  }
}

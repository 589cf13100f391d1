import TelecapModels
import TelecapRecording
import TelecapWire

/// The poses of a phone on its path, at absolute times from the start of the session.
struct PoseSource: Sendable {
  private let path: PosePath
  private let rate: Int
  private var beat: Metronome?
  private var opened = Timestamp.zero
  private var movement: Nanoseconds?
  /// The sequence number, which continues from session to session and wraps.
  private var seq: UInt16 = 0

  init(_ path: PosePath, rate: Int) {
    self.path = path
    self.rate = rate
  }

  /// The time at which the next pose is due; nil outside a session.
  var next: Timestamp? { beat?.next }

  /// Opens a session: the first pose is due now.
  mutating func open(at time: Timestamp) {
    opened = time
    movement = nil
    beat = Metronome(from: time, rate: rate)
  }

  /// Closes the session.
  mutating func close() { beat = nil }

  /// The pose that is due at `time`, if one is.
  mutating func take(at time: Timestamp) -> (PoseSample, Message)? {
    guard beat?.take(at: time) == true else { return nil }
    let elapsed = max(0, time.nanoseconds(since: opened))
    let (position, orientation) = path.pose(at: elapsed)
    let current = path.movement(at: elapsed)
    let sample = PoseSample(
      seq: seq, timestampMicroseconds: UInt64(elapsed / 1_000), movementStart: movement != current, position: position,
      orientation: orientation)
    guard
      let message = try? Message.pose(
        seq: sample.seq, timestampMicroseconds: sample.timestampMicroseconds, movementStart: sample.movementStart,
        position: position, orientation: orientation)
    else { return nil }
    movement = current
    seq &+= 1
    return (sample, message)
  }
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Sends HAPTIC while a session is active (TELE, Session rule 8), by default 20 times a second. Intensities are always
/// 0…1 (requirement tele.haptic.sender-range).
struct HapticPump: Sendable {
  private let waveform: Waveform?
  private let rate: Int
  private var beat: Metronome?
  private var opened = Timestamp.zero
  /// The last intensity that was sent to the session's phone.
  private var last: Float = 0

  /// A pump of `waveform` at this rate; without one it sends nothing.
  init(_ waveform: Waveform?, rate: Int) {
    self.waveform = waveform
    self.rate = rate
  }

  /// The time at which the next message is due; nil outside a session.
  var next: Timestamp? { beat?.next }

  /// Opens a session: the first message is due now.
  mutating func open(at time: Timestamp) {
    guard waveform != nil else { return }
    opened = time
    beat = Metronome(from: time, rate: rate)
  }

  /// Closes the session.
  mutating func close() { (beat, last) = (nil, 0) }

  /// The message that stops the phone's motor before a host exits; nil if the last one was 0.
  mutating func off() -> Message? {
    guard last != 0, let message = try? Message.haptic(intensity: 0) else { return nil }
    last = 0
    return message
  }

  /// The message that is due at `time`, if one is.
  mutating func take(at time: Timestamp) -> (intensity: Float, message: Message)? {
    guard let waveform, beat?.take(at: time) == true else { return nil }
    let intensity = HapticStrength.clamped(waveform.value(at: time.nanoseconds(since: opened)))
    guard let message = try? Message.haptic(intensity: intensity) else { return nil }
    last = intensity
    return (intensity, message)
  }
}

import TelecapModels
import TelecapRecording
import TelecapWire

/// Sends HAPTIC, 20 times a second unless told otherwise, while a session is active (TELE, Session rule 8); what it sends is always 0…1
/// (requirement tele.haptic.sender-range).
struct HapticPump: Sendable {
  private let waveform: Waveform?
  private let rate: Int
  private var beat: Metronome?
  private var opened = Timestamp.zero
  /// The intensity that the session's phone was sent last.
  private var last: Float = 0

  /// A pump of `waveform`, so many times a second; without one it sends nothing.
  init(_ waveform: Waveform?, rate: Int) {
    self.waveform = waveform
    self.rate = rate
  }

  /// When the next message is due; nil outside a session.
  var next: Timestamp? { beat?.next }

  /// A session begins: the first message is due now.
  mutating func open(at time: Timestamp) {
    guard waveform != nil else { return }
    opened = time
    beat = Metronome(from: time, rate: rate)
  }

  /// The session has ended.
  mutating func close() { (beat, last) = (nil, 0) }

  /// The message that turns the phone's motor off before a host ends; nil where the last one did so already.
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

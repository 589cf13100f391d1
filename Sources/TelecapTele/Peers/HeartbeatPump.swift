import TelecapModels
import TelecapRecording
import TelecapWire

/// Sends a host's keepalives over Bluetooth: at 2 Hz while a session is open (TELE, Transports: liveness). The counter
/// continues from session to session.
struct HeartbeatPump: Sendable {
  private let interval: Nanoseconds
  private var began = Timestamp.zero
  private var counter: UInt32 = 0
  private var beat: Metronome?

  /// A pump with this interval in ns.
  init(every interval: Nanoseconds) { self.interval = interval }

  /// The time at which the next message is due; nil outside a session.
  var next: Timestamp? { beat?.next }

  /// Starts the host; uptime counts from here.
  mutating func start(at time: Timestamp) { began = time }

  /// Opens a session: the first message is due now.
  mutating func open(at time: Timestamp) { beat = Metronome(from: time, rate: 1, in: interval) }

  /// Closes the session.
  mutating func close() { beat = nil }

  /// The message that is due at `time`, if one is.
  mutating func take(at time: Timestamp) -> Message? {
    guard beat?.take(at: time) == true else { return nil }
    defer { counter &+= 1 }
    let uptime = time.nanoseconds(since: began) / 1_000_000
    return .heartbeat(counter: counter, uptimeMilliseconds: UInt32(truncatingIfNeeded: uptime))
  }
}

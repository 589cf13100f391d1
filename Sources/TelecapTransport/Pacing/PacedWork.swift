import TelecapRecording

/// What a `Pacer` sends: a supply of packets in the order of their due times, and the means to send those that are ready.
///
/// Preparing and sending are apart so that all slow work (reading, rewriting, copying) is done before the deadline, and
/// only the send call stands behind it.
public protocol PacedWork {
  /// When the next packet that is not loaded is due, in nanoseconds from the start of the run; nil after the last.
  /// Asked often: must be cheap the second time. A time before its predecessor's counts as overdue.
  mutating func nextDue() throws -> Nanoseconds?

  /// Loads the packet that `nextDue` spoke of, to be sent with the others that are loaded. False when there is no room
  /// for it now; with nothing loaded there must be room.
  mutating func load() throws -> Bool

  /// Sends all that is loaded, in order. `time` is now, in nanoseconds from the start of the run.
  mutating func send(at time: Nanoseconds) throws

  /// Called when there is time before the next deadline, and now and then when there is none: look for replies. Should
  /// return within some tens of microseconds.
  mutating func idle() throws
}

/// Why a pacer gave up.
public enum PacingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A packet could not be loaded though nothing else was.
  case noRoom(due: Nanoseconds)

  /// The error in words.
  public var description: String {
    switch self {
    case .noRoom(let due): "the packet due at \(due) ns does not fit the sender's empty buffer"
    }
  }
}

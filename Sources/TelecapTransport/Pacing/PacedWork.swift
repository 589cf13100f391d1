import TelecapRecording

/// The work of a `Pacer`: packets in the order of their due times, and the means to send them.
///
/// Loading and sending are separate, so that slow work (reading, rewriting, copying) is done before the deadline, and
/// only the send call comes after it.
public protocol PacedWork {
  /// The due time of the next packet that is not loaded, in nanoseconds from the start of the run; nil after the last.
  /// Called often, so it must be cheap the second time. A time before its predecessor's counts as overdue.
  mutating func nextDue() throws -> Nanoseconds?

  /// Loads the packet of `nextDue`, to be sent with the other loaded ones. Returns false when there is no room for it
  /// now; with nothing loaded there must be room.
  mutating func load() throws -> Bool

  /// Sends all loaded packets in order. `time` is now, in nanoseconds from the start of the run.
  mutating func send(at time: Nanoseconds) throws

  /// Called when there is time before the next deadline, and sometimes when there is none: read replies. Should return
  /// within some tens of microseconds.
  mutating func idle() throws
}

/// The reason why a pacer failed.
public enum PacingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The packet could not be loaded although nothing else was.
  case noRoom(due: Nanoseconds)

  /// The error message.
  public var description: String {
    switch self {
    case .noRoom(let due): "the packet due at \(due) ns does not fit the sender's empty buffer"
    }
  }
}

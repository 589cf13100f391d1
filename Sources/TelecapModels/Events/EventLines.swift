import TelecapRecording
import TelecapWire

/// Writes a peer's events as JSON Lines when they occur.
///
/// `@unchecked Sendable`: a peer emits its events on its only thread, and `failure` is read after it has stopped. (The
/// standard library's Mutex would make it Sendable, but needs macOS 15.)
public final class EventLines: @unchecked Sendable {
  /// The protocol with the names of streams' fields; nil for one with its own event names.
  private let owner: WireProtocol?
  private let sink: (String) throws -> Void
  /// The error that stopped the writing.
  public private(set) var failure: (any Error)?
  /// The answers to a client, each once.
  public private(set) var answers: Set<SessionAnswer> = []

  /// - Parameter write: writes each line immediately.
  public init(of owner: WireProtocol? = nil, write: @escaping (String) throws -> Void) {
    (self.owner, sink) = (owner, write)
  }

  /// Writes an event; false after an error.
  public func write(_ event: PeerEvent, at time: Timestamp) -> Bool {
    guard failure == nil else { return false }
    if case .answered(let answer) = event { answers.insert(answer) }
    do {
      try sink(event.jsonLine(at: time, of: owner))
      return true
    } catch {
      failure = error
      return false
    }
  }
}

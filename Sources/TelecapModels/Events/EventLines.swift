import TelecapRecording
import TelecapWire

/// A peer's events as lines of JSON, as they happen.
///
/// `@unchecked Sendable`: a peer tells its events on its one thread only, and `failure` is asked for after it has ended.
/// (The standard library's Mutex would say so itself; it needs macOS 15.)
public final class EventLines: @unchecked Sendable {
  /// The protocol whose names the fields of a stream's events have; nil for one that has words of its own for events.
  private let owner: WireProtocol?
  private let sink: (String) throws -> Void
  /// Why writing ended early.
  public private(set) var failure: (any Error)?
  /// What a client was answered, each once.
  public private(set) var answers: Set<SessionAnswer> = []

  /// - Parameter write: takes each line, at once.
  public init(of owner: WireProtocol? = nil, write: @escaping (String) throws -> Void) {
    (self.owner, sink) = (owner, write)
  }

  /// Writes an event; false when nothing is written any more.
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

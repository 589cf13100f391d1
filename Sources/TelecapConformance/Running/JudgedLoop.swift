import TelecapLoop
import TelecapModels
import TelecapRecording

/// A run whose log only the oracle reads: a model is driven in virtual time and judged at once.
extension Loop where Reader == Oracle, Side == SilentSide {
  /// A run of `receiver`, which is judged by `oracle` and to which nobody answers.
  @inlinable
  public init(_ receiver: Receiver, judgedBy oracle: Oracle) {
    self.init(receiver, oracle, side: SilentSide())
  }

  /// What is known of the receiver so far.
  @inlinable
  public var oracle: Oracle { reader }

  /// The run ends at `time`: the receiver does what was due until then, and is judged.
  @inlinable
  public mutating func finish(at time: Timestamp) {
    pass(to: time)
    reader.finish(at: time)
  }
}

extension Oracle: LogReader {
  @inlinable
  @inline(__always)
  public mutating func read(_ entry: consuming LoopEntry, at time: Timestamp) {
    switch consume entry {
    case .sent(let bytes, _, _, let carrier): sent(bytes, over: carrier, at: time)
    case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
      delivered(bytes, over: carrier, from: peer, at: time, sentAt: sentAt, packet: packet)
    case .opened(let peer): opened(peer)
    case .closed(let peer), .disconnected(let peer): closed(peer, at: time)
    case .event(let event): observed(event, at: time)
    case .replied, .asked, .output, .broke: return
    }
  }
}

import TelecapLoop
import TelecapModels
import TelecapRecording

/// A run whose only reader is the oracle: a model in virtual time with immediate verdicts.
extension Loop where Reader == Oracle, Side == SilentSide {
  /// A run of `receiver`, checked by `oracle`, without answers from the other side.
  @inlinable
  public init(_ receiver: Receiver, judgedBy oracle: Oracle) {
    self.init(receiver, oracle, side: SilentSide())
  }

  /// The oracle so far.
  @inlinable
  public var oracle: Oracle { reader }

  /// Ends the run at `time`: the receiver runs until then, and the oracle finishes.
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
    case .sent(let bytes, let packet, _, let carrier): sent(bytes, over: carrier, at: time, packet: packet)
    case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
      delivered(bytes, over: carrier, from: peer, at: time, sentAt: sentAt, packet: packet)
    case .opened(let peer): opened(peer)
    case .closed(let peer), .disconnected(let peer): closed(peer, at: time)
    case .event(let event): observed(event, at: time)
    case .replied, .asked, .output, .broke: return
    }
  }
}

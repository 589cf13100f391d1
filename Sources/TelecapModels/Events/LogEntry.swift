import TelecapRecording

/// One thing that happened in a run. Its time comes next to it.
///
/// The engine in virtual time reports borrowed bytes (`LoopEntry`), so that nothing is allocated for a packet; the log of a run
/// keeps them as arrays, under the names of the peers.
public enum LogEntry<Peer, Bytes: ~Escapable>: ~Escapable {
  /// Our side sent a packet, whatever became of it. Its bytes are those from before any bit was flipped.
  case sent(Bytes, packet: Int, by: Peer, over: Carrier)
  /// A datagram, or the next piece of a stream, reached the receiver. It would have been sent at `sentAt` over a perfect
  /// network.
  case delivered(Bytes, packet: Int, from: Peer, over: Carrier, sentAt: Timestamp)
  /// A TCP connection of this peer with the receiver is up.
  case opened(Peer)
  /// Our side closed it.
  case closed(Peer)
  /// The receiver closed it.
  case disconnected(Peer)
  /// The receiver sent a datagram, or a piece of a stream, to this peer. A HID report of a mouse comes over `nil`.
  case replied(Bytes, to: Peer, over: Carrier?)
  /// The user of the receiver was made to do this.
  case asked(any UserAction)
  /// The receiver showed something of itself.
  case event(PeerEvent)
  /// A line of the receiver's output that is no event.
  case output(String)
  /// The receiver ended by itself, for this reason: it crashed, hung, flooded.
  case broke(String)
}

extension LogEntry: Escapable where Bytes: Escapable {}
extension LogEntry: Sendable where Peer: Sendable, Bytes: Sendable & ~Escapable {}

/// An entry as the engine reports it: the bytes are valid during the call only.
public typealias LoopEntry = LogEntry<Endpoint, RawSpan>

extension LoopEntry {
  /// The same with a copy of its bytes, and with the peers' names.
  public func kept<Name>(_ name: (Endpoint) -> Name) -> LogEntry<Name, [UInt8]> {
    func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
    switch self {
    case .sent(let bytes, let packet, let peer, let carrier):
      return .sent(copy(bytes), packet: packet, by: name(peer), over: carrier)
    case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
      return .delivered(copy(bytes), packet: packet, from: name(peer), over: carrier, sentAt: sentAt)
    case .opened(let peer): return .opened(name(peer))
    case .closed(let peer): return .closed(name(peer))
    case .disconnected(let peer): return .disconnected(name(peer))
    case .replied(let bytes, let peer, let carrier): return .replied(copy(bytes), to: name(peer), over: carrier)
    case .asked(let action): return .asked(action)
    case .event(let event): return .event(event)
    case .output(let line): return .output(line)
    case .broke(let reason): return .broke(reason)
    }
  }
}

import TelecapRecording

/// One entry in the log of a run. Its time is passed next to it.
///
/// The engine in virtual time reports borrowed bytes (`LoopEntry`), so that nothing is allocated per packet; the stored
/// log of a run has arrays and the names of peers.
public enum LogEntry<Peer, Bytes: ~Escapable>: ~Escapable {
  /// Our side sent a packet, whatever the network did to it. Its bytes are those before any bit was flipped.
  case sent(Bytes, packet: Int, by: Peer, over: Carrier)
  /// A datagram, or the next segment of a stream, reached the receiver. `sentAt` is the time of unimpaired sending.
  case delivered(Bytes, packet: Int, from: Peer, over: Carrier, sentAt: Timestamp)
  /// A TCP connection of this peer with the receiver is up.
  case opened(Peer)
  /// Our side closed its connection.
  case closed(Peer)
  /// The receiver closed its connection.
  case disconnected(Peer)
  /// The receiver sent a datagram, or a segment of a stream, to this peer. The transport of a mouse's HID report is
  /// nil.
  case replied(Bytes, to: Peer, over: Carrier?)
  /// The receiver's user performed this action.
  case asked(any UserAction)
  /// The receiver reported an event.
  case event(PeerEvent)
  /// A line of the receiver's output that is not an event.
  case output(String)
  /// The receiver stopped by itself, for this reason: it crashed, hung, or flooded.
  case broke(String)
}

extension LogEntry: Escapable where Bytes: Escapable {}
extension LogEntry: Sendable where Peer: Sendable, Bytes: Sendable & ~Escapable {}

/// An entry of the engine; the bytes are valid only during the call.
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

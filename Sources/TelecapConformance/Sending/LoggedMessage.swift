import TelecapModels
import TelecapRecording
import TelecapWire

/// A message of a run, delivered to the system or sent by it, or something in its place that is none.
public struct LoggedMessage: Sendable {
  /// When it was delivered, or when it came.
  public let time: Timestamp
  /// From whom, or to whom.
  public let peer: PeerName
  /// What carried it.
  public let carrier: Carrier
  /// Which message its header says that it is.
  public let kind: MessageKind
  /// All that is wrong with it.
  public let findings: [Finding]
  /// The message, without a frame around it where it came over TCP.
  public let bytes: [UInt8]
  /// Its place among the entries of the log.
  public let entry: Int

  /// A receiver may use it.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// It ends the session of this peer that has this id.
  public func closes(_ id: UInt32, of peer: PeerName) -> Bool {
    isValid && self.peer == peer && kind.closes(UInt64(id), in: bytes.span.bytes)
  }
}

extension RunLog {
  /// Which way messages went.
  public enum Way: Sendable { case toSystem, fromSystem }

  /// Every message that went this way between a system which speaks this protocol and its peers, streams taken apart, in
  /// order of time.
  public func messages(_ way: Way, _ owner: WireProtocol) -> [LoggedMessage] {
    var result: [LoggedMessage] = []
    var framers: [PeerName: MessageFramer] = [:]
    for (place, entry) in entries.enumerated() {
      switch entry.what {
      case .opened(let peer), .closed(let peer), .disconnected(let peer): framers[peer] = nil
      default: break
      }
      guard let (bytes, peer, carrier) = entry.what.payload(way), let dialect = owner.dialect(over: carrier) else {
        continue
      }
      func add(_ event: FrameEvent, _ message: RawSpan) {
        var findings: [Finding] = []
        var kind = owner.malformed
        if let finding = event.finding(owner.rules) {
          findings = [finding]
        } else {
          kind = MessageDecoder.decode(message, as: dialect, findings: &findings)
        }
        result.append(
          LoggedMessage(
            time: entry.time, peer: peer, carrier: carrier, kind: kind, findings: findings,
            bytes: message.withUnsafeBytes { Array($0) }, entry: place))
      }
      guard carrier == .tcp else {
        add(.message, bytes.span.bytes)
        continue
      }
      var framer = framers.removeValue(forKey: peer) ?? MessageFramer(dialect)
      framer.receive(bytes.span.bytes, add)
      framers[peer] = framer
    }
    return result
  }
}

extension RunLog.What {
  /// What went this way; nil where it is nothing that a carrier carried.
  fileprivate func payload(_ way: RunLog.Way) -> ([UInt8], PeerName, Carrier)? {
    switch (way, self) {
    case (.fromSystem, .replied(let bytes, let peer, let carrier?)): (bytes, peer, carrier)
    case (.toSystem, .delivered(let bytes, _, let peer, let carrier, _)): (bytes, peer, carrier)
    default: nil
    }
  }
}

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
  /// Its index among the entries of the log.
  public internal(set) var entry: Int
  /// Whether the stream held a message in this place, and not bytes that begin none.
  let isFramed: Bool

  /// The first rule that makes it useless to a receiver; nil for a valid message.
  var error: Rule? { findings.first { $0.severity == .error }?.rule }

  /// A receiver may use it.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// It ends the session of this peer that has this id.
  public func closes(_ id: UInt32, of peer: PeerName) -> Bool {
    isValid && self.peer == peer && kind.closes(UInt64(id), in: bytes.span.bytes)
  }
}

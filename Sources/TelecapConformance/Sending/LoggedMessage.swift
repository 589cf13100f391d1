import TelecapRecording
import TelecapWire

/// A message of a run, delivered to the system or sent by it, or invalid bytes in its place.
public struct LoggedMessage: Sendable {
  /// The time of its delivery or arrival.
  public let time: Timestamp
  /// The peer that sent or receives it.
  public let peer: PeerName
  /// The transport.
  public let carrier: Carrier
  /// The message that its header names.
  public let kind: MessageKind
  /// All its findings.
  public let findings: [Finding]
  /// The message, without its frame over TCP.
  public let bytes: [UInt8]
  /// Its index among the entries of the log.
  public internal(set) var entry: Int
  /// Whether the byte stream has a message here, not bytes that begin none.
  let isFramed: Bool

  /// The first rule that makes it unusable for a receiver; nil for a valid message.
  var error: Rule? { findings.first { $0.severity == .error }?.rule }

  /// Whether a receiver may use it.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }

  /// Whether it ends the session of this peer with this id.
  public func closes(_ id: UInt32, of peer: PeerName) -> Bool {
    isValid && self.peer == peer && kind.closes(UInt64(id), in: bytes.span.bytes)
  }
}

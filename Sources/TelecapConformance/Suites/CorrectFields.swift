import TelecapRecording
import TelecapWire

/// The context of a message in a scenario, from which a correct sender computes its fields.
public struct MessagePlace: Sendable {
  /// The peer that sends it.
  public var peer: PeerName
  /// The code that the host needs.
  public var code: String
  /// Its index among the messages of its step, from 0.
  public var index: Int
  /// The sequence number where its kind has one; its index from 1 by default.
  public var number: Int64
  /// The interval between messages of the step, in ns.
  public var every: Nanoseconds

  /// The message `index` of a step of this peer.
  public init(peer: PeerName, code: String, index: Int, number: Int64, every: Int64) {
    self.number = number
    self.peer = peer
    self.code = code
    self.index = index
    self.every = every
  }

  /// The default session id of a peer: 1 for a, 2 for b.
  public var sessionID: UInt32 {
    guard let first = peer.utf8.first, peer.utf8.count == 1, first >= UInt8(ascii: "a") else { return 1 }
    return UInt32(first - UInt8(ascii: "a")) + 1
  }
}

/// Returns the values of a correct sender for fields that a scenario leaves open, except the sequence number.
public typealias CorrectFields = @Sendable (MessageKind, MessagePlace) -> [String: FieldValue]

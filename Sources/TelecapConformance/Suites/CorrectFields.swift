import TelecapRecording
import TelecapWire

/// Which message of a scenario is made: what a correct sender needs to know for its fields.
public struct MessagePlace: Sendable {
  /// Who sends it.
  public var peer: PeerName
  /// The code that lets a peer in.
  public var code: String
  /// Its place among the messages of its step, from 0.
  public var index: Int
  /// The number that orders it, where its kind has one; the message's place from 1 where a scenario says nothing.
  public var number: Int64
  /// How long from one message of the step to the next, in ns.
  public var every: Nanoseconds

  /// The message `index` of a step of this peer.
  public init(peer: PeerName, code: String, index: Int, number: Int64, every: Int64) {
    self.number = number
    self.peer = peer
    self.code = code
    self.index = index
    self.every = every
  }

  /// The number by which a peer names its session where its scenario says nothing: 1 for a, 2 for b.
  public var sessionID: UInt32 {
    guard let first = peer.utf8.first, peer.utf8.count == 1, first >= UInt8(ascii: "a") else { return 1 }
    return UInt32(first - UInt8(ascii: "a")) + 1
  }
}

/// What a correct sender puts into the fields of a message that a scenario leaves open, beside the number that orders it.
public typealias CorrectFields = @Sendable (MessageKind, MessagePlace) -> [String: FieldValue]

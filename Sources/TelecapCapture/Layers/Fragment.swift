import TelecapRecording
import TelecapWire

/// A fragment of an IP datagram, and where its bytes are in the frame (RFC 791 §2.3, RFC 8200 §4.5).
public struct Fragment: Hashable, Sendable {
  /// Who sent the datagram.
  public var source: IPAddress
  /// To whom.
  public var destination: IPAddress
  /// The protocol number of what the datagram carries; of IPv6 also of an extension header.
  public var transport: UInt8
  /// What the fragments of a datagram have in common, beside the addresses: 16 bits of IPv4, 32 of IPv6.
  public var identification: UInt32
  /// Where its bytes are in the datagram, in bytes; a multiple of eight.
  public var offset: Int
  /// It is not the last one.
  public var moreFollow: Bool
  /// Where its captured bytes are in the frame.
  public var range: Range<Int>
  /// How many of its bytes the snapshot length cut off.
  public var missing = 0
  /// The encapsulations that it is in.
  var encapsulations = EncapsulationSet()
  /// How many there are, one inside another.
  var depth: UInt8 = 0
}

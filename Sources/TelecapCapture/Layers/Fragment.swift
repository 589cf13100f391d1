import TelecapRecording
import TelecapWire

/// A fragment of an IP datagram, and where its bytes are in the frame (RFC 791 §2.3, RFC 8200 §4.5).
public struct Fragment: Hashable, Sendable {
  /// The source address of the datagram.
  public var source: IPAddress
  /// The destination address.
  public var destination: IPAddress
  /// The protocol number of what the datagram carries; of IPv6 also of an extension header.
  public var transport: UInt8
  /// The Identification field: 16 bits in IPv4, 32 in IPv6.
  public var identification: UInt32
  /// The fragment offset in bytes, a multiple of eight.
  public var offset: Int
  /// It is not the last one.
  public var moreFollow: Bool
  /// The range of its captured bytes in the frame.
  public var range: Range<Int>
  /// How many of its bytes the snapshot length cut off.
  public var missing = 0
  /// The encapsulations that it is in.
  var encapsulations = EncapsulationSet()
  /// How many there are, one inside another.
  var depth: UInt8 = 0
}

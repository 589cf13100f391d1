import TelecapRecording
import TelecapWire

/// A fragment of an IP datagram, with the range of its bytes in the frame (RFC 791 §2.3, RFC 8200 §4.5).
public struct Fragment: Hashable, Sendable {
  /// The source address of the datagram.
  public var source: IPAddress
  /// The destination address.
  public var destination: IPAddress
  /// The protocol number of the payload; in IPv6 possibly that of an extension header.
  public var transport: UInt8
  /// The Identification field: 16 bits in IPv4, 32 in IPv6.
  public var identification: UInt32
  /// The fragment offset in bytes, a multiple of eight.
  public var offset: Int
  /// Whether more fragments follow.
  public var moreFollow: Bool
  /// The range of its captured bytes in the frame.
  public var range: Range<Int>
  /// The number of its bytes that the snapshot length cut off.
  public var missing = 0
  /// The encapsulations around it.
  var encapsulations = EncapsulationSet()
  /// The depth of these encapsulations.
  var depth: UInt8 = 0
}

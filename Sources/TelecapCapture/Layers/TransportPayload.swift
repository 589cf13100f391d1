import TelecapRecording
import TelecapWire

/// The control bits of a TCP segment (RFC 9293 §3.1).
public struct TCPFlags: OptionSet, Hashable, Sendable {
  /// The bits as they stand in the header's byte 13.
  public let rawValue: UInt8

  /// Flags of these bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No more data from the sender.
  public static let fin = TCPFlags(rawValue: 0x01)
  /// The sequence number is the initial one.
  public static let syn = TCPFlags(rawValue: 0x02)
  /// The connection is reset.
  public static let rst = TCPFlags(rawValue: 0x04)
  /// The data should be passed on at once.
  public static let psh = TCPFlags(rawValue: 0x08)
  /// The acknowledgement number counts.
  public static let ack = TCPFlags(rawValue: 0x10)
}

/// A UDP datagram's or TCP segment's payload in a frame.
public struct TransportPayload: Hashable, Sendable {
  /// Who sent it to whom, and over what.
  public var flow: Flow
  /// Where the payload's captured bytes stand in the frame; may be empty.
  public var range: Range<Int>
  /// How many bytes of the payload the snapshot length cut off; 0 when all are there.
  public var missing = 0
  /// TCP: the number of the first byte, or of the SYN; 0 for UDP.
  public var sequence: UInt32 = 0
  /// TCP: the next byte that the sender expects, when `flags` has `.ack`; 0 for UDP.
  public var acknowledgement: UInt32 = 0
  /// TCP: the control bits; none for UDP.
  public var flags = TCPFlags()
  /// How many encapsulations it is in, one inside another.
  var depth: UInt8 = 0
  /// Which they are.
  public var encapsulations = EncapsulationSet()

  /// A payload of this flow at this place.
  public init(flow: Flow, range: Range<Int>) {
    self.flow = flow
    self.range = range
  }
}

/// What a frame brings.
public enum FrameContent: Hashable, Sendable {
  /// A UDP or TCP payload.
  case payload(TransportPayload)
  /// Nothing for us.
  case none(NoPayload)
}

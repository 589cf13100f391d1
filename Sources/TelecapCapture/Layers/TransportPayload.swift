import TelecapRecording
import TelecapWire

/// The control bits of a TCP segment (RFC 9293 §3.1).
public struct TCPFlags: OptionSet, Hashable, Sendable {
  /// The bits in byte 13 of the header.
  public let rawValue: UInt8

  /// Flags of these bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The sender has no more data.
  public static let fin = TCPFlags(rawValue: 0x01)
  /// The sequence number is the initial one.
  public static let syn = TCPFlags(rawValue: 0x02)
  /// Resets the connection.
  public static let rst = TCPFlags(rawValue: 0x04)
  /// The data should be delivered immediately.
  public static let psh = TCPFlags(rawValue: 0x08)
  /// The acknowledgement number is valid.
  public static let ack = TCPFlags(rawValue: 0x10)
}

/// A UDP datagram's or TCP segment's payload in a frame.
public struct TransportPayload: Hashable, Sendable {
  /// The sender, the receiver and the transport.
  public var flow: Flow
  /// The range of the payload's captured bytes in the frame; may be empty.
  public var range: Range<Int>
  /// The number of payload bytes that the snapshot length cut off; 0 if all are present.
  public var missing = 0
  /// TCP: the sequence number of the first byte, or of the SYN; 0 for UDP.
  public var sequence: UInt32 = 0
  /// TCP: the next byte that the sender expects, if `flags` contains `.ack`; 0 for UDP.
  public var acknowledgement: UInt32 = 0
  /// TCP: the control bits; none for UDP.
  public var flags = TCPFlags()
  /// The depth of the encapsulations around it.
  var depth: UInt8 = 0
  /// The encapsulations around it.
  public var encapsulations = EncapsulationSet()

  /// A payload of this flow at this range.
  public init(flow: Flow, range: Range<Int>) {
    self.flow = flow
    self.range = range
  }
}

/// The content of a frame.
public enum FrameContent: Hashable, Sendable {
  /// A UDP or TCP payload.
  case payload(TransportPayload)
  /// No payload for us.
  case none(NoPayload)
}

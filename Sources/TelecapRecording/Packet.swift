/// The metadata of a captured frame. Its bytes are passed next to it.
public struct PacketHeader: Hashable, Sendable {
  /// The packet's number in its capture: 1, 2, 3 …, the same as Wireshark's frame.number.
  public var number: Int
  /// The capture time.
  public var time: Timestamp
  /// The index of the interface in the capture, from 0.
  public var interface: Int
  /// The frame's length on the wire in bytes; larger than the captured length if the snapshot length cut it.
  public var originalLength: Int
  /// The link type: a LINKTYPE_ number (https://www.tcpdump.org/linktypes.html).
  public var linkType: UInt16

  /// The maximum length of a frame, in bytes: libpcap's MAXIMUM_SNAPLEN.
  public static let largestFrame = 262_144
  /// The maximum length on the wire, in bytes: the limit of pcap and pcapng.
  public static let largestOriginal = Int(UInt32.max)
  /// The maximum number of a packet, 2⁵³ − 1: JSON cannot represent larger ones, and their sums overflow.
  public static let largestNumber = 1 << 53 - 1

  /// A header with these values.
  @inlinable
  public init(number: Int, time: Timestamp, interface: Int = 0, originalLength: Int, linkType: UInt16) {
    self.number = number
    self.time = time
    self.interface = interface
    self.originalLength = originalLength
    self.linkType = linkType
  }
}

/// One application payload of a packet: a UDP datagram's, or a TCP segment's new bytes. The bytes are passed next to
/// it.
public struct Datagram: Hashable, Sendable {
  /// The number of its packet (for TCP: that of its last byte).
  public var packet: Int
  /// The capture time.
  public var time: Timestamp
  /// The sender and the receiver.
  public var flow: Flow

  /// A payload of this packet.
  @inlinable
  public init(packet: Int, time: Timestamp, flow: Flow) {
    self.packet = packet
    self.time = time
    self.flow = flow
  }
}

/// An interface from which packets were captured.
public struct Interface: Hashable, Sendable {
  /// `lo`, `en0`, a relay's `udp:50000`; empty if the file does not contain it.
  public var name: String
  /// A LINKTYPE_ number (https://www.tcpdump.org/linktypes.html).
  public var linkType: UInt16
  /// The maximum number of captured bytes of a frame.
  public var snapLength: Int
  /// Timestamp ticks a second: 1,000,000 for µs, 1,000,000,000 for ns.
  public var ticksPerSecond: UInt64
  /// Comments of users, and events of the interface during the recording, a line each; empty without any.
  public var comment: String
  /// The description of the interface, from pcapng's if_description: `Loopback adapter`; empty without one.
  public var description: String

  /// An interface with these values.
  public init(
    name: String, linkType: UInt16, snapLength: Int = 262_144, ticksPerSecond: UInt64 = 1_000_000_000,
    comment: String = "", description: String = ""
  ) {
    self.name = name
    self.linkType = linkType
    self.snapLength = snapLength
    self.ticksPerSecond = ticksPerSecond
    self.comment = comment
    self.description = description
  }
}

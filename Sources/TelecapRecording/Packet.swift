/// What is known of a captured frame beside its bytes, which are passed next to it.
public struct PacketHeader: Hashable, Sendable {
  /// The packet's number in its capture: 1, 2, 3 …, the same as Wireshark's frame.number.
  public var number: Int
  /// When it was captured.
  public var time: Timestamp
  /// The index of the interface in the capture, from 0.
  public var interface: Int
  /// The frame's length on the wire in bytes; more than was captured when the snapshot length cut it.
  public var originalLength: Int
  /// How the frame begins: a LINKTYPE_ number (https://www.tcpdump.org/linktypes.html).
  public var linkType: UInt16

  /// The largest frame that is believed, in bytes: libpcap's MAXIMUM_SNAPLEN.
  public static let largestFrame = 262_144
  /// The greatest length on the wire that is believed, in bytes: what pcap and pcapng can say.
  public static let largestOriginal = Int(UInt32.max)
  /// The greatest number of a packet that is believed, 2⁵³ − 1: greater ones JSON cannot say, and sums of them overflow.
  public static let largestNumber = 1 << 53 - 1

  /// A header of these values.
  @inlinable
  public init(number: Int, time: Timestamp, interface: Int = 0, originalLength: Int, linkType: UInt16) {
    self.number = number
    self.time = time
    self.interface = interface
    self.originalLength = originalLength
    self.linkType = linkType
  }
}

/// One application payload of a packet, as one side sent it: a UDP datagram's, or a TCP segment's new bytes.
/// The bytes are passed next to it.
public struct Datagram: Hashable, Sendable {
  /// The number of the packet that brought it (for TCP: the packet that brought its last byte).
  public var packet: Int
  /// When it was captured.
  public var time: Timestamp
  /// Who sent it to whom.
  public var flow: Flow

  /// A payload that came in this packet.
  @inlinable
  public init(packet: Int, time: Timestamp, flow: Flow) {
    self.packet = packet
    self.time = time
    self.flow = flow
  }
}

/// A place that packets were captured at.
public struct Interface: Hashable, Sendable {
  /// `lo`, `en0`, a relay's `udp:50000`; empty when the file does not say.
  public var name: String
  /// A LINKTYPE_ number (https://www.tcpdump.org/linktypes.html).
  public var linkType: UInt16
  /// How many bytes of each frame were kept at most.
  public var snapLength: Int
  /// Timestamp ticks a second: 1,000,000 for µs, 1,000,000,000 for ns.
  public var ticksPerSecond: UInt64
  /// What a person wrote about it, and what happened to it while it was recorded, line by line; empty when nothing.
  public var comment: String
  /// The description of the interface, from pcapng's if_description: `Loopback adapter`; empty without one.
  public var description: String

  /// An interface of these values.
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

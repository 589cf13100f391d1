/// The supported LINKTYPE_ numbers (https://www.tcpdump.org/linktypes.html), and DLT_ numbers that some files contain
/// instead.
public enum LinkType {
  /// BSD loopback: the address family in the capturing machine's byte order.
  public static let null: UInt16 = 0
  /// Ethernet.
  public static let ethernet: UInt16 = 1
  /// Raw IP, with the version in its first four bits.
  public static let rawIP: UInt16 = 101
  /// OpenBSD loopback: the address family in network byte order.
  public static let loop: UInt16 = 108
  /// Linux's `any` interface.
  public static let linuxCooked: UInt16 = 113
  /// Raw IPv4.
  public static let ipv4: UInt16 = 228
  /// Raw IPv6.
  public static let ipv6: UInt16 = 229
  /// Linux's `any` interface, with the interface's index.
  public static let linuxCooked2: UInt16 = 276
  /// DLT_RAW of most systems: raw IP.
  public static let dltRaw: UInt16 = 12
  /// DLT_RAW of OpenBSD: raw IP.
  public static let dltRawOpenBSD: UInt16 = 14

  /// PPP, with or without HDLC address and control.
  public static let ppp: UInt16 = 9
  /// PPP in HDLC framing, or Cisco's HDLC.
  public static let pppHDLC: UInt16 = 50
  /// PPPoE from its session header on, without Ethernet.
  public static let pppEther: UInt16 = 51
  /// Cisco's HDLC.
  public static let ciscoHDLC: UInt16 = 104
  /// PPP with a direction byte instead of the HDLC address.
  public static let pppDaemon: UInt16 = 166
  /// PPP after a direction byte.
  public static let pppWithDirection: UInt16 = 204
  /// IEEE 802.11.
  public static let wlan: UInt16 = 105
  /// IEEE 802.11 after a radiotap header.
  public static let radiotap: UInt16 = 127
  /// MPLS labels without a link layer.
  public static let mpls: UInt16 = 219
  /// Apple's PKTAP, for packets of any interface.
  public static let pktap: UInt16 = 258
  /// The number that macOS 10.9 wrote for `pktap`; it is free for private use (LINKTYPE_USER2).
  public static let user2: UInt16 = 149

  /// Bluetooth between a host and a controller: a packet type and a packet.
  public static let bluetoothH4: UInt16 = 187
  /// The same after a direction word.
  public static let bluetoothH4WithDirection: UInt16 = 201
  /// Bluetooth from Linux's monitor socket.
  public static let bluetoothMonitor: UInt16 = 254
  /// Bluetooth Low Energy in the air.
  public static let bluetoothLowEnergy: UInt16 = 251
  /// The same after radio metadata.
  public static let bluetoothLowEnergyWithRadio: UInt16 = 256

  /// Whether frames of this number are Bluetooth, which has links instead of flows over IP.
  @inline(__always)
  public static func isBluetooth(_ number: UInt16) -> Bool {
    number >= bluetoothH4
      && (number == bluetoothH4 || number == bluetoothH4WithDirection || number == bluetoothMonitor
        || number == bluetoothLowEnergy || number == bluetoothLowEnergyWithRadio)
  }

  /// Whether frames of this number can be dissected.
  public static func isKnown(_ number: UInt16) -> Bool {
    isBluetooth(number)
      || FrameDecoder.decode(RawSpan(), linkType: number, originalLength: 0) != .none(.unknownLinkType(number))
  }
}

import TelecapRecording

/// The content of a frame of a Bluetooth link type, without the frames before it.
enum BluetoothFrame: Equatable {
  /// A fragment of L2CAP on a link.
  case data(link: UInt32, LinkEnd?, Piece, Range<Int>)
  /// A link is up, with the addresses of its ends if the frame has them.
  case connected(link: UInt32, near: UInt64?, far: UInt64)
  /// A link is down.
  case disconnected(link: UInt32)
  /// The address of the controller.
  case controller(address: UInt64)
  /// A frame without a message: advertising, commands, events, empty packets.
  case other
  /// The frame ends inside its headers.
  case damaged(needed: Int, had: Int)

  /// The ends of a link: the host and the remote device in the traffic of a controller, the central and the peripheral
  /// in a capture of the air.
  enum LinkEnd: UInt8 {
    case near, far
  }

  /// The position of a fragment in its L2CAP packet, and the bit that identifies a retransmission.
  struct Piece: Equatable {
    /// Whether it is the first of a packet.
    var isFirst: Bool
    /// The sequence bit of a packet in the air, which a retransmission repeats; nil in the traffic of a controller.
    var sequence: Bool?
  }

  /// Reads a frame of LINKTYPE_ `linkType`.
  static func read(_ frame: RawSpan, linkType: UInt16) -> BluetoothFrame {
    switch linkType {
    case LinkType.bluetoothH4: h4(frame, at: 0, sent: nil)
    case LinkType.bluetoothH4WithDirection:
      frame.byteCount < 4 ? .damaged(needed: 4, had: frame.byteCount) : h4(frame, at: 4, sent: frame.big32(0) & 1 == 0)
    case LinkType.bluetoothMonitor: monitor(frame)
    case LinkType.bluetoothLowEnergy: air(frame, at: 0, flags: 0)
    case LinkType.bluetoothLowEnergyWithRadio:
      frame.byteCount < 10
        ? .damaged(needed: 10, had: frame.byteCount) : air(frame, at: 10, flags: frame.little16(8))
    default: .other
    }
  }

  // MARK: - Between host and controller (Vol 4, Part E, 5.4)

  /// Reads H4: a byte with the type of the packet (Vol 4, Part A, 2).
  private static func h4(_ frame: RawSpan, at start: Int, sent: Bool?) -> BluetoothFrame {
    guard frame.byteCount > start else { return .damaged(needed: start + 1, had: frame.byteCount) }
    switch frame.byte(start) {
    case 2: return acl(frame, at: start + 1, sent: sent)
    case 4: return event(frame, at: start + 1)
    default: return .other
    }
  }

  /// Reads the format of Linux's monitor socket: adapter and opcode
  /// (https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LINUX_MONITOR.html).
  private static func monitor(_ frame: RawSpan) -> BluetoothFrame {
    guard frame.byteCount >= 4 else { return .damaged(needed: 4, had: frame.byteCount) }
    switch frame.big16(2) {
    case 0: return frame.byteCount >= 12 ? .controller(address: frame.deviceAddress(6)) : .other
    case 3: return event(frame, at: 4)
    case 4: return acl(frame, at: 4, sent: true)
    case 5: return acl(frame, at: 4, sent: false)
    default: return .other
    }
  }

  /// Reads an ACL data packet. If its direction is unknown, its first fragment shows it: hosts start with 0,
  /// controllers with 2.
  private static func acl(_ frame: RawSpan, at start: Int, sent: Bool?) -> BluetoothFrame {
    guard frame.byteCount >= start + 4 else { return .damaged(needed: start + 4, had: frame.byteCount) }
    let head = frame.little16(start)
    let end = start + 4 + Int(frame.little16(start + 2))
    guard end <= frame.byteCount else { return .damaged(needed: end, had: frame.byteCount) }
    let boundary = head >> 12 & 3
    let piece = Piece(isFirst: boundary != 1, sequence: nil)
    let from: LinkEnd? = sent.map { $0 ? .near : .far } ?? (boundary == 0 ? .near : boundary == 2 ? .far : nil)
    return .data(link: UInt32(head & 0xfff), from, piece, start + 4..<end)
  }

  private static func event(_ frame: RawSpan, at start: Int) -> BluetoothFrame {
    guard frame.byteCount >= start + 2 else { return .damaged(needed: start + 2, had: frame.byteCount) }
    let at = start + 2
    let count = frame.byteCount - at
    switch frame.byte(start) {
    // Disconnection Complete (7.7.5).
    case 0x05 where count >= 3 && frame.byte(at) == 0:
      return .disconnected(link: UInt32(frame.little16(at + 1) & 0xfff))
    // LE Connection Complete, its enhanced version, and version 2 of that (7.7.65.1, .10, .41).
    case 0x3e where count >= 12 && [0x01, 0x0a, 0x29].contains(frame.byte(at)) && frame.byte(at + 1) == 0:
      return .connected(link: UInt32(frame.little16(at + 2) & 0xfff), near: nil, far: frame.deviceAddress(at + 6))
    default: return .other
    }
  }

  // MARK: - In the air (Vol 6, Part B, 2)

  /// The access address of advertising.
  private static let advertising: UInt32 = 0x8e89_bed6

  /// - Parameter flags: the flags before a packet, three bits of which identify the sender
  ///   (https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html); 0 without flags.
  private static func air(_ frame: RawSpan, at start: Int, flags: UInt16) -> BluetoothFrame {
    guard frame.byteCount >= start + 6 else { return .damaged(needed: start + 6, had: frame.byteCount) }
    let link = frame.little32(start)
    let (head, count) = (frame.byte(start + 4), Int(frame.byte(start + 5)))
    let at = start + 6
    guard at + count <= frame.byteCount else { return .damaged(needed: at + count, had: frame.byteCount) }
    if link == advertising {
      // CONNECT_IND (2.3.3.1): the initiator, the advertiser, and the access address of the new link.
      guard head & 15 == 5, count >= 16 else { return .other }
      return .connected(
        link: frame.little32(at + 12), near: frame.deviceAddress(at), far: frame.deviceAddress(at + 6))
    }
    let from: LinkEnd? =
      switch flags >> 7 & 7 {
      case 2: .near
      case 3: .far
      default: nil
      }
    guard head & 3 == 1 || head & 3 == 2 else { return .other }
    return .data(link: link, from, Piece(isFirst: head & 3 == 2, sequence: head & 8 != 0), at..<at + count)
  }
}

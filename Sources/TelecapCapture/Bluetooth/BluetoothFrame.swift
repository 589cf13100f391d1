import TelecapRecording

/// What a frame of a Bluetooth link type brings, without what came before it.
enum BluetoothFrame: Equatable {
  /// A piece of L2CAP over a link.
  case data(link: UInt32, LinkEnd?, Piece, Range<Int>)
  /// A link is up: the addresses of its ends, where the frame says them.
  case connected(link: UInt32, near: UInt64?, far: UInt64)
  /// A link is gone.
  case disconnected(link: UInt32)
  /// The controller has this address.
  case controller(address: UInt64)
  /// Something that carries no message: advertising, commands, events, empty packets.
  case other
  /// It ends before its headers do.
  case damaged(needed: Int, had: Int)

  /// The ends of a link: of a controller's traffic its own host and the device far away, of what was heard in the air the
  /// central and the peripheral.
  enum LinkEnd: UInt8 {
    case near, far
  }

  /// Which piece of an L2CAP packet it is, and what tells a repeated one.
  struct Piece: Equatable {
    /// It begins a packet.
    var isFirst: Bool
    /// The sequence bit of a packet in the air, which stays when it is sent again; nil from a controller.
    var sequence: Bool?
  }

  /// Reads a frame that begins as LINKTYPE_ `linkType` says.
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

  /// H4: a byte for the type of packet (Vol 4, Part A, 2).
  private static func h4(_ frame: RawSpan, at start: Int, sent: Bool?) -> BluetoothFrame {
    guard frame.byteCount > start else { return .damaged(needed: start + 1, had: frame.byteCount) }
    switch frame.byte(start) {
    case 2: return acl(frame, at: start + 1, sent: sent)
    case 4: return event(frame, at: start + 1)
    default: return .other
    }
  }

  /// The form of Linux's monitor socket: adapter and opcode (https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LINUX_MONITOR.html).
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

  /// An ACL data packet. Without a direction its first piece tells it: a host begins with 0, a controller with 2.
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
    // LE Connection Complete, its enhanced form and the second version of that (7.7.65.1, .10, .41).
    case 0x3e where count >= 12 && [0x01, 0x0a, 0x29].contains(frame.byte(at)) && frame.byte(at + 1) == 0:
      return .connected(link: UInt32(frame.little16(at + 2) & 0xfff), near: nil, far: frame.deviceAddress(at + 6))
    default: return .other
    }
  }

  // MARK: - In the air (Vol 6, Part B, 2)

  /// What is advertised has this access address.
  private static let advertising: UInt32 = 0x8e89_bed6

  /// - Parameter flags: those before a packet, of which three bits say who sent it
  ///   (https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html); 0 where there are none.
  private static func air(_ frame: RawSpan, at start: Int, flags: UInt16) -> BluetoothFrame {
    guard frame.byteCount >= start + 6 else { return .damaged(needed: start + 6, had: frame.byteCount) }
    let link = frame.little32(start)
    let (head, count) = (frame.byte(start + 4), Int(frame.byte(start + 5)))
    let at = start + 6
    guard at + count <= frame.byteCount else { return .damaged(needed: at + count, had: frame.byteCount) }
    if link == advertising {
      // CONNECT_IND (2.3.3.1): who asks, who is asked, and the access address of the link that begins.
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

import TelecapRecording

/// An ATT packet: those with values or types of attributes, and any other (Bluetooth Core Specification, Vol 3, Part F, 3.4).
enum AttributePacket {
  /// A client writes a value.
  case write(handle: UInt16, Range<Int>)
  /// A server notifies of a value, or indicates it if `isConfirmed`.
  case notification(handle: UInt16, Range<Int>, isConfirmed: Bool)
  /// A client writes a part of a value that is longer than a packet. It has effect once all parts are executed (3.4.6).
  case part(handle: UInt16, offset: Int, Range<Int>)
  /// The queued parts are written or discarded.
  case execute(isWritten: Bool)
  /// A server notifies of several values at once.
  case notifications([(handle: UInt16, value: Range<Int>)])
  /// A client requests the attributes of this type.
  case asksForTypes(BluetoothUUID?)
  /// A server answers with a handle and a value for each attribute.
  case types([(handle: UInt16, value: Range<Int>)])
  /// A server answers with the types of attributes.
  case information([(handle: UInt16, type: BluetoothUUID)])
  /// Any other packet.
  case other

  /// The channel of ATT on each link (Vol 3, Part A, 2.1).
  static let channel: UInt16 = 4

  static func read(_ bytes: RawSpan) -> AttributePacket {
    let count = bytes.byteCount
    guard count >= 1 else { return .other }
    switch bytes.byte(0) {
    // Write Request and Command; a signed one has a signature of 12 bytes after the value.
    case 0x12 where count >= 3, 0x52 where count >= 3: return .write(handle: bytes.little16(1), 3..<count)
    case 0xd2 where count >= 15: return .write(handle: bytes.little16(1), 3..<count - 12)
    case 0x16 where count >= 5:
      return .part(handle: bytes.little16(1), offset: Int(bytes.little16(3)), 5..<count)
    case 0x18 where count >= 2: return .execute(isWritten: bytes.byte(1) == 1)
    case 0x1b where count >= 3: return .notification(handle: bytes.little16(1), 3..<count, isConfirmed: false)
    case 0x1d where count >= 3: return .notification(handle: bytes.little16(1), 3..<count, isConfirmed: true)
    case 0x23: return .notifications(several(bytes))
    case 0x08 where count >= 7: return .asksForTypes(BluetoothUUID(bytes.extracting(5..<count)))
    case 0x09 where count >= 2: return .types(entries(bytes, each: Int(bytes.byte(1))))
    case 0x05 where count >= 2:
      let size = bytes.byte(1) == 1 ? 2 : bytes.byte(1) == 2 ? 16 : 0
      return .information(
        entries(bytes, each: size > 0 ? 2 + size : 0).compactMap { entry in
          BluetoothUUID(bytes.extracting(entry.value)).map { (entry.handle, $0) }
        })
    default: return .other
    }
  }

  /// Entries of one size, each a handle and a value.
  private static func entries(_ bytes: RawSpan, each size: Int) -> [(handle: UInt16, value: Range<Int>)] {
    guard size >= 2 else { return [] }
    return stride(from: 2, through: bytes.byteCount - size, by: size).map { (bytes.little16($0), $0 + 2..<$0 + size) }
  }

  /// Multiple Handle Value Notification (3.4.7.4): each a handle, a length and a value.
  private static func several(_ bytes: RawSpan) -> [(handle: UInt16, value: Range<Int>)] {
    var found: [(handle: UInt16, value: Range<Int>)] = []
    var at = 1
    while at + 4 <= bytes.byteCount {
      let end = at + 4 + Int(bytes.little16(at + 2))
      guard end <= bytes.byteCount else { break }
      found.append((bytes.little16(at), at + 4..<end))
      at = end
    }
    return found
  }
}

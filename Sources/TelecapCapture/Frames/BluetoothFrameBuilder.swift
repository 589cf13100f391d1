import TelecapRecording
import TelecapWire

/// Makes frames of Bluetooth Low Energy between a host and its controller (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR): links,
/// the discovery of the characteristics of a protocol version, and their values. The host is the GATT client.
public struct BluetoothFrameBuilder: Sendable {
  /// The link type of the frames.
  public static let linkType = LinkType.bluetoothH4WithDirection
  /// The number of L2CAP bytes in a packet of a controller without the data length extension (Bluetooth Core
  /// Specification, Vol 6, Part B, 4.5.10).
  private static let mostInPiece = 27
  /// The first handle: a declaration and its value have one each.
  private static let firstHandle: UInt16 = 0x0010

  private let dialect: Dialect

  /// A builder for messages of this protocol version.
  public init(_ dialect: Dialect) { self.dialect = dialect }

  /// The frames that open a link: the connection event, and the client's discovery of each characteristic.
  public func opening(link: UInt16, to server: IPAddress) -> [[UInt8]] {
    let address = (0..<6).map { UInt8(truncatingIfNeeded: server.low >> UInt64(8 * $0)) }
    // Interval 30 ms, latency 0, timeout 3 s.
    let connected = [0x01, 0] + little(link) + [0, 0] + address + [24, 0, 0, 0, 0x2c, 1, 0]
    var frames = [event(0x3e, connected)]
    for (place, characteristic) in dialect.characteristics.enumerated() {
      let handle = declaration(place)
      frames += packet(link, isFromClient: true, [0x08] + little(handle) + [0xff, 0xff] + little(0x2803))
      let uuid = Hex.bytes(characteristic.uuid.replacing("-", with: "")) ?? []
      let entry = little(handle) + [properties(characteristic)] + little(handle + 1) + uuid.reversed()
      frames += packet(link, isFromClient: false, [0x09, UInt8(entry.count)] + entry)
    }
    return frames
  }

  /// The frame that closes a link: the remote side disconnected.
  public func closing(link: UInt16) -> [UInt8] { event(0x05, [0] + little(link) + [0x13]) }

  /// The frames of a value: a client's write without response, or a server's notification. Bytes that are not a message
  /// of the protocol version are a value of its first characteristic with this direction.
  public func value(_ bytes: [UInt8], link: UInt16, isFromClient: Bool) -> [[UInt8]] {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes.span.bytes, as: dialect, findings: &findings)
    let fitting = dialect.characteristics.firstIndex { $0.message == kind.name }
    let other = dialect.characteristics.firstIndex { isWritten($0) == isFromClient }
    let handle = declaration(fitting ?? other ?? 0) + 1
    return packet(link, isFromClient: isFromClient, [isFromClient ? 0x52 : 0x1b] + little(handle) + bytes)
  }

  private func declaration(_ place: Int) -> UInt16 { Self.firstHandle + 2 * UInt16(place) }

  private func isWritten(_ characteristic: Characteristic) -> Bool {
    dialect.owner[characteristic.message]?.layoutDirection == .clientToServer
  }

  /// The properties: write with and without response, or notify (Vol 3, Part G, 3.3.1.1).
  private func properties(_ characteristic: Characteristic) -> UInt8 { isWritten(characteristic) ? 0x0c : 0x10 }

  /// An ATT packet in as many fragments as it needs.
  private func packet(_ link: UInt16, isFromClient: Bool, _ attribute: [UInt8]) -> [[UInt8]] {
    var rest = (little(UInt16(attribute.count)) + little(AttributePacket.channel) + attribute)[...]
    var frames: [[UInt8]] = []
    while !rest.isEmpty {
      let piece = rest.prefix(Self.mostInPiece)
      rest = rest.dropFirst(piece.count)
      let boundary: UInt16 = !frames.isEmpty ? 1 : isFromClient ? 0 : 2
      frames.append(
        [0, 0, 0, isFromClient ? 0 : 1, 2] + little(link & 0xfff | boundary << 12) + little(UInt16(piece.count)) + piece
      )
    }
    return frames
  }

  private func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [0, 0, 0, 1, 4, code, UInt8(parameters.count)] + parameters
  }

  private func little(_ number: UInt16) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
}

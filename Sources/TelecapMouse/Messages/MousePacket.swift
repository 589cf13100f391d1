import TelecapRecording
import TelecapWire

/// A mouse's packet over WiFi: movement over UDP, control over TCP, with the same five bytes (Core Connectivity Layer,
/// WiFi Packet Format; mouse.md, WiFi packet).
public enum MousePacket: MessageTable {
  public static var kinds: [MessageKind] { [.mouseMovement, .mouseControl] }
  public struct Fields: Sendable {
    public let header = Field<UInt8, MousePacket>(
      "header", at: 0, .any, shown: .hexadecimal, "0xAA movement, 0xBB control")
    public let buttons = Field<UInt8, MousePacket>(
      "buttons", at: 1, .bits(7), shown: .bits(MouseButtons.names), "bit 0 left, 1 right, 2 middle")
    public let deltaX = Field<Int8, MousePacket>(
      "delta_x", at: 2, unit: "counts", .range(-127...127), breach: .minus128, "+ right")
    public let deltaY = Field<Int8, MousePacket>(
      "delta_y", at: 3, unit: "counts", .range(-127...127), breach: .minus128, "+ down")
    public let scroll = Field<Int8, MousePacket>(
      "scroll", at: 4, unit: "counts", .range(-127...127), breach: .minus128, "+ up")
  }
  public static let fields = Fields()
  public static let movement = Layout(
    "MOVEMENT", table: "mouse_movement", code: UInt64(movementHeader), fields, "the mouse moved", from: .clientToServer,
    over: ["wifi"], usually: .udp,
    source: "Core Connectivity Layer, WiFi Packet Format (5 bytes)")
  public static let control = Layout(
    "CONTROL", table: "mouse_control", code: UInt64(controlHeader), fields, "a button changed", from: .clientToServer,
    over: ["wifi"], usually: .tcp,
    source: "Core Connectivity Layer, WiFi Packet Format (5 bytes)")

  public static let size = 5
  public static let movementHeader: UInt8 = 0xAA
  public static let controlHeader: UInt8 = 0xBB
}

/// The bits of the button bitmap.
enum MouseButtons {
  /// Their names, bit 0 first.
  static let names = ["left", "right", "middle"]
}

/// A payload on a mouse port that is not a mouse packet, stored unchanged.
public enum MouseMalformed {
  public struct Fields: Sendable {
    public let body = TextField("body", at: 0, .rest)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "MALFORMED", table: "mouse_malformed", fields, "no mouse packet", from: .unknown, over: [],
    source: "Core Connectivity Layer, WiFi Packet Format (5 bytes)")
}

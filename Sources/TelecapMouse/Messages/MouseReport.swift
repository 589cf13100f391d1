import TelecapRecording
import TelecapWire

/// A mouse's HID report over Bluetooth (Core Connectivity Layer, HID Report Format; mouse.md, HID report).
/// Neither delta is aligned.
public enum MouseReport: MessageTable {
  public static var kinds: [MessageKind] { [.mouseHID, .mouseHIDShort] }
  public struct Fields: Sendable {
    public let buttons = Field<UInt8, MouseReport>(
      "buttons", at: 0, .bits(7), shown: .bits(MouseButtons.names), "bit 0 left, 1 right, 2 middle")
    public let deltaX = Field<Int16, MouseReport>("delta_x", at: 1, unit: "counts", .any, "+ right")
    public let deltaY = Field<Int16, MouseReport>("delta_y", at: 3, unit: "counts", .any, "+ down")
    public let scroll = Field<Int8, MouseReport>(
      "scroll", at: 5, unit: "counts", .range(-127...127), breach: .minus128, "+ up")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "REPORT", table: "mouse_hid", fields, "the mouse's HID report", from: .clientToServer, over: ["hid"],
    source: "Core Connectivity Layer, HID Report Format (6 bytes)")

  /// The form that deployed code sends if scroll is 0: the same fields without the last.
  public struct ShortFields: Sendable {
    public let buttons = MouseReport.fields.buttons
    public let deltaX = MouseReport.fields.deltaX
    public let deltaY = MouseReport.fields.deltaY
  }
  public static let short = Layout(
    "REPORT", table: "mouse_hid", ShortFields(), "the mouse's HID report, its scroll left off", from: .clientToServer,
    over: ["hid"], source: "mouse.md, HID report: the 5-byte form")

  public static let service = "12345678-1234-1234-1234-123456789ABC"
  public static let characteristic = "12345678-1234-1234-1234-123456789ABD"
}

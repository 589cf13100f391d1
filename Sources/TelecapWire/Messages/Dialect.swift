/// How messages are carried, which decides how some of them look (tele.md, Transports; mouse.md).
public enum Dialect: UInt8, Sendable, CaseIterable {
  /// TELE udp-v1: one message a datagram.
  case teleUDP
  /// TELE tcp-v1: each message behind its uint16 length (the length is not part of the message).
  case teleTCP
  /// TELE over Bluetooth: one message a write or notification.
  case teleBLE
  /// Mouse packets of five bytes, over UDP and TCP.
  case mouse
  /// Mouse HID reports of six bytes (or five), over Bluetooth.
  case mouseHID

  /// The protocol's name in captures and JSON: `tele` or `mouse`.
  public var protocolName: String {
    switch self {
    case .teleUDP, .teleTCP, .teleBLE: "tele"
    case .mouse, .mouseHID: "mouse"
    }
  }

  /// What messages of this dialect travel over: `UDP`, `TCP`, `Bluetooth`, `WiFi`.
  public var transport: String {
    switch self {
    case .teleUDP: "UDP"
    case .teleTCP: "TCP"
    case .teleBLE, .mouseHID: "Bluetooth"
    case .mouse: "WiFi"
    }
  }

  /// The dialect's name: `udp-v1`, `tcp-v1`, `ble`, `wifi`, `hid`.
  public var name: String {
    switch self {
    case .teleUDP: "udp-v1"
    case .teleTCP: "tcp-v1"
    case .teleBLE: "ble"
    case .mouse: "wifi"
    case .mouseHID: "hid"
    }
  }
}

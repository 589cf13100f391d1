import TelecapRecording
import TelecapWire

/// The host's keepalive over Bluetooth, at 2 Hz (tele.md, Messages and Transports).
public enum Heartbeat: MessageTable {
  public static var kinds: [MessageKind] { [.heartbeat] }
  public struct Fields: Sendable {
    public let counter = Field<UInt32, Heartbeat>("counter", at: 6, .any, "wraps")
    public let uptime = Field<UInt32, Heartbeat>("uptime_ms", at: 10, unit: "ms")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "HEARTBEAT", table: "tele_heartbeat", code: 6, header: Header.fields, fields, "the host's sign of life",
    from: .serverToClient, over: ["ble"], source: "TELE, Messages: HEARTBEAT")
}

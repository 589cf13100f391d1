// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// The host's sign of life over Bluetooth, at 2 Hz (tele.md, Messages and Transports).
public enum Heartbeat {
  public struct Fields: Sendable {
    public let counter = Field<UInt32>("counter", at: 6, .any, "wraps")
    public let uptime = Field<UInt32>("uptime_ms", at: 10, unit: "ms")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "HEARTBEAT", table: "tele_heartbeat", header: Header.fields, fields, "the host's sign of life",
    from: .hostToPhone, over: [.teleBLE], source: "TELE, Messages: HEARTBEAT")
}

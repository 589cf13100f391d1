import TelecapRecording
import TelecapWire

/// The strength of the phone's vibration, about 20 times a second (Haptic Feedback API, HAPTIC Message; tele.md,
/// Messages). The float is not aligned.
public enum Haptic: MessageTable {
  public static var kinds: [MessageKind] { [.haptic] }
  public struct Fields: Sendable {
    public let intensity = Field<Float, Haptic>("intensity", at: 6, .range(0...1), "0 off, 1 full strength")
    public let channel = Field<UInt8, Haptic>("channel", at: 10, .reserved, "for several motors, some day")
    public let reserved = Field<UInt8, Haptic>("reserved", at: 11, .reserved)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "HAPTIC", table: "tele_haptic", code: 7, header: Header.fields, fields, "how strongly the phone is to vibrate",
    from: .serverToClient, over: ["udp-v1", "tcp-v1", "ble"], source: "Haptic Feedback API, HAPTIC Message (12 bytes)")
}

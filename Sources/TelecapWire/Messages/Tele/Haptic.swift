// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// How strongly the phone is to vibrate, about 20 times a second (Haptic Feedback API, HAPTIC Message; tele.md, Messages).
/// The float is not aligned.
public enum Haptic {
  public struct Fields: Sendable {
    public let intensity = Field<Float>("intensity", at: 6, .range(0...1), "0 off, 1 full strength")
    public let channel = Field<UInt8>("channel", at: 10, .reserved, "for several motors, some day")
    public let reserved = Field<UInt8>("reserved", at: 11, .reserved)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "HAPTIC", table: "tele_haptic", header: Header.fields, fields, "how strongly the phone is to vibrate",
    from: .hostToPhone, over: [.teleUDP, .teleTCP, .teleBLE], source: "Haptic Feedback API, HAPTIC Message (12 bytes)")
}

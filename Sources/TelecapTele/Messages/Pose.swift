import TelecapRecording
import TelecapWire

/// The pose of the phone, up to 60 times a second (tele.md, Messages).
public enum Pose: MessageTable {
  public static var kinds: [MessageKind] { [.pose] }
  public struct Fields: Sendable {
    public let seq = Field<UInt16, Pose>("seq", at: 6, .any, "wraps")
    public let timestamp = Field<UInt64, Pose>("timestamp_us", at: 8, unit: "µs", .any, "since the session began")
    public let flags = Field<UInt8, Pose>("flags", at: 16, .bits(1), "bit 0 movement_start")
    public let reserved = Field<UInt8, Pose>("reserved", at: 17, .reserved)
    public let x = Field<Float, Pose>("x", at: 18, unit: "m", .finite)
    public let y = Field<Float, Pose>("y", at: 22, unit: "m", .finite)
    public let z = Field<Float, Pose>("z", at: 26, unit: "m", .finite)
    public let qx = Field<Float, Pose>("qx", at: 30, .finite)
    public let qy = Field<Float, Pose>("qy", at: 34, .finite)
    public let qz = Field<Float, Pose>("qz", at: 38, .finite)
    public let qw = Field<Float, Pose>("qw", at: 42, .finite)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "POSE", table: "tele_pose", code: 3, header: Header.fields, fields, "where the phone is and how it is turned",
    from: .clientToServer, over: ["udp-v1", "tcp-v1", "ble"], unitQuaternion: ["qx", "qy", "qz", "qw"],
    source: "TELE, Messages: POSE")

  /// The bit of `flags` for the start of a movement.
  public static let movementStart: UInt8 = 1
}

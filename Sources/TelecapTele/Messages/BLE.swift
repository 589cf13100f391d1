import TelecapRecording
import TelecapWire

/// The value of the Bluetooth auth characteristic: the code alone, without a header (tele.md, Transports).
public enum BLEAuth: MessageTable {
  public static var kinds: [MessageKind] { [.bleAuth] }
  public struct Fields: Sendable {
    public let code = TextField("code", at: 0, .text(6), .pairingCode, "what the host shows on its screen")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "AUTH", table: "ble_auth", fields, "the pairing code over Bluetooth", from: .clientToServer, over: ["ble"],
    source: "TELE, Transports: BLE")
}

/// The characteristics of the TELE Bluetooth service; they differ in the last hexadecimal digit (tele.md, Transports).
public enum BLECharacteristic: UInt8, Sendable, CaseIterable {
  case auth = 0x63
  case pose = 0x64
  case heartbeat = 0x65
  case command = 0x66
  case haptic = 0x67
  case config = 0x68

  /// The service's UUID.
  public static let service = "1C8FD138-FC18-4846-954D-E509366AEF61"

  /// The characteristic's UUID.
  public var uuid: String { BLECharacteristic.service.dropLast(2) + Hex.text([rawValue]).uppercased() }

  /// The table of its message.
  var layout: Layout {
    switch self {
    case .auth: BLEAuth.layout
    case .pose: Pose.layout
    case .heartbeat: Heartbeat.layout
    case .command: Cmd.layout
    case .haptic: Haptic.layout
    case .config: Config.layout
    }
  }

  /// The kind of its message.
  public var kind: MessageKind { Tele.wire.kind(layout) }
}

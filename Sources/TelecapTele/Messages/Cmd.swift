import TelecapRecording
import TelecapWire

/// A command of the phone's user (tele.md, Messages).
public enum Cmd: MessageTable {
  public static var kinds: [MessageKind] { [.cmd] }
  public struct Fields: Sendable {
    public let type = Field<UInt8, Cmd>("cmd_type", at: 6, .codes([Code(1, "RECORDING"), Code(2, "KEEP_RECORDING")]))
    public let value = Field<UInt8, Cmd>("value", at: 7, .range(0...1))
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "CMD", table: "tele_cmd", code: 5, header: Header.fields, fields, "a command of the phone's user",
    from: .clientToServer, over: ["udp-v1", "tcp-v1", "ble"], source: "TELE, Messages: CMD")

  public static let recording: UInt8 = 1
  public static let keepRecording: UInt8 = 2
}

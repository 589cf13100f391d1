import TelecapRecording
import TelecapWire

/// The phone's request for a session, repeated at 1 Hz or faster as its keepalive (tele.md, Messages and Session rules
/// 1–4).
public enum Hello: MessageTable {
  public static var kinds: [MessageKind] { [.hello] }
  public struct Fields: Sendable {
    public let sessionID = Field<UInt32, Hello>("session_id", at: 6, .any, "random for each connection")
    public let code = TextField("code", at: 10, .text(6), .pairingCode, "what the host shows on its screen")
    public let reserved = Field<UInt16, Hello>("reserved", at: 16, .reserved)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "HELLO", table: "tele_hello", code: 1, header: Header.fields, fields,
    "the phone asks for a session or keeps it alive",
    from: .clientToServer, over: ["udp-v1", "tcp-v1"], source: "TELE, Messages: HELLO")
}

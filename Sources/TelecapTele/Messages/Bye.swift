import TelecapRecording
import TelecapWire

/// The end of a session (tele.md, Messages and Session rule 6).
public enum Bye: MessageTable {
  public static var kinds: [MessageKind] { [.bye] }
  public struct Fields: Sendable {
    public let sessionID = Field<UInt32, Bye>("session_id", at: 6, .any, "only the session's own id closes it")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "BYE", table: "tele_bye", code: 4, header: Header.fields, fields, "the end of a session",
    from: .clientToServer, over: ["udp-v1", "tcp-v1"], returnsOver: .tcp,
    source: "TELE, Messages: BYE")
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// The end of a session (tele.md, Messages and Session rule 6).
public enum Bye {
  public struct Fields: Sendable {
    public let sessionID = Field<UInt32>("session_id", at: 6, .any, "only the session's own id closes it")
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "BYE", table: "tele_bye", header: Header.fields, fields, "the end of a session",
    from: .phoneToHost, over: [.teleUDP, .teleTCP], source: "TELE, Messages: BYE")
}

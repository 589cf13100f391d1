// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// A command of the phone's user (tele.md, Messages).
public enum Cmd {
  public struct Fields: Sendable {
    public let type = Field<UInt8>("cmd_type", at: 6, .codes([Code(1, "RECORDING"), Code(2, "KEEP_RECORDING")]))
    public let value = Field<UInt8>("value", at: 7, .range(0...1))
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "CMD", table: "tele_cmd", header: Header.fields, fields, "a command of the phone's user",
    from: .phoneToHost, over: [.teleUDP, .teleTCP, .teleBLE], source: "TELE, Messages: CMD")

  public static let recording: UInt8 = 1
  public static let keepRecording: UInt8 = 2
}

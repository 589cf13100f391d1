// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// The host's settings for the phone (tele.md, Messages).
public enum Config {
  private static let lengthOfText = Field<UInt16>("config_len", at: 6, unit: "bytes")
  public struct Fields: Sendable {
    public let length = Config.lengthOfText
    public let config = TextField("config", at: 8, .variableText, .jsonObject, lengthIn: Config.lengthOfText.row)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "CONFIG", table: "tele_config", header: Header.fields, fields, "the host's settings for the phone",
    from: .hostToPhone, over: [.teleTCP, .teleBLE], source: "TELE, Messages: CONFIG")

  /// The longest JSON that one tcp-v1 frame carries: its 16-bit length counts header and config_len too
  /// (tele.md, Where the published texts disagree).
  public static let longestJSON = 65_535 - 8
}

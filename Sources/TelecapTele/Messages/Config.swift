import TelecapRecording
import TelecapWire

/// The host's settings for the phone (tele.md, Messages).
public enum Config: MessageTable {
  public static var kinds: [MessageKind] { [.config] }
  private static let lengthOfText = Field<UInt16, Config>("config_len", at: 6, unit: "bytes")
  public struct Fields: Sendable {
    public let length = Config.lengthOfText
    public let config = TextField("config", at: 8, .variableText, .jsonObject, lengthIn: Config.lengthOfText.row)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "CONFIG", table: "tele_config", code: 9, header: Header.fields, fields, "the host's settings for the phone",
    from: .serverToClient, over: ["tcp-v1", "ble"], source: "TELE, Messages: CONFIG")

  /// The maximum length of the JSON in one tcp-v1 frame, whose 16-bit length also counts header and config_len
  /// (tele.md, Where the published texts disagree).
  public static let longestJSON = 65_535 - 8
}

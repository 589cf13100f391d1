import TelecapRecording
import TelecapWire

/// The advertisement of a tcp-v1 host, every 500 ms (tele.md, Messages and Transports).
public enum Beacon: MessageTable {
  public static var kinds: [MessageKind] { [.beacon] }
  private static let lengthOfText = Field<UInt8, Beacon>("name_len", at: 8, unit: "bytes", .range(1...20))
  public struct Fields: Sendable {
    public let tcpPort = Field<UInt16, Beacon>("tcp_port", at: 6)
    public let nameLength = Beacon.lengthOfText
    public let reserved = Field<UInt8, Beacon>("reserved", at: 9, .reserved)
    public let name = TextField("name", at: 10, .variableText, .beaconName, lengthIn: Beacon.lengthOfText.row)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "BEACON", table: "tele_beacon", code: 8, header: Header.fields, fields, "a host makes itself known",
    from: .serverToClient, over: ["udp-v1"], source: "TELE, Messages: BEACON")
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each row of a table documents itself.

import TelecapRecording

/// A tcp-v1 host makes itself known, every 500 ms (tele.md, Messages and Transports).
public enum Beacon {
  private static let lengthOfText = Field<UInt8>("name_len", at: 8, unit: "bytes", .range(1...20))
  public struct Fields: Sendable {
    public let tcpPort = Field<UInt16>("tcp_port", at: 6)
    public let nameLength = Beacon.lengthOfText
    public let reserved = Field<UInt8>("reserved", at: 9, .reserved)
    public let name = TextField("name", at: 10, .variableText, .beaconName, lengthIn: Beacon.lengthOfText.row)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "BEACON", table: "tele_beacon", header: Header.fields, fields, "a host makes itself known",
    from: .hostToPhone, over: [.teleUDP], source: "TELE, Messages: BEACON")
}

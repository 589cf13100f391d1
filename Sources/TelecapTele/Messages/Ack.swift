import TelecapRecording
import TelecapWire

/// The host's answer to every HELLO, in udp-v1 (tele.md, Messages).
public enum Ack: MessageTable {
  public static var kinds: [MessageKind] { [.ack] }
  public struct Fields: Sendable {
    public let status = Field<UInt8, Ack>("status", at: 6, .codes(AckStatus.codes))
    public let reserved = Field<UInt8, Ack>("reserved", at: 7, .reserved)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "ACK", table: "tele_ack", code: 2, header: Header.fields, fields, "the host's answer to a HELLO",
    from: .serverToClient, over: ["udp-v1"], source: "TELE, Messages: ACK udp-v1")
}

/// The host's answer to a HELLO in tcp-v1, four bytes longer (tele.md, Messages).
public enum AckTCP: MessageTable {
  public static var kinds: [MessageKind] { [.ackTCP] }
  public struct Fields: Sendable {
    public let status = Field<UInt8, AckTCP>("status", at: 6, .codes(AckStatus.codes))
    public let reserved = Field<UInt8, AckTCP>("reserved", at: 7, .reserved)
    public let minVersion = Field<UInt8, AckTCP>("min_version", at: 8)
    public let maxVersion = Field<UInt8, AckTCP>("max_version", at: 9)
    public let reserved2 = Field<UInt16, AckTCP>("reserved2", at: 10, .reserved)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "ACK", table: "tele_ack", code: 2, header: Header.fields, fields, "the host's answer to a HELLO, with its versions",
    from: .serverToClient, over: ["tcp-v1"], source: "TELE, Messages: ACK tcp-v1")
}

/// The status of an ACK; an unknown status is a value too.
public struct AckStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let ok = AckStatus(rawValue: 0)
  public static let badCode = AckStatus(rawValue: 1)
  public static let busy = AckStatus(rawValue: 2)
  public static let versionUnsupported = AckStatus(rawValue: 3)

  static let codes = [
    Code(0, "OK"), Code(1, "BAD_CODE"), Code(2, "BUSY"), Code(3, "VERSION_UNSUPPORTED"),
  ]

  /// `OK`, `BUSY`, … or the number.
  public var name: String { AckStatus.codes.first { $0.value == rawValue }?.name ?? "\(rawValue)" }
}

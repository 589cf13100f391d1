import TelecapWire

/// The six bytes that every TELE message begins with (tele.md, Common header).
public enum Header {
  public struct Fields: Sendable {
    public let magic = TextField("magic", at: 0, .text(4), .equal(UInt64(Header.magic)), "TELE")
    public let type = Field<UInt8, Header>("msg_type", at: 4)
    public let version = Field<UInt8, Header>("version", at: 5, .equal(1))
  }
  public static let fields = Fields()

  /// `TELE` as a little-endian number.
  public static let magic: UInt32 = 0x454c_4554
  /// The one version there is.
  public static let version: UInt8 = 1
  /// Bytes of the header.
  public static let size = 6
}

import TelecapWire

/// The first six bytes of every TELE message (tele.md, Common header).
public enum Header {
  public struct Fields: Sendable {
    public let magic = TextField("magic", at: 0, .text(4), .equal(UInt64(Header.magic)), "TELE")
    public let type = Field<UInt8, Header>("msg_type", at: 4)
    public let version = Field<UInt8, Header>("version", at: 5, .equal(1))
  }
  public static let fields = Fields()

  /// `TELE` as a little-endian number.
  public static let magic: UInt32 = 0x454c_4554
  /// The only version.
  public static let version: UInt8 = 1
  /// The number of bytes of the header.
  public static let size = 6
}

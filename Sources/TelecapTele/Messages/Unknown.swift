import TelecapRecording
import TelecapWire

/// A TELE message of an unknown type, stored unchanged.
public enum TeleUnknown {
  public struct Fields: Sendable {
    public let body = TextField("body", at: 6, .rest)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "UNKNOWN", table: "tele_unknown", header: Header.fields, fields, "a type that nobody defined",
    from: .unknown, over: [], source: "TELE, Common header")
}

/// A payload on a TELE port without a TELE header, stored unchanged.
public enum TeleMalformed {
  public struct Fields: Sendable {
    public let body = TextField("body", at: 0, .rest)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "MALFORMED", table: "tele_malformed", fields, "no TELE message", from: .unknown, over: [],
    source: "TELE, Common header")
}

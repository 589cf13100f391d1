import TelecapRecording
import TelecapWire

/// A TELE message of a type that nobody defined: kept as it is.
public enum TeleUnknown {
  public struct Fields: Sendable {
    public let body = TextField("body", at: 6, .rest)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "UNKNOWN", table: "tele_unknown", header: Header.fields, fields, "a type that nobody defined",
    from: .unknown, over: [], source: "TELE, Common header")
}

/// A payload on a TELE port that has no TELE header: kept as it is.
public enum TeleMalformed {
  public struct Fields: Sendable {
    public let body = TextField("body", at: 0, .rest)
  }
  public static let fields = Fields()
  public static let layout = Layout(
    "MALFORMED", table: "tele_malformed", fields, "no TELE message", from: .unknown, over: [],
    source: "TELE, Common header")
}

/// Which way a message travels (tele.md, Messages: the host is the PC, the phone is the mobile app; a mouse is a phone).
public enum Direction: UInt8, Sendable, CaseIterable {
  /// Neither end is known to be the host.
  case unknown = 0
  /// From the phone or mouse to the host.
  case phoneToHost = 1
  /// From the host to the phone.
  case hostToPhone = 2

  /// The word in captures and JSON: `unknown`, `phone-to-host`, `host-to-phone`.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .phoneToHost: "phone-to-host"
    case .hostToPhone: "host-to-phone"
    }
  }

  /// The other way; unknown stays unknown.
  public var reversed: Direction {
    switch self {
    case .unknown: .unknown
    case .phoneToHost: .hostToPhone
    case .hostToPhone: .phoneToHost
    }
  }
}

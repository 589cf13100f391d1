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

/// A part that a program plays: as a simulated peer, as the sender in a replay, as a system under test.
public enum Role: String, Sendable, CaseIterable {
  /// The robot's PC: answers HELLO, receives poses, sends haptics.
  case host
  /// The mobile app: sends HELLO and poses, plays haptics.
  case phone
  /// The phone as a computer mouse: sends movement and clicks.
  case mouse
  /// The computer whose pointer the mouse moves.
  case mouseHost = "mouse-host"

  /// Who receives what this one sends.
  public var receiver: Role {
    switch self {
    case .phone: .host
    case .host: .phone
    case .mouse: .mouseHost
    case .mouseHost: .mouse
    }
  }
}

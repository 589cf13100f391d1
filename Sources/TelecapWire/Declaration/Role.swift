import TelecapRecording

/// Which end of a wire a program is.
public enum Side: String, Hashable, Sendable, CaseIterable {
  /// It listens.
  case host
  /// It speaks first.
  case client

  /// The one at the other end.
  public var other: Side { self == .host ? .client : .host }
  /// The direction of what it sends.
  public var direction: Direction { self == .host ? .serverToClient : .clientToServer }
}

/// A part that a program plays on the wire: one side of a protocol, as a simulated peer, as the sender in a replay, as a
/// system under test. Two of one name are the same.
public struct Role: Sendable, CustomStringConvertible {
  /// Its protocol.
  public let owner: WireProtocol
  /// Which end it is.
  public let side: Side

  /// A side of a protocol.
  public init(_ owner: WireProtocol, _ side: Side) {
    self.owner = owner
    self.side = side
  }

  /// The sender of messages of this protocol version in this direction; nil if unknown.
  public init?(sending direction: Direction, _ dialect: Dialect) {
    switch direction {
    case .clientToServer: self.init(dialect.owner, .client)
    case .serverToClient: self.init(dialect.owner, .host)
    case .unknown: return nil
    }
  }

  /// Its name, such as `mouse-host`.
  public var name: String { side == .host ? owner.sideNames.host : owner.sideNames.client }

  public var description: String { name }

  /// The receiver of its messages.
  public var receiver: Role { Role(owner, side.other) }

  /// The protocol has messages that it sends.
  public var sends: Bool {
    owner.messages.contains { $0.layoutDirection == side.direction }
  }

  /// The sides of these protocols: all that speak first, then all that listen.
  public static func all(of protocols: [WireProtocol]) -> [Role] {
    protocols.map { Role($0, .client) } + protocols.map { Role($0, .host) }
  }
}

extension Role: Hashable {
  public static func == (left: Role, right: Role) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

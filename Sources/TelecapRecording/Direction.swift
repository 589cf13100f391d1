/// Which way a message travels. The server is the side that others ask or send to, whatever a protocol calls it: TELE's host, and
/// a computer that a phone is the mouse of.
public enum Direction: UInt8, Sendable, CaseIterable {
  /// Neither side is known to be the server.
  case unknown = 0
  /// From the client to the server.
  case clientToServer = 1
  /// From the server to the client.
  case serverToClient = 2

  /// The word in captures and JSON: `unknown`, `client-to-server`, `server-to-client`.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .clientToServer: "client-to-server"
    case .serverToClient: "server-to-client"
    }
  }

  /// The other way; unknown stays unknown.
  public var reversed: Direction {
    switch self {
    case .unknown: .unknown
    case .clientToServer: .serverToClient
    case .serverToClient: .clientToServer
    }
  }
}

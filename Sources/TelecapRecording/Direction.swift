/// The direction of a message. The server is the side to which others send requests, whatever its protocol calls it:
/// TELE's host, or the computer of a phone that is a mouse.
public enum Direction: UInt8, Sendable, CaseIterable {
  /// It is unknown which side is the server.
  case unknown = 0
  /// From the client to the server.
  case clientToServer = 1
  /// From the server to the client.
  case serverToClient = 2

  /// The name in captures and JSON: `unknown`, `client-to-server`, `server-to-client`.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .clientToServer: "client-to-server"
    case .serverToClient: "server-to-client"
    }
  }

  /// The opposite direction; unknown stays unknown.
  public var reversed: Direction {
    switch self {
    case .unknown: .unknown
    case .clientToServer: .serverToClient
    case .serverToClient: .clientToServer
    }
  }
}

import NIOCore
import TelecapRecording

extension SocketAddress {
  /// NIO's form of an endpoint. Numbers only: no name is looked up.
  init(_ endpoint: Endpoint) throws {
    try self.init(ipAddress: endpoint.address.description, port: Int(endpoint.port))
  }
}

extension Endpoint {
  /// The endpoint that NIO speaks of; nil for a Unix socket.
  init?(_ address: SocketAddress) {
    guard let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
    // A link-local IPv6 address may carry a scope, which an Endpoint has no room for.
    guard let ip = IPAddress(String(text.prefix { $0 != "%" })) else { return nil }
    self.init(ip, port: port)
  }
}

import NIOCore
import TelecapRecording

extension SocketAddress {
  /// NIO's form of an endpoint. Without DNS: the address is numeric.
  init(_ endpoint: Endpoint) throws {
    try self.init(ipAddress: endpoint.address.description, port: Int(endpoint.port))
  }
}

extension Endpoint {
  /// The endpoint of NIO's address; nil for a Unix socket.
  init?(_ address: SocketAddress) {
    guard let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
    // A link-local IPv6 address may have a scope, which an Endpoint cannot store.
    guard let ip = IPAddress(String(text.prefix { $0 != "%" })) else { return nil }
    self.init(ip, port: port)
  }
}

import CSockets
import TelecapRecording

/// The socket of a lane. The sender that owns it closes it.
struct LaneSocket {
  let descriptor: Int32
  let flow: Flow
  /// The destination of each datagram; nil when the socket is connected.
  let sendTo: telecap_endpoint?
  /// The number of replies dropped because the socket's buffer was full, where the kernel counts them.
  var dropped: UInt32 = 0

  init(to destination: Endpoint, from local: Endpoint?, connected: Bool) throws(SocketError) {
    var remote = destination.raw
    var bound = (local ?? Endpoint(destination.address.family == .v4 ? .any : .anyV6, port: 0)).raw
    let family = Int32(destination.address.family.rawValue)
    let opened =
      switch (connected, local) {
      case (true, nil): telecap_udp_open(family, nil, &remote)
      case (true, _): telecap_udp_open(family, &bound, &remote)
      case (false, _): telecap_udp_open(family, &bound, nil)
      }
    if opened < 0 { throw SocketError(.open, destination, code: -opened) }
    flow = Flow(.udp, from: try Endpoint(ofSocket: opened, .open, destination), to: destination)
    descriptor = opened
    sendTo = connected ? nil : destination.raw
  }
}

extension IPAddress {
  /// The IPv6 address ::.
  static let anyV6 = IPAddress(v6High: 0, low: 0)
}

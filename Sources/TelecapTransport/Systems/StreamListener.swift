import CSockets
import TelecapRecording

/// A listening TCP socket.
final class StreamListener {
  private let descriptor: Int32
  /// The listening address.
  let local: Endpoint

  /// Listens at `endpoint`; port 0 is a free one.
  init(at endpoint: Endpoint) throws(SocketError) {
    var raw = endpoint.raw
    let opened = telecap_tcp_listen(&raw)
    if opened < 0 { throw SocketError(.open, endpoint, code: -opened) }
    local = try Endpoint(ofSocket: opened, .open, endpoint)
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Whether a connection is pending; it is not accepted.
  var isWaiting: Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) > 0
  }

  /// Accepts the next pending connection; nil without one.
  func accept() -> StreamSender? {
    var remote = telecap_endpoint()
    let accepted = telecap_tcp_accept(descriptor, &remote)
    guard accepted >= 0 else { return nil }
    return StreamSender(accepted: accepted, from: Endpoint(remote) ?? local, at: local)
  }
}
